"""Models behind the network: the OpenAI-compatible client, its retries, its limits and its ledger.

settings = EndpointSettings(base_url="https://api.example.com/v1", model="some-vlm")
client = ChatClient(settings, clock=RealClock())
answer = client.complete([Message("user", "What is on this screen?", pictures=(png,))])
answer.text, answer.cost, client.ledger.spent
"""

from __future__ import annotations

from distrl.services.chat import Answer, ChatClient, EndpointSettings, Message
from distrl.services.cost_tracker import Ledger, Prices

__all__ = ["Answer", "ChatClient", "EndpointSettings", "Ledger", "Message", "Prices"]

"""Clients of OpenAI-compatible model servers: retries, rate limit, deadlines, cost tracker.

settings = EndpointSettings(base_url="https://api.example.com/v1", model="some-vlm")
client = ChatClient(settings, clock=RealClock())
answer = client.complete([Message("user", "What is on this screen?", pictures=(png,))])
answer.text, answer.cost, client.cost_tracker.spent
"""

from __future__ import annotations

from distrl.services.chat import Answer, ChatClient, EndpointSettings, Message
from distrl.services.cost_tracker import CostTracker, Prices

__all__ = ["Answer", "ChatClient", "CostTracker", "EndpointSettings", "Message", "Prices"]

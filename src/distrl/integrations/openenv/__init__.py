"""Any suite of ours as an OpenEnv environment: `distrl serve openenv`.

client --frame or request--> app.py --message--> exchange.py --> Sessions --> PlaySession[N]
                                ^ web/guard.py: Host, Origin, token
"""

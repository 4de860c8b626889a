"""Tasks of a checkout of MobileGym: its own classes set them up, and its own judge decides.

MobileGymSuite --names--> Checkout --imports--> CHECKOUT/bench_env
MobileGymReferee --> Checkout.set_up(task, SimulatedPhone) --> MobileGymDevice
                 --> Checkout.judged(task, before, after)
"""

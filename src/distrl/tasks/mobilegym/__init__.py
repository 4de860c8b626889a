"""Tasks of a checkout of MobileGym: its own classes set them up, and its own judge decides.

MobileGymSuite --names--> MobileGymCheckout --imports--> CHECKOUT/bench_env
MobileGymReferee --> MobileGymCheckout.set_up(task, SimulatedPhone) --> MobileGymDevice
                 --> MobileGymCheckout.judged(task, before, after)
"""

"""AndroidWorld (google-research/android_world): tasks and checks of a checkout, on our phones.

    tasks.suite=androidworld:CHECKOUT --> AndroidWorldSuite        its tasks, a seed each
                                            |  checkout.py: the package in the folder
    phone over adb <-- AdbCalls <-- AndroidWorldReferee            sets up, judges, tears down
                         what its tasks ask of adb

Its task classes, its environment and its controller are used as they are. Ours is only what lies
below: how a call of adb reaches a phone.
"""

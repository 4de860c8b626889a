"""Wireless networks in range and Bluetooth devices nearby."""

from distrl.devices.phone.content.tables.reader import phrases

WIFI_NETWORKS = phrases("""
    HomeNest_5G; Larkspur-Guest; BlueKettle; Maple House; Attic_Net; Cafe Juniper Free
    Router of Doom; OakRoom2; Pixel Pasture; Harborline; Night Train WiFi; Third Floor; Casa Limon
    Gate 12 Free; Library Public; StudioSeven; Kitchen_2G; Penguin Palace; Wren Cottage
    Office-Staff; Office-Visitors; Lighthouse Lane; Copper Wire; FoxDen; Garage Link
    Cloud Nine Hotel; Hotel Lobby; Camp Wildfern; Poolside; Beehive24; The Lan Before
    Bakery Corner; Gym Members; Dorm-East; Dorm-West; Lab_Secure; Ferry Deck; Train Coach 4
    Airport Lounge B; Tulip Terrace; Mango Tree; Upstairs Neighbor; Red Barn; Silver Birch
    Rooftop Garden; Apt 4C; Apt 7F; Villa Serena; Orbit Station; Quokka Net; Tea Room; Moonbase
    Zebra Crossing; Green Gables Wifi; Harvest Home; Bus 88 WiFi; Clinic Waiting Room; Workshop_IoT
    Sunny Balcony; Print Shop; Teal Door; Basement Lair; Captain Router; Hidden Hollow; Snowdrop
    Market Hall Free; Ping Pong Room; Treehouse; Cedar Point; Velvet Room; Marina Berth 9
    Scooter Garage; Planet Potato; Dragonfly; Windmill Row
""")

BLUETOOTH_DEVICES = phrases("""
    Kitchen Speaker; Trail Buds; Desk Keyboard; Travel Mouse; Living Room TV; Car Stereo
    Bike Computer; Heart Strap; Fitness Band; Bathroom Scale; Bedroom Soundbar; Patio Speaker
    Office Headset; Gaming Pad; Stylus Pen; Label Printer; Photo Printer; Smart Lock; Key Finder
    Luggage Tag; Hearing Aid Left; Hearing Aid Right; Studio Monitors; Turntable Link; Shower Radio
    Party Box; Selfie Stick; Tripod Remote; Drone Pad; Thermometer Probe; Grill Sensor
    Aquarium Light; Reading Lamp Link; Garage Opener; Toy Robot; Kids Headphones; Sleep Mask
    Running Pod; Ski Goggles; Helmet Intercom; Motorbike Dash; Truck Handsfree; Guitar Amp
    Piano Adapter; Drum Module; Metronome Clip; Tablet Sleeve Keys; Numpad Mini; Presenter Clicker
    Barcode Gun; Card Reader; Coffee Scale; Oven Hub; Water Bottle Cap; Yoga Mat Sensor
    Posture Clip; Pulse Ring; Pocket Tag; Garden Valve; Plant Sensor; Window Blind; Ceiling Fan
    Night Light; Projector; Sub Woofer; Bass Cannon; Bone Phones; Cycling Glasses; Walkie Puck
    Camera Grip; Weather Puck; Tire Gauge; Dog Collar; Cat Door; E Reader Remote; Massage Gun
    Toothbrush; Shaver Dock
""")

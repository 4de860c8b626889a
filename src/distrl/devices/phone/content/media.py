"""Files, videos, songs and photo albums."""

from dataclasses import dataclass

from distrl.devices.phone.content.tables.reader import phrases, records


@dataclass(frozen=True, slots=True)
class File:
    """A file in one of the four standard folders."""

    name: str
    folder: str


@dataclass(frozen=True, slots=True)
class Video:
    """A video with its channel and length."""

    title: str
    channel: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Song:
    """A song and who plays it."""

    title: str
    artist: str


_FILES_BY_FOLDER = {
    "Documents": """
        budget_2023.pdf; lease_agreement.pdf; cover_letter.docx; thesis_draft.docx; tax_return.pdf
        insurance_policy.pdf; meeting_agenda.docx; guest_list.xlsx; training_log.xlsx
        garden_layout.pdf; recipe_binder.pdf; travel_checklist.txt; passport_scan.pdf
        medical_history.pdf; invoice_0412.pdf; family_tree.pdf; choir_schedule.docx; exam_notes.txt
        seating_chart.xlsx; project_brief.docx; warranty_card.pdf; school_report.pdf
        book_outline.txt; monthly_savings.xlsx; contract_signed.pdf; kitchen_quote.pdf
        team_roster.xlsx; speech_final.docx; poem_collection.txt; vet_records.pdf
    """,
    "Downloads": """
        train_ticket.pdf; boarding_pass.pdf; printer_manual.pdf; festival_map.pdf; bike_catalog.pdf
        font_pack.zip; holiday_photos.zip; lecture_slides.pptx; knitting_pattern.pdf
        museum_guide.pdf; chess_puzzles.pdf; tide_table.pdf; bus_timetable.pdf; game_demo.apk
        keyboard_theme.zip; audiobook_sample.m4b; podcast_episode.m4a; sample_data.csv
        city_guide.epub; short_story.epub; menu_autumn.pdf; coupon_code.txt; survey_results.csv
        newsletter_may.pdf; radio_drama.m4a; crossword_weekly.pdf; origami_steps.pdf
        star_chart.pdf; yoga_poster.pdf; seed_calendar.pdf
    """,
    "Music": """
        rain_loop.mp3; choir_warmup.mp3; piano_etude.mp3; campfire_song.mp3; drum_practice.wav
        cello_suite.flac; lullaby_slow.mp3; party_mix.mp3; ocean_waves.mp3; guitar_riff.wav
        birthday_tune.mp3; morning_birds.mp3; waltz_demo.wav; jazz_evening.flac; synth_sketch.wav
        folk_medley.mp3; brass_fanfare.mp3; metronome_90.mp3; flute_scale.wav; train_ambience.mp3
        harp_dream.flac; banjo_roll.mp3; whistle_tone.wav; night_crickets.mp3; marching_band.mp3
    """,
    "Pictures": """
        hiking_map.png; sunset_pier.jpg; birthday_cake.jpg; new_puppy.jpg; office_whiteboard.png
        garden_roses.jpg; snowy_cabin.jpg; parking_spot.jpg; receipt_lunch.png; team_selfie.jpg
        old_bridge.jpg; market_stall.jpg; blue_door.jpg; lighthouse_dawn.jpg; kitchen_tiles.png
        cat_on_sofa.jpg; concert_stage.jpg; desert_road.jpg; waterfall_mist.jpg; wedding_arch.jpg
        sketch_owl.png; logo_draft.png; room_layout.png; harbor_boats.jpg; autumn_leaves.jpg
        moon_closeup.jpg; street_mural.jpg; bread_loaf.jpg; train_window.jpg; tide_pools.jpg
    """,
}

_VIDEOS_BY_CHANNEL = """
    Pan and Pepper|Crispy Potato Tower|9|One Pot Lentil Stew|14|Perfect Omelet Every Time|6
    Slow Loaf|Sourdough Without Fear|22|Rye Bread Basics|17|Braided Holiday Bread|19
    Tinker Shed|Restoring a Rusty Vise|28|Build a Folding Stool|16|Quiet Garage Fan|11
    Pocket Planetarium|Why Saturn Has Rings|12|A Walk Through Orion|15|Comets for Beginners|8
    Trail Whisper|Three Days Above Treeline|34|Packing Light Rucksacks|10|Crossing Salt Flats|26
    Velvet Chess|Endgame Tricks Explained|18|Queen Sacrifice Story|13|Beating the Stone Wall|21
    Gritty Gears|Wheel Truing at Home|14|Silent Drivetrain Secrets|9|Repairing a Bent Rim|12
    Koi and Moss|Building a Tiny Pond|23|Moss Lawn in Spring|11|Feeding Winter Koi|7
    Paper Crane Club|Folding a Paper Dragon|20|Easy Origami Fox|8|Giant Crane Challenge|25
    Brass Monkey Band|Trumpet Tone Workout|16|Parade March Rehearsal|31|Backstage With Brass|12
    Codebound|Sorting Made Visible|13|Tiny Compiler From Scratch|48|Debugging With Print|9
    Mellow Yoga Barn|Stretching Before Bed|20|Morning Hips and Back|25|Chair Yoga Break|10
    Lab Coat Lunch|Salt Crystals Overnight|7|Why Ice Floats|6|Homemade Volcano Redux|11
    History Attic|The Forgotten Canal War|37|Letters From a Lighthouse|24|How Castles Stayed Warm|18
    Goal Line Diary|Greatest Corner Kicks|15|Keeper Drills Explained|12|Season Opener Highlights|10
    Polyglot Porch|Thirty Greetings in Thirty Languages|30|Rolling Your Rs|9|Tones Made Simple|14
    Little Brushes|Watercolor Sky Tutorial|17|Painting a Stormy Sea|26|Ink and Leaf Study|13
    Fathom Five|Night Dive With Squid|19|Wreck of the Halcyon|33|Kelp Forest Morning|21
    Quilt and Kettle|Patchwork for Newcomers|27|Star Block Shortcut|12|Binding Neat Corners|15
    Budget Nomad|A Week on Ferries|29|Sleeping in Train Stations|18|Cheapest Island Route|22
    Clay Street Studio|Throwing a Tall Vase|24|Glaze Mistakes to Avoid|13|Pinch Pot Party|16
    Mister Longboard|Hill Carving Lesson|11|First Ollie Diary|8|Wheel Size Myths|10
    Beekeeper Bo|Inspecting the Spring Hive|18|Honey Harvest Day|23|Swarm on the Mailbox|9
    Campfire Tales|The Lantern Keeper|14|Owl at the Window|12|Ghost Train to Nowhere|19
    Vinyl Cellar|Cleaning Dusty Records|10|Turntable Setup Guide|16|Rare Pressings Tour|28
    Roboyard|Line Follower Under Ten|15|Walking Robot Legs|32|Solder Like a Pro|12
    Granny Noodles|Hand Pulled Noodle Morning|13|Secret Chili Oil|9|Dumpling Folding Race|11
    Loft Drummer|Paradiddle Power|7|Brushes for Ballads|14|Groove in Seven|18
    Sky Kite Guild|Box Kite Blueprint|16|Stunt Kite Ballet|12|Reading the Sea Wind|8
    Pixel Hermit|Cozy Farm Speedrun|41|Retro Platformer Review|17|Dungeon Without Damage|36
    Tailor Tim|Hemming Trousers by Hand|11|Sewing a Raglan Sleeve|22|Buttonholes Without Tears|9
    Orchard Notes|Grafting an Apple Tree|20|Pears on a Wall|13|Winter Pruning Walk|17
    Puzzle Harbor|Solving the Twelve Cube|15|Crossword Logic Live|26|Lockbox Riddle Hour|38
    Owlet Science Hour|Inside a Beehive Brain|12|Echoes in the Dark|16|Magnets That Float|10
    Desk Gardeners|Desk Bonsai Care|9|Terrarium From a Jar|14|Reviving Sad Succulents|8
    Rook and Roll|Podium Interview Special|21|Blitz Night Recap|19|Opening Traps Roulette|13
    Iron Kettle Fitness|Twenty Minute Circuit|20|Core Without Crunches|15|Ankle Strength Basics|9
    Marble Run Lab|Hundred Marble Race|12|Gravity Spiral Build|18|Slowest Marble Wins|14
    Tidepool Kids|Counting Hermit Crabs|5|The Shy Octopus|7|Starfish Rescue Song|4
    Wandering Lens|Portraits in Window Light|16|Fog on the Moor|11|Street Photos After Rain|13
    Attic Synths|Patching a Warm Pad|19|Drone Music for Rain|45|Sequencer Jam Nine|27
    The Maple Report|Syrup Season Explained|14|Sap Lines in Snow|10|Pancake Stack Science|8
"""

_SONGS_BY_ARTIST = """
    Paper Foxes|Lantern Season|Kitchen Floor Waltz|Seven Small Rivers
    Marlow Finch|Salt on the Window|Borrowed Coat|Tin Roof Serenade
    Velour Comet|Neon Orchard|Gravity Holiday|Slow Motion Parade
    The Hollow Oaks|Timberline|Crows at Noon|Wagon Wheel Prayer
    Dahlia Storm|Glass Umbrella|Electric Meadow|Midnight Pharmacist
    Cinder Choir|Ashes and Honey|Bell Tower Blues|Choirboy Thunder
    North Pier Trio|Harbor Lights Out|Seagull Samba|Low Tide Lullaby
    Juno Bramble|Picnic in November|Yellow Bicycle|Honeycomb Heart
    Static Garden|Radio Petunia|Wires and Wisteria|Feedback Bloom
    Copper Kites|Weathervane|Skyline Sailors|Kite String Theory
    Mina Tallow|Candle for Two|Wax and Feather|Slow Burning Letter
    Desert Tramway|Cactus Station|Mirage Express|Sandstone Shuffle
    Quiet Engines|Idle Hands Hum|Garage Sunrise|Oil Stain Rainbow
    Pavlova Club|Meringue Dancefloor|Sugar Crash Disco|Berry Picking Anthem
    Old Man Willow|Creekbed Confession|Mossy Guitar|Root Cellar Song
    Sable and Snow|Polar Carriage Heart|Footprints in Blue|Icicle Piano
    Lady Barometer|Pressure Drop Polka|Cloudless|Storm Glass
    The Brick Pigeons|Rooftop Rumble|Crumbs for Breakfast|Statue Selfie
    Ferris and Wren|Carousel Goodbye|Ticket Booth Kiss|Cotton Candy Moon
    Ultramarine Youth|Deep End Daydream|Chlorine Summer|Lifeguard on Mars
    Tamarind Street|Mango Monsoon|Bazaar at Dusk|Cardamom Groove
    Hexagon Sun|Honest Geometry|Parallel Hearts|Tangent Line
    Oboe Jones|Reed My Mind|Woodwind Wanderer|Double Bar Farewell
    Granite Lullabies|Quarry Echo|Pebble in My Shoe|Mountain Forgets
    Cassette Ghosts|Rewind Me Gently|Side B Sunset|Tape Hiss Tango
    Little Ampersand|And Then Some|Comma Comma Pause|Bracketed Love
    Polly Thunderhill|Tractor Ballad|Barn Swallow Bounce|Hayloft Hymn
    Night Bus Poets|Last Stop Sonnet|Rain on Route Six|Window Seat Blues
    Aurora Tinsmith|Tinfoil Crown|Green Sky Morning|Solder and Silk
    Bossa Kangaroo|Pouch Full of Stars|Hop Across Havana|Outback Cha Cha
    Ivory Lockets|Attic Piano Roll|Moth Wing Minuet|Dust on the Keys
"""

FILES = tuple(
    File(name, folder) for folder, table in _FILES_BY_FOLDER.items() for name in phrases(table)
)
VIDEOS = tuple(
    Video(title, channel, int(minutes))
    for channel, *rest in records(_VIDEOS_BY_CHANNEL)
    for title, minutes in zip(rest[::2], rest[1::2], strict=True)
)
SONGS = tuple(
    Song(title, artist) for artist, *titles in records(_SONGS_BY_ARTIST) for title in titles
)

ALBUMS = phrases("""
    Summer in Porto; Baby first year; Garden diary; Road trip west; Grandparents; Cabin weekend
    Street art; City nights; Autumn walks; Snow days; Beach sunsets; Birthday surprise; Our wedding
    Pets and paws; Kitchen experiments; Old family scans; School plays; Soccer season; Concert shots
    Morning fog; Macro insects; Wildflowers; Bridges of Europe; Market colors; Rainy windows
    Lighthouse hunt; Desert crossing; Island hopping; Mountain huts; Canoe week; Ski holiday
    Film rolls; Black and white; Portrait studio; Home renovation; Workshop builds; Bread fails
    Best of spring; Cherry blossoms; Camping with friends; Costume parade; Museum finds; Tiny doors
    Shop windows; Train journeys; Sky and clouds; Full moons; Fireworks; Reflections; Bookshelves
    Coffee art; Ceramics; Knitting projects; Guitar builds; Bike rides; Marathon day; Lake house
    Vintage cars; Harbor boats at rest; Farm visit; Zoo animals; Underwater shots; Drone views
    Golden hour; Neon signs; Staircases; Neighborhood cats; Picnic blankets; Graduation caps
    Newborn cousins; Secret garden; Paper collages; Tattoo sketches; Moving boxes; First apartment
""")

"""Web sites, headlines and things people search for."""

from dataclasses import dataclass

from distrl.devices.phone.content.tables.reader import phrases, records


@dataclass(frozen=True, slots=True)
class Site:
    """A web site."""

    host: str
    title: str
    topic: str


@dataclass(frozen=True, slots=True)
class Article:
    """A headline and the topic it is filed under."""

    headline: str
    topic: str


_SITES_BY_TOPIC = {
    "news": """
        riverpost.com|The River Post; dailyfathom.com|Daily Fathom; northquill.com|North Quill
        capitolwren.com|Capitol Wren; eveningkestrel.com|Evening Kestrel
        hilltownherald.com|Hilltown Herald; baysidebulletin.com|Bayside Bulletin
        theopenledger.org|The Open Ledger; fourwindsnews.com|Four Winds News
    """,
    "recipes": """
        spoonandsprig.com|Spoon and Sprig; simmerhouse.com|Simmer House; doughdiary.com|Dough Diary
        weeknightwok.com|Weeknight Wok; greenplatter.org|Green Platter
        picklejournal.com|Pickle Journal; soupalmanac.com|Soup Almanac
        sugarthimble.com|Sugar Thimble; tinyovens.com|Tiny Ovens
    """,
    "sports": """
        touchlinetimes.com|Touchline Times; courtsideowl.com|Courtside Owl
        pelotonpaper.com|Peloton Paper; rinkreport.com|Rink Report; splitseconds.org|Split Seconds
        ovalandpost.com|Oval and Post; chalkboardfc.com|Chalkboard Football
        serveandvolley.org|Serve and Volley
    """,
    "travel": """
        slowcompass.com|Slow Compass; islandledger.com|Island Ledger
        nightferries.com|Night Ferries; bunkandbeyond.com|Bunk and Beyond
        alleyatlas.com|Alley Atlas; railsandtrails.org|Rails and Trails
        stampedpages.com|Stamped Pages; tramstop.org|Tram Stop; packlightly.com|Pack Lightly
    """,
    "science": """
        petriforum.org|Petri Forum; orbitnotes.org|Orbit Notes; fossilfeed.com|Fossil Feed
        quarkcorner.org|Quark Corner; tidelab.org|Tide Lab; beakerpress.com|Beaker Press
        nerveandneuron.org|Nerve and Neuron; mosslibrary.org|Moss Library
        cometcatalog.org|Comet Catalog
    """,
    "technology": """
        bytemeadow.com|Byte Meadow; gadgetloft.com|Gadget Loft; kernelkitchen.org|Kernel Kitchen
        circuitpress.com|Circuit Press; pixelgazette.com|Pixel Gazette; latencylog.com|Latency Log
        opensocket.org|Open Socket; robotweekly.com|Robot Weekly
    """,
    "health": """
        wellwinter.com|Well Winter; pulsepages.org|Pulse Pages; sleepfolio.com|Sleep Folio
        kneeandback.com|Knee and Back; calmalmanac.com|Calm Almanac; vitalgarden.org|Vital Garden
        firstaidnook.org|First Aid Nook
    """,
    "finance": """
        pennywharf.com|Penny Wharf; ledgerlight.com|Ledger Light; bondbarometer.com|Bond Barometer
        thriftharbor.org|Thrift Harbor; mortgagemaple.com|Mortgage Maple
        coinweather.com|Coin Weather
    """,
    "gardening": """
        rootrow.com|Root Row; compostclub.org|Compost Club; balconybeans.com|Balcony Beans
        rosehipreview.com|Rosehip Review; seedparley.org|Seed Parley; lawnless.org|Lawnless
    """,
    "music": """
        bsideblog.com|B Side Blog; tunepost.com|Tune Post; orchestrapit.org|Orchestra Pit
        basementgigs.com|Basement Gigs; vinylvalley.com|Vinyl Valley; chordshelf.org|Chord Shelf
    """,
    "education": """
        chalkpocket.org|Chalk Pocket; lessonloom.com|Lesson Loom; grammarbarn.com|Grammar Barn
        openlectern.org|Open Lectern; mathpond.org|Math Pond; homeworkhive.com|Homework Hive
    """,
    "games": """
        diceandkettle.org|Dice and Kettle; meeplemail.com|Meeple Mail; cozyquests.com|Cozy Quests
        glitchless.org|Glitchless Hall; rookreview.com|Rook Review; puzzlepier.com|Puzzle Pier
    """,
    "weather": """
        cloudcourier.com|Cloud Courier; isobarium.org|Isobarium; frostwatch.org|Frost Watch
        tidesandwinds.com|Tides and Winds
    """,
}

_ARTICLES_BY_TOPIC = {
    "news": """
        City Council Approves New Footbridge; Storm Leaves Thousands Without Power
        Old Town Hall Reopens Today; Bus Drivers Agree New Contract; Rare Owl Closes Building Site
        Mayor Plants Thousandth Street Tree; Library Extends Its Evening Hours
        Harbor Tunnel Delayed Until Spring; Voters Choose Longer School Breaks
        Lost Painting Found in Attic
    """,
    "sports": """
        Underdogs Win Cup on Penalties; Veteran Keeper Announces Retirement
        Rowers Break Course Record; Rain Halts Tennis Final Again; Teen Climber Takes Gold
        Local Marathon Doubles Its Field; Coach Defends Risky Lineup; Cyclists Brave Snow on Pass
        Goalless Draw Ends Long Season; New Stadium Roof Leaks
    """,
    "science": """
        Deep Sea Worm Glows Purple; Telescope Spots Wandering Planet; Ancient Seeds Sprout in Lab
        Bees Learn to Pull Levers; Glacier Reveals Frozen Forest; Tiny Sensor Smells Ripe Fruit
        Fossil Rewrites Story of Flight; Chemists Make Paper Battery; Whales Share Regional Accents
        Moon Dust Baked Into Bricks
    """,
    "technology": """
        Folding Laptop Survives Drop Test; Robots Sort Recycling by Touch
        Open Map Project Turns Ten; Village Builds Own Fiber Network; Phones Gain Week Long Battery
        Quiet Drones Deliver Medicine; Game Studio Shares Its Tools; Password Habits Slowly Improve
        Chip Factory Hires Hundreds; Smart Bins Text the Council
    """,
    "travel": """
        Night Train Returns After Decade; Ten Islands Without Cars; Mountain Hut Adds Bakery
        Ferry Route Opens to Walkers; Quiet Beaches Worth the Detour; Cheap Rooms Near Big Museums
        Desert Railway Welcomes Tourists; Castle Hotel Bans Screens; Sleeping Under Northern Skies
        River Cruise by Cargo Boat
    """,
    "health": """
        Short Walks Lower Stress; Why Naps Help Memory; Clinics Offer Evening Visits
        Study Praises Fermented Foods; Swimming Eases Back Pain; Nurses Test Lighter Uniforms
        Morning Light Improves Sleep; Singing Strengthens Tired Lungs
    """,
    "finance": """
        Bread Prices Fall in March; Savers Return to Bonds; Small Shops Report Busy Winter
        Rent Growth Slows in Suburbs; Coffee Harvest Lifts Exports; Credit Unions Plan Merger
        Toy Makers Expect Strong Year; Orchard Insurance Costs Climb
    """,
    "culture": """
        Puppet Opera Sells Out; Novelist Burns Her Drafts; Museum Lends Bones to School
        Street Choir Records First Album; Silent Film Gets New Score; Poets Take Over Tram Line
        Young Painter Wins Harbor Prize; Festival Moves to Island; Bookshop Stays Open All Night
        Drummers Fill Market Square
    """,
    "food": """
        Bakers Revive Forgotten Grain; Seaweed Chips Hit Canteens; Chef Cooks With Volcano Heat
        Tomato Festival Stains Main Street; Cheese Caves Welcome Visitors
        Tea Farmers Try New Slopes; Soup Kitchen Wins Design Award; Wild Garlic Season Starts Early
    """,
    "environment": """
        Beavers Rebuild Drained Wetland; Rooftop Meadows Cool the City
        River Cleanup Finds Old Boats; Wolves Return to Northern Valley
        Solar Barges Power Fishing Port; Farmers Plant Windbreak Hedges
        Otters Thrive Near Old Mill; Coral Nursery Doubles in Size
    """,
}

SITES = tuple(
    Site(host, title, topic)
    for topic, table in _SITES_BY_TOPIC.items()
    for host, title in records(table)
)
ARTICLES = tuple(
    Article(headline, topic)
    for topic, table in _ARTICLES_BY_TOPIC.items()
    for headline in phrases(table)
)

QUERIES = phrases("""
    easy pancake batter; how to tie bowline; best hiking socks; learn touch typing
    remove wine stain; beginner guitar scales; cheap ferry tickets; indoor herb garden
    fix squeaky floor; lemon tart recipe; train strike dates; used piano prices
    paper airplane designs; how to descale kettle; dog training tips; quiet coworking space
    watercolor for beginners; sourdough starter smell; bike chain cleaning; meteor shower tonight
    free chess lessons; homemade pizza dough; small bathroom ideas; learn sign language
    knee stretching exercises; flea market dates; moving boxes near me; how to fold shirts
    vegan birthday cake; local election results; repair zipper at home; rainy day crafts
    tomato plant spacing; cat drinking fountain; night photography settings; budget travel islands
    sewing machine tension; kayak beginner course; low light houseplants; noise canceling curtains
    how to whistle loudly; tea brewing temperature; origami crane steps; public holidays next year
    marathon training plan; car seat rules; homemade cough syrup; language exchange groups
    passport photo size; hotel with pool; second hand bookshop; compost bin smell
    museum free entry days; calligraphy pen sets; dark chocolate benefits; easy card tricks
    winter tire deadline; clean mechanical keyboard; onion soup recipe; learn basic juggling
    bird song identifier; wedding speech examples; camping stove fuel types; roof insulation cost
    toddler bedtime routine; board game cafe; electric bike range; how to prune roses
    standing desk height; simple yoga poses; used camera lenses; airport luggage rules
    interview thank you note; gluten free bread; quiet mechanical switches; dance classes nearby
    sunscreen for kids; crochet blanket pattern; fast typing tests; ski rental prices
    water filter pitcher; job openings library; weekend train deals; stop hiccups quickly
    patch drywall hole; rent moving van; old photo restoration; phone screen repair
    beach cleanup volunteer; learn morse code; spicy noodle recipes; resume font size
    bread machine settings; lost passport abroad; garden shed plans; candle making kit
    best rainy playlists; clean burnt pot; ocean tide schedule; mushroom foraging guide
    puppy vaccination schedule; speed reading methods; city bike sharing
""")

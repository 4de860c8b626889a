"""Notes already on the phone, or asked to be written."""

from dataclasses import dataclass

from distrl.devices.phone.content.tables.reader import records


@dataclass(frozen=True, slots=True)
class Note:
    """A note with one line of text."""

    title: str
    body: str


_TABLE = """
    Packing list|socks, charger, rain jacket; Shopping list|milk, eggs and brown bread
    Gift ideas|a puzzle for Dad; Garden plan|tomatoes along the south wall
    Wifi codes|guest code is maple77; Book wishlist|three novels about the sea
    Movie night|comedies first, then the western; Paint colors|warm gray for the hallway
    Running log|five kilometers in 28 minutes; Dream diary|flying over a silver lake
    Pancake recipe|two eggs, flour, a pinch of salt; Car service|oil change due in March
    Locker number|blue door, number 214; Meter readings|gas 4410, power 18203
    Spanish verbs|ser, estar, tener, hacer; Birthday budget|sixty dollars for the cake
    Trip expenses|train tickets cost 84; Camping gear|stove, lantern, two mats
    Sourdough steps|feed the starter at noon; Poem draft|the gate hums in the wind
    Interview questions|ask about the team size; Lecture summary|cells divide in four phases
    Podcast ideas|a series about old bridges; Plant care|water the fern on Sundays
    Shoe sizes|Mia 34, Leo 31; Allergies|peanuts and cat hair
    Doctor questions|ask about the knee pain; Moving checklist|forward the post, label boxes
    Bike repairs|replace the rear brake pad; Reading goals|twelve books before December
    Guitar chords|G, C, D and E minor; Chess openings|try the queen pawn first
    Workout split|legs on Monday, back on Friday; Wine tasting|the second white was best
    Party playlist|start slow, end with disco; House rules|shoes off after the door
    Tax receipts|keep the dentist invoice; Fish tank|clean the filter twice a month
    Cabin keys|under the third flower pot; Street parking|level two, row F
    Voice exercises|hum for five minutes; Sewing pattern|add a seam of one inch
    Sailing knots|bowline, cleat hitch, reef; Star names|Vega, Altair and Deneb
    Bird sightings|two herons near the weir; Soup night|leeks, potatoes and thyme
    Thesis outline|method before results; Lesson plan|fractions with paper strips
    Coin collection|missing the 1964 half; Puppy training|sit first, then stay
    Baby names|Nora, Elias or June; Team goals|ship the beta by autumn
    Meeting minutes|budget passed, venue open; Project risks|late parts and bad weather
    Door code|press 4, 8, 1 and star; Train times|last one leaves at 23:12
    Haircut reference|short sides, longer top; Curtain measurements|140 by 220 centimeters
    Spice blend|cumin, coriander, paprika; Knitting rows|forty rows of moss stitch
    Kayak spots|launch below the stone bridge; Museum visits|fossil wing closes early
    Festival lineup|folk stage opens at four; Jam recipe|equal weights, slow boil
    Insurance facts|claim within thirty days; Roof repair|quote arrives on Tuesday
    Neighbor favors|feed the cat in July; Charity ideas|a bake sale at school
    Exam topics|optics, waves and heat; Thank you list|Aunt Rose and the coach
    Pasta sauce|garlic, capers and olives; Ski trip|rent boots at the lodge
    Blog drafts|why slow trains are fun; Vitamin schedule|one tablet with breakfast
    Phone plan|renews on the ninth; Wedding toast|mention the broken canoe
    Childhood stories|the day the goat escaped; Quiz answers|the red one is a planet
    Quarterly targets|raise repeat orders a little; Sketch ideas|an owl with an umbrella
    Magic tricks|the vanishing coin first; Home inventory|two lamps, one long desk
    Compost rules|no citrus, no meat; Laundry tips|wool on cold, no spin
    Language notes|the verb comes last; Piano practice|scales before the waltz
    Dinner guests|six people, one vegan; Travel adapters|type G for the islands
    Broken things|toaster, porch light, zip; Honey suppliers|the farm near the mill
    Swim times|hundred meters in 1:52; Tent setup|poles first, then the fly
    Budget rules|save a tenth each month; Landlord complaints|damp corner by the window
    Costume ideas|a lighthouse with real lamp; Cheese board|one hard, one blue, figs
    Window cleaning|vinegar, water, old paper; Email drafts|apologize, then offer Friday
    Yoga sequence|cat, cow, child, rest; Stamp trades|swap two for the comet
    Choir lyrics|second verse is softer; Hike distances|lake loop is nine kilometers
    Bread prices|rye went up by forty cents; Salad dressing|lemon, mustard, olive oil
    Board games|bring the island one; Greenhouse temperatures|never under eight degrees
    School contacts|office opens at half past seven; Toolbox contents|missing the small wrench
    Rainy day|build a blanket fort; Weekend chores|gutters, hedge and windows
    Business names|something with a lantern; Logo feedback|make the leaf thinner
    Recycling days|paper on odd Wednesdays; Road snacks|almonds, apples, ginger beer
    Ferry schedule|hourly until sunset; Crossword words|seven letters for a harbor
    Pet medicine|half a pill at night; Attic boxes|winter coats and old maps
    Coffee ratios|sixteen parts water to one; Wall art|frame the harbor print
    Season tickets|row K, seats 11 and 12; Apartment hunt|second floor with a balcony
    Fridge leftovers|eat the stew by Thursday; Science fair|volcano needs more vinegar
    Photo spots|the pier just after dawn; Standup notes|blocked by the login bug
    Mentor advice|write less, cut more; Bucket list|see the northern lights
    Drum patterns|kick on one and three; Donation pile|coats, jigsaws, blue chair
    Battery types|remote takes two small ones; Cookie swap|bring four dozen ginger snaps
    Aquarium fish|six tetras and one snail; Car mileage|tank filled at 48210
    Night sky|meteors peak after midnight; Tea collection|smoky, mint and jasmine
    Speech outline|open with the ferry story; Candle making|melt the wax slowly
"""

NOTES = tuple(Note(title, body) for title, body in records(_TABLE))

"""Invented businesses and sights on the map."""

from dataclasses import dataclass

from distrl.devices.phone.content.tables.reader import records


@dataclass(frozen=True, slots=True)
class Place:
    """A spot on the map."""

    name: str
    category: str
    street: str
    rating: float
    """Stars out of five, different for each place of a category."""
    open_until: str
    """Closing time on a 24-hour clock, "22:30"."""


_BY_CATEGORY = {
    "restaurant": """
        Copper Ladle|12 Alder Street|4.6|22:00; Saffron Porch|48 Quarry Road|4.3|23:00
        Blue Heron Grill|7 Wharf Lane|4.1|22:30; Noodle Orchard|155 Mill Avenue|4.8|21:30
        Taqueria Lucero|31 Cedar Street|4.4|23:30; The Gilded Fork|90 Crown Street|3.9|22:15
        Basil and Stone|66 Hillcrest Road|4.5|21:45; Curry Compass|203 Station Road|4.2|23:15
        Dumpling Lantern|18 Garden Row|4.7|21:00; Old Anchor Kitchen|2 Harbor Walk|3.7|20:30
        Olive Terrace|77 Vine Street|4.0|22:45; Ember Pizzeria|114 Foundry Street|3.8|23:45
    """,
    "coffee": """
        Bean Meadow|5 Alder Street|4.7|18:00; Crooked Kettle|29 Library Lane|4.4|17:30
        Morning Finch|61 Park Avenue|4.2|16:30; Roast Harbor|10 Harbor Walk|4.5|19:00
        Velvet Crema|140 Mill Avenue|3.9|18:30; Third Saucer|83 College Road|4.6|20:00
        Percolate Corner|27 Vine Street|4.0|17:00; Acorn Espresso|36 Oak Street|4.3|16:00
        Foam and Fable|95 Crown Street|4.8|19:30; Tin Cup Coffeehouse|8 Depot Street|3.8|15:30
    """,
    "fuel": """
        Redline Fuel|401 Ring Road|3.6|23:00; Prairie Pump|12 Route Nine|4.0|22:00
        Comet Gas|510 Ring Road|3.8|23:30; Longhaul Station|77 Freight Road|4.2|23:59
        Birchway Fuels|230 Birch Street|3.9|21:00; Pitstop Junction|19 Junction Road|4.1|22:30
        Northgate Petrol|3 Northgate|3.5|20:00; Sunmile Gas|88 Valley Drive|4.4|23:45
        Quickfill Depot|160 Depot Street|3.3|21:30; Wayside Charging|45 Elm Parkway|4.6|23:15
    """,
    "hotel": """
        Hotel Marisma|1 Bay Promenade|4.5|23:59; The Quiet Larch|54 Larch Lane|4.7|22:00
        Station House Inn|6 Station Road|3.9|23:00; Grand Belvoir|100 Crown Street|4.6|23:45
        Juniper Lodge|320 Hillcrest Road|4.3|21:00; Pilgrim Rest|15 Abbey Street|4.1|22:30
        Seaglass Suites|22 Bay Promenade|4.4|23:30; Hotel Cardamom|71 Spice Row|4.0|23:15
        Wanderer Hostel|9 College Road|3.7|20:30; Lakeshore Manor|4 Lakeside Drive|4.8|22:45
    """,
    "hospital": """
        Saint Odile Hospital|200 Mercy Road|4.2|23:59; Riverside Clinic|34 River Road|3.9|20:00
        Meadowbrook Medical|150 Meadow Lane|4.4|22:00; Northfield Infirmary|60 Northgate|3.6|23:30
        Children Care Center|41 Garden Row|4.7|21:00
        Valley Heart Institute|9 Valley Drive|4.5|18:00
        Harborview Emergency|70 Harbor Walk|3.8|23:45; Cedar Eye Clinic|102 Cedar Street|4.3|17:30
        Summit Orthopedics|58 Summit Road|4.1|18:30; Elmwood Maternity|25 Elm Parkway|4.6|22:30
    """,
    "bank": """
        Granite Trust|80 Market Square|3.9|17:00; First Heron Bank|81 Market Square|4.1|16:30
        Copperleaf Savings|14 Exchange Street|4.3|16:00; Union of Tillers|33 Mill Avenue|4.5|15:30
        Meridian Credit Hall|7 Exchange Street|3.7|17:30; Harbor Mutual|16 Wharf Lane|4.0|16:45
        Oakvault Bank|120 Oak Street|4.2|18:00; Lighthouse Credit|52 River Road|4.4|15:45
        Civic Penny Bank|2 Town Hall Street|3.6|16:15; Northern Ledger|28 Northgate|3.8|17:15
    """,
    "pharmacy": """
        Willow Pharmacy|11 Willow Street|4.4|20:00; Green Mortar|46 Park Avenue|4.6|19:00
        Corner Apothecary|1 Vine Street|4.2|18:30; Careleaf Drugs|134 Station Road|3.9|22:00
        Night Owl Pharmacy|210 Mercy Road|4.1|23:59; Pestle Point|64 Quarry Road|4.3|18:00
        Sunrise Chemist|19 Cedar Street|4.5|17:30; Goodwell Remedies|87 College Road|3.7|20:30
        Bluebell Dispensary|23 Meadow Lane|4.7|17:00; Old Town Druggist|5 Abbey Street|4.0|19:30
    """,
    "gym": """
        Iron Orchard|250 Foundry Street|4.5|23:00; Pulse Barn|18 Freight Road|4.2|22:00
        Kettlebell Yard|39 Depot Street|4.6|21:30; Summit Climbing Hall|90 Summit Road|4.8|22:30
        Lotus Loft|55 Spice Row|4.7|20:00; Stride Studio|72 Elm Parkway|4.0|21:00
        Anvil Boxing Club|8 Foundry Street|4.3|20:30; Aqua Lanes|31 Lakeside Drive|4.1|19:30
        Sprint Cellar|66 Market Square|3.9|22:15; Balance House|17 Willow Street|4.4|20:45
    """,
    "museum": """
        Museum of Clocks|3 Museum Mile|4.6|17:00; Tidewater Maritime Museum|40 Wharf Lane|4.4|16:30
        Gallery Ninepin|21 Museum Mile|4.1|18:00; Railway Heritage Hall|2 Junction Road|4.7|17:30
        Fossil House|35 Quarry Road|4.8|16:00; Puppet Theater Museum|13 Garden Row|4.2|15:30
        Cartography Rooms|9 Library Lane|4.5|16:45; Modern Glass Gallery|50 Museum Mile|4.0|19:00
        Printing Press Museum|26 Town Hall Street|4.3|17:15
        Observatory Dome|300 Hillcrest Road|4.9|21:00
    """,
    "park": """
        Foxglove Park|Foxglove Way|4.6|21:00; Millpond Gardens|Mill Avenue East|4.4|20:00
        Larkspur Commons|Larkspur Road|4.2|22:00; Stone Arch Park|Arch Street|4.7|21:30
        Heron Marsh Reserve|Marsh Track|4.8|18:30; Skyline Meadow|Skyline Drive|4.5|20:30
        Founders Green|Market Square West|4.0|23:00; Maple Hollow|Hollow Lane|4.3|19:30
        Sandpiper Beach Park|Bay Promenade South|4.1|22:30; Rosewalk Arboretum|Rosewalk|4.9|18:00
    """,
    "supermarket": """
        Basket Barn|100 Valley Drive|4.1|22:00; Fresh Furrow|44 Meadow Lane|4.5|21:00
        Pantry Lane|12 Larch Lane|4.3|20:30; Cartwheel Market|180 Ring Road|3.8|23:00
        Golden Sheaf|63 Oak Street|4.4|21:30; Harvest Square|70 Market Square|4.6|20:00
        Corner Larder|29 Birch Street|4.0|22:30; Bulk and Barrel|500 Freight Road|3.9|19:30
        Daily Turnip|16 Cedar Street|4.2|21:45; Polar Provisions|9 Northgate|3.7|22:15
    """,
    "cinema": """
        Orpheum Lantern|59 Crown Street|4.6|23:30; Starlit Screens|410 Ring Road|4.0|23:45
        Rialto Nook|24 Library Lane|4.7|22:30; Velvet Curtain Cinema|11 Spice Row|4.4|23:00
        Projector House|37 Depot Street|4.3|23:15; Moonlight Drivein|99 Valley Drive|4.5|23:59
        Palace of Reels|1 Town Hall Street|4.1|22:45; Little Matinee|20 Willow Street|4.8|21:30
        Canal Street Pictures|75 Canal Street|4.2|22:00; Megaplex Dune|600 Ring Road|3.8|23:50
    """,
}

PLACES = tuple(
    Place(name, category, street, float(rating), open_until)
    for category, table in _BY_CATEGORY.items()
    for name, street, rating, open_until in records(table)
)

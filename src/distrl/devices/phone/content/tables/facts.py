"""Subjects and answers of the facts, grouped by how they are asked."""

CAPITALS = """
    Albania|Tirana; Angola|Luanda; Argentina|Buenos Aires; Armenia|Yerevan; Australia|Canberra
    Austria|Vienna; Azerbaijan|Baku; the Bahamas|Nassau; Bangladesh|Dhaka; Barbados|Bridgetown
    Belarus|Minsk; Belgium|Brussels; Belize|Belmopan; Bhutan|Thimphu; Botswana|Gaborone
    Bulgaria|Sofia; Burkina Faso|Ouagadougou; Cambodia|Phnom Penh; Cameroon|Yaounde
    Canada|Ottawa; Chad|N'Djamena; Chile|Santiago; China|Beijing; Colombia|Bogota; Croatia|Zagreb
    Cuba|Havana; Cyprus|Nicosia; Denmark|Copenhagen; Ecuador|Quito; Egypt|Cairo; Eritrea|Asmara
    Estonia|Tallinn; Ethiopia|Addis Ababa; Fiji|Suva; Finland|Helsinki; France|Paris
    Gabon|Libreville; Germany|Berlin; Ghana|Accra; Greece|Athens
    Guinea|Conakry; Guyana|Georgetown; Haiti|Port-au-Prince; Honduras|Tegucigalpa
    Hungary|Budapest; Iceland|Reykjavik; India|New Delhi; Iran|Tehran; Iraq|Baghdad
    Ireland|Dublin; Italy|Rome; Jamaica|Kingston; Japan|Tokyo; Jordan|Amman; Kenya|Nairobi
    Kyrgyzstan|Bishkek; Laos|Vientiane; Latvia|Riga; Lebanon|Beirut; Lesotho|Maseru
    Liberia|Monrovia; Libya|Tripoli; Lithuania|Vilnius; Madagascar|Antananarivo; Malawi|Lilongwe
    Mali|Bamako; Malta|Valletta; Mauritania|Nouakchott; Moldova|Chisinau; Mongolia|Ulaanbaatar
    Morocco|Rabat; Mozambique|Maputo; Namibia|Windhoek; Nepal|Kathmandu; New Zealand|Wellington
    Nicaragua|Managua; Nigeria|Abuja; Norway|Oslo; Oman|Muscat; Pakistan|Islamabad
    Paraguay|Asuncion; Peru|Lima; the Philippines|Manila; Poland|Warsaw; Portugal|Lisbon
    Qatar|Doha; Romania|Bucharest; Rwanda|Kigali; Samoa|Apia; Saudi Arabia|Riyadh; Senegal|Dakar
    Serbia|Belgrade; Sierra Leone|Freetown; Slovakia|Bratislava; Slovenia|Ljubljana
    Somalia|Mogadishu; South Korea|Seoul; Spain|Madrid; Sudan|Khartoum; Suriname|Paramaribo
    Sweden|Stockholm; Switzerland|Bern; Tajikistan|Dushanbe; Thailand|Bangkok; Togo|Lome
    Turkey|Ankara; Uganda|Kampala; Ukraine|Kyiv; Uruguay|Montevideo
    Uzbekistan|Tashkent; Venezuela|Caracas; Vietnam|Hanoi; Zambia|Lusaka; Zimbabwe|Harare
"""

ANIMAL_RECORDS = """
    fastest land animal|cheetah; fastest bird in a dive|peregrine falcon; tallest animal|giraffe
    largest animal ever known|blue whale; largest living bird|ostrich
    smallest bird|bee hummingbird; largest fish|whale shark; largest lizard|Komodo dragon
    largest rodent|capybara; heaviest snake|green anaconda; longest snake|reticulated python
    largest land animal|African bush elephant; tallest penguin|emperor penguin
    largest member of the cat family|tiger; largest deer|moose; largest primate|eastern gorilla
    largest marsupial|red kangaroo; largest living reptile|saltwater crocodile
    crab with the longest legs|Japanese spider crab; largest toothed predator|sperm whale
"""

ANIMAL_SPEEDS = """
    a cheetah|110 km/h; an ostrich|70 km/h; a pronghorn|88 km/h; a brown bear|56 km/h
    a domestic cat|48 km/h; a giant tortoise|0.3 km/h
"""

ANIMAL_SIZES = """
    a blue whale|30 meters; a bull giraffe|5.5 meters; a whale shark|18 meters
    an emperor penguin|120 centimeters; a bee hummingbird|6 centimeters; a Komodo dragon|3 meters
"""

ANIMAL_LIFESPANS = """
    a bowhead whale|200 years; a Greenland shark|at least 270 years; an Asian elephant|60 years
    an adult mayfly|one day; a house mouse|two years; a giant tortoise|over a century
"""

GEOGRAPHY_RECORDS = """
    deepest lake|Lake Baikal; largest island|Greenland; highest waterfall|Angel Falls
    smallest country in the world|Vatican City; largest country in the world|Russia
    smallest continent|Australia; largest continent|Asia; highest mountain in Japan|Mount Fuji
    highest mountain in Africa|Kilimanjaro; highest mountain in South America|Aconcagua
    highest mountain in Scotland|Ben Nevis; largest lake in Africa|Lake Victoria
    largest Mediterranean island|Sicily
"""

GEOGRAPHY_RECORDS_WITH_ARTICLE = """
    largest ocean|Pacific Ocean; smallest ocean|Arctic Ocean; largest hot desert|Sahara
    longest river in Europe|Volga; largest lake by area|Caspian Sea
    longest river in France|Loire; longest river in Italy|Po River
    longest river in Poland|Vistula; longest river in Ireland|Shannon
    longest river in Great Britain|Severn; deepest ocean trench|Mariana Trench
    largest coral reef|Great Barrier Reef; longest mountain range on land|Andes
"""

MOUNTAIN_HEIGHTS = """
    Mount Everest|8,849 m; K2|8,611 m; Kangchenjunga|8,586 m; Lhotse|8,516 m; Denali|6,190 m
    Mount Kilimanjaro|5,895 m; Mount Elbrus|5,642 m; Aconcagua|6,961 m; Mount Fuji|3,776 m
    the Matterhorn|4,478 m; Ben Nevis|1,345 m; Mount Kosciuszko|2,228 m
    Mount Vinson|4,892 m; Aoraki|3,724 m; Mount Ararat|5,137 m; Mount Kenya|5,199 m
    Mount Teide|3,715 m; Triglav|2,864 m; Zugspitze|2,962 m; Mount Kinabalu|4,095 m
    Mount Whitney|4,421 m; Mount Logan|5,959 m; Chimborazo|6,263 m; Snowdon|1,085 m
"""

RIVER_LENGTHS = """
    Nile|6,650 km; Amazon River|6,400 km; Yangtze|6,300 km; Danube|2,850 km; Rhine|1,230 km
    Thames|346 km; Volga|3,530 km; Congo River|4,700 km; Niger River|4,180 km; Seine|777 km
    Elbe|1,094 km; Po River|652 km; Ganges|2,525 km; Indus|3,180 km; Zambezi|2,574 km
    Colorado River|2,330 km; Yukon|3,190 km; Murray River|2,508 km
"""

ATOMIC_NUMBERS = """
    neon|10; sodium|11; aluminum|13; silicon|14; calcium|20; titanium|22; iron|26; nickel|28
    copper|29; zinc|30; krypton|36; silver|47; tin|50; iodine|53; platinum|78; gold|79
    mercury|80; lead|82; radon|86; uranium|92
"""

BOILING_POINTS = """
    water|100 degrees Celsius; ethanol|78 degrees Celsius; nitrogen|-196 degrees Celsius
    oxygen|-183 degrees Celsius; helium|-269 degrees Celsius; hydrogen|-253 degrees Celsius
    acetone|56 degrees Celsius; ammonia|-33 degrees Celsius; mercury|357 degrees Celsius
"""

MELTING_POINTS = """
    gold|1,064 degrees Celsius; silver|962 degrees Celsius; copper|1,085 degrees Celsius
    iron|1,538 degrees Celsius; aluminum|660 degrees Celsius; lead|327 degrees Celsius
    tin|232 degrees Celsius; tungsten|3,422 degrees Celsius
"""

SUN_DISTANCES = """
    Mercury|58 million km; Venus|108 million km; Earth|150 million km; Mars|228 million km
    Jupiter|778 million km; Saturn|1.4 billion km; Uranus|2.9 billion km; Neptune|4.5 billion km
"""

SCIENCE_VALUES = """
    distance from the Earth to the Moon|384,400 km; speed of light|299,792 km/s
    speed of sound in air|343 m/s; diameter of the Earth|12,742 km
    diameter of the Moon|3,474 km; diameter of Mars|6,779 km
    length of a year on Mars|687 days; length of a year on Mercury|88 days
    length of a year on Venus|225 days; surface temperature of the Sun|5,500 degrees Celsius
    age of the Earth|4.5 billion years; freezing point of seawater|-2 degrees Celsius
"""

BODY_COUNTS = """
    bones in an adult human|206; chromosomes in a human body cell|46
    teeth in a full adult human mouth|32; bones in a human hand|27; hearts in an octopus|three
    permanent teeth in a dog|42; neck bones in a giraffe|seven; planets in the solar system|eight
"""

HISTORY_YEARS = """
    the first Moon landing|1969; the fall of the Berlin Wall|1989; the sealing of Magna Carta|1215
    the first Atlantic voyage of Columbus|1492; the Battle of Hastings|1066
    the sinking of the Titanic|1912; the start of the French Revolution|1789
    the American Declaration of Independence|1776; the start of the First World War|1914
    the end of the Second World War|1945; the Great Fire of London|1666
    the Battle of Waterloo|1815; the first modern Olympic Games|1896
    the first powered airplane flight|1903; the first human spaceflight|1961
    the discovery of penicillin|1928; the completion of the Eiffel Tower|1889
    the opening of the Suez Canal|1869; the fall of Constantinople|1453
    the great eruption of Krakatoa|1883; the first arrival at the South Pole|1911
    the first telephone patent|1876; the great Lisbon earthquake|1755
    the Battle of Agincourt|1415; the defeat of the Spanish Armada|1588
    the Battle of Trafalgar|1805; the discovery of Pluto|1930; the discovery of Uranus|1781
    the discovery of Neptune|1846; the launch of the Hubble telescope|1990
    the launch of the first Sputnik|1957; the Chernobyl accident|1986
    the Peace of Westphalia|1648; the opening of the Golden Gate Bridge|1937
    the independence of Brazil|1822; the independence of India|1947
    the Alaska Purchase|1867; the voyage of the Mayflower|1620; the Meiji Restoration|1868
    the first ascent of Mount Everest|1953
"""

UNITS = """
    feet in a mile|5,280; yards in a mile|1,760; inches in a yard|36; inches in a foot|12
    centimeters in an inch|2.54; meters in a nautical mile|1,852; ounces in a pound|16
    grams in a pound|454; pounds in a stone|14; grams in an ounce|28.35; seconds in a day|86,400
    minutes in a day|1,440; hours in a week|168; minutes in a week|10,080; seconds in an hour|3,600
    days in a leap year|366; weeks in a year|52; degrees in a full circle|360; bits in a byte|eight
    teaspoons in a tablespoon|three; pints in a gallon|eight; liters in a US gallon|3.785
    milliliters in a US cup|237; square meters in a hectare|10,000; sheets in a ream of paper|500
    kilometers in a marathon|42.195; meters in a fathom|1.83; years in a millennium|1,000
"""

"""Cities for world clocks and forecasts, with their standard time (no daylight saving)."""

from dataclasses import dataclass

from distrl.devices.phone.content.tables.reader import records


@dataclass(frozen=True, slots=True)
class City:
    """A city of the real world."""

    name: str
    country: str
    utc_offset_minutes: int


_BY_OFFSET: dict[int, str] = {
    -600: "Honolulu|United States",
    -540: "Anchorage|United States",
    -480: "Seattle|United States; Vancouver|Canada; Tijuana|Mexico; San Diego|United States",
    -420: "Denver|United States; Phoenix|United States; Calgary|Canada",
    -360: """
        Chicago|United States; Mexico City|Mexico; Guatemala City|Guatemala; San Jose|Costa Rica
        Winnipeg|Canada; Houston|United States; Managua|Nicaragua; Guadalajara|Mexico
    """,
    -300: """
        Toronto|Canada; Boston|United States; Lima|Peru; Bogota|Colombia; Quito|Ecuador
        Kingston|Jamaica; Montreal|Canada; Atlanta|United States; Medellin|Colombia
    """,
    -240: "Caracas|Venezuela; La Paz|Bolivia; Halifax|Canada; Santo Domingo|Dominican Republic",
    -210: "St Johns|Canada",
    -180: """
        Buenos Aires|Argentina; Montevideo|Uruguay; Salvador|Brazil; Recife|Brazil
        Rosario|Argentina; Curitiba|Brazil
    """,
    0: """
        London|United Kingdom; Lisbon|Portugal; Dublin|Ireland; Reykjavik|Iceland; Accra|Ghana
        Dakar|Senegal; Edinburgh|United Kingdom; Porto|Portugal
    """,
    60: """
        Paris|France; Berlin|Germany; Madrid|Spain; Rome|Italy; Vienna|Austria; Oslo|Norway
        Stockholm|Sweden; Copenhagen|Denmark; Warsaw|Poland; Prague|Czech Republic
        Zurich|Switzerland; Budapest|Hungary; Lagos|Nigeria; Tunis|Tunisia; Brussels|Belgium
        Seville|Spain; Lyon|France; Hamburg|Germany; Krakow|Poland; Zagreb|Croatia
    """,
    120: """
        Athens|Greece; Helsinki|Finland; Cairo|Egypt; Cape Town|South Africa; Bucharest|Romania
        Sofia|Bulgaria; Riga|Latvia; Tallinn|Estonia; Harare|Zimbabwe; Beirut|Lebanon
        Alexandria|Egypt; Durban|South Africa
    """,
    180: """
        Istanbul|Turkey; Nairobi|Kenya; Riyadh|Saudi Arabia; Baghdad|Iraq; Addis Ababa|Ethiopia
        Doha|Qatar; Mombasa|Kenya; Antananarivo|Madagascar
    """,
    210: "Tehran|Iran",
    240: "Dubai|United Arab Emirates; Tbilisi|Georgia; Baku|Azerbaijan; Yerevan|Armenia",
    270: "Kabul|Afghanistan",
    300: "Karachi|Pakistan; Tashkent|Uzbekistan; Lahore|Pakistan; Male|Maldives",
    330: "Mumbai|India; Kolkata|India; Colombo|Sri Lanka; Chennai|India",
    345: "Kathmandu|Nepal",
    360: "Dhaka|Bangladesh; Thimphu|Bhutan",
    390: "Yangon|Myanmar",
    420: "Bangkok|Thailand; Hanoi|Vietnam; Jakarta|Indonesia; Phnom Penh|Cambodia",
    480: """
        Singapore|Singapore; Shanghai|China; Manila|Philippines; Perth|Australia
        Kuala Lumpur|Malaysia; Taipei|Taiwan; Chengdu|China; Cebu|Philippines
    """,
    540: "Tokyo|Japan; Seoul|South Korea; Osaka|Japan; Busan|South Korea; Sapporo|Japan",
    570: "Darwin|Australia; Adelaide|Australia",
    600: "Sydney|Australia; Brisbane|Australia; Port Moresby|Papua New Guinea; Hobart|Australia",
    660: "Noumea|New Caledonia",
    720: "Auckland|New Zealand; Suva|Fiji; Wellington|New Zealand",
    765: "Waitangi|New Zealand",
    780: "Apia|Samoa; Nukualofa|Tonga",
}

CITIES = tuple(
    City(name, country, offset)
    for offset, table in _BY_OFFSET.items()
    for name, country in records(table)
)

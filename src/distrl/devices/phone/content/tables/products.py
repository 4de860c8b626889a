"""Brands, product lines and prices by kind: `Brand: Line price, Line price`."""

GADGETS = {
    "headphones": """
        Norvik: Pulse 79.99, Aria 129.00, Hush 249.50
        Quellon: Cadence 59.95, Reverie 189.00, Nocturne 299.00
        Rumblit: Thump 34.99, Boombud 49.90, Subsonic 99.00
        Zephrane: Featherlight 69.00, Breezeway 109.95, Cirrus 219.00
        Ovandi: Murmur 24.99, Solace 89.50, Vesper 159.00
    """,
    "speaker": """
        Rumblit: Monolith 89.00, Earthquake 199.00, Pebblebox 29.95
        Norvik: Chorus 119.00, Anthem 249.00, Whisperbar 179.50
        Zephrane: Driftwood 59.90, Gale 139.00, Zest 39.99
        Brixolo: Cubix 45.00, Stackable 74.95, Totem 159.99
        Glimmora: Lanternsong 64.50, Glowtone 99.95, Halo 129.95
    """,
    "camera": """
        Pixandra: Obscura 649.00, Shutterwing 389.00, Panorama 899.00
        Lumivar: Daybreak 279.95, Twilight 459.00, Zenith 1299.00
        Orrinex: Witness 119.00, Fieldnote 229.50, Archive 749.00
        Grivello: Splash 149.95, Cliffside 199.00, Ridgecam 319.00
        Quellon: Vignette 99.50, Portraitist 549.00, Cinema 1099.00
    """,
    "laptop": """
        Compendra: Folio 749.00, Ledger 999.00, Magnum 1899.00
        Nuvolex: Stratus 649.95, Cumulus 879.00, Thunderhead 1649.00
        Vantrel: Swift 549.00, Meridian 1199.00, Apex 2199.00
        Halvex: Basecamp 399.00, Outpost 599.50, Citadel 1399.00
        Tessaro: Mosaic 829.00, Inlay 1049.95, Fresco 1549.00
    """,
    "mouse": """
        Brixolo: Nibble 12.95, Glider 24.50, Clickstone 39.00
        Compendra: Pivot 19.99, Vertica 44.95, Courier 29.00
        Kelbright: Firefly 34.99, Comet 54.00, Blaze 69.95
        Norvik: Cobble 15.90, Skate 27.95, Hover 49.00
        Orrinex: Tracer 9.99, Lynx 59.50, Quickstep 79.00
    """,
    "keyboard": """
        Brixolo: Clack 49.00, Terrace 79.95, Keystone 129.00
        Kelbright: Aurora 89.00, Spectrum 119.50, Prism 149.00
        Nuvolex: Slimline 39.95, Cloudkey 59.00, Ripple 69.90
        Orrinex: Scribe 29.99, Typist 54.50, Manuscript 99.00
        Tessaro: Tactile 74.00, Marquetry 169.00, Parquet 109.95
    """,
    "monitor": """
        Pixandra: Vista 229.00, Canvas 349.00, Diorama 599.00
        Compendra: Bulletin 149.95, Billboard 279.00, Broadsheet 449.00
        Kelbright: Radiant 189.00, Brilliance 399.50, Supernova 799.00
        Halvex: Bastion 169.00, Parapet 259.00, Rampart 499.00
        Lumivar: Clarity 199.95, Horizon 319.00, Firmament 949.00
    """,
    "tablet": """
        Nuvolex: Nimbus 299.00, Skysheet 429.00, Vapor 569.00
        Lumivar: Slate 189.95, Glasspane 359.00, Lightbox 499.00
        Ovandi: Leaflet 129.00, Notepaper 219.50, Parchment 279.00
        Pixandra: Sketchpad 389.00, Easel 649.00, Palette 529.95
        Tessaro: Tileboard 159.00, Ceramica 459.00, Vitrail 729.00
    """,
    "phone": """
        Quellon: Sonata 599.00, Minuet 349.00, Rondo 249.00
        Vantrel: Bolt 799.00, Longbow 499.00, Quiver 299.50
        Ovandi: Chirp 129.00, Warble 199.00, Songbird 399.00
        Halvex: Sentry 449.00, Guardian 699.00, Paladin 949.00
        Lumivar: Glint 219.95, Shimmer 549.00, Dazzle 1049.00
    """,
    "watch": """
        Zephrane: Weathercock 149.00, Windrose 229.00, Monsoon 319.00
        Stridara: Pacer 99.95, Lapcount 129.00, Endurance 279.00
        Vantrel: Chronos 199.00, Tempo 169.50, Perpetua 449.00
        Castrelle: Soiree 189.00, Bracelet 259.95, Heirloom 599.00
        Halvex: Patrol 79.00, Vigil 109.00, Ironclad 349.00
    """,
    "charger": """
        Voltarrow: Skyfork 29.95, Dart 19.00, Trident 44.50
        Amperly: Pocketwatt 14.99, Cubelet 24.95, Octoport 59.00
        Kelbright: Beacon 34.00, Ember 17.95, Flint 27.50
        Ovandi: Puddle 21.99, Lilypad 39.00, Ambrosia 12.50
        Orrinex: Conduit 9.95, Manifold 49.90, Junction 32.00
    """,
    "battery": """
        Voltarrow: Endless 11.95, Stamina 15.50, Marathon 22.00
        Amperly: Workaday 8.99, Reserve 13.00, Stockpile 27.95
        Draxten: Workhorse 49.00, Powerpack 64.50, Dynamo 89.00
        Norvik: Spare 6.95, Backup 18.90, Lifeline 34.00
        Ironquay: Dockside 39.95, Tugboat 54.00, Freighter 99.50
    """,
}

WEARABLES = {
    "shoe": """
        Stridara: Tempest 89.95, Cheetahstep 119.00, Roadrunner 74.50
        Fjalden: Glacier 139.00, Tundra 159.00, Fjordwalk 99.00
        Marlisk: Boulevard 69.00, Promenade 84.95, Esplanade 109.00
        Peltraz: Striker 59.95, Sideline 49.00, Hattrick 94.50
        Solvane: Espadrille 39.90, Dunes 54.95, Siesta 44.00
    """,
    "shirt": """
        Threnby: Oxfordian 39.00, Flannelette 44.95, Chambray 49.50
        Yarrowen: Meadowlark 29.00, Clover 24.95, Buttercup 27.50
        Castrelle: Opaline 59.00, Satinette 69.95, Moonstone 79.00
        Wexmoor: Heathered 34.00, Moorland 37.95, Tweedle 54.00
        Marlisk: Riviera 32.50, Marina 42.00, Regatta 47.90
    """,
    "jacket": """
        Fjalden: Icefall 249.00, Nordlys 199.00, Snowdrift 179.50
        Wexmoor: Drizzle 89.00, Downpour 119.00, Gamekeeper 159.00
        Boulderix: Summiteer 229.95, Belay 139.00, Crevasse 289.00
        Threnby: Cordwain 99.50, Varsity 109.00, Peacoat 149.00
        Solvane: Sunbreak 69.00, Cabana 59.95, Zephyrine 79.95
    """,
    "hat": """
        Yarrowen: Daisychain 19.95, Thistledown 24.00, Hayfield 29.50
        Pindlemere: Fedorable 39.00, Bowlerette 44.95, Cloche 34.50
        Bramblesy: Pompom 14.90, Earflap 17.95, Bobble 12.50
        Castrelle: Matinee 54.00, Chapeau 59.95, Veiled 49.00
        Wildferne: Canopy 27.00, Mosquito 32.95, Brimstone 22.50
    """,
    "backpack": """
        Boulderix: Carabiner 129.00, Ropebag 99.95, Haulage 159.00
        Wildferne: Bracken 79.00, Undergrowth 89.50, Sapling 49.00
        Pindlemere: Satchelor 64.95, Commuter 74.00, Scholar 54.50
        Peltraz: Kitbag 34.95, Dugout 39.00, Benchmark 44.50
        Fjalden: Trekker 149.00, Cairn 119.00, Odyssey 199.00
    """,
}

HOUSEHOLD = {
    "mug": """
        Mugwen: Dawn 9.95, Cozycup 12.50, Doublewall 18.00
        Ladlewick: Stoneware 14.00, Tavern 16.95, Bistro 11.50
        Hobbrook: Cottage 8.50, Fireside 13.95, Inglenook 15.50
        Ossenby: Fika 17.00, Lagom 19.95, Birchbark 22.00
        Zinniva: Petal 10.95, Bouquet 12.95, Trellis 20.50
    """,
    "bottle": """
        Zinniva: Dewdrop 15.95, Springwater 21.00, Cascade 27.50
        Stridara: Hydro 12.95, Refill 9.50, Sprinter 17.90
        Mugwen: Vacuflask 24.95, Steamer 29.00, Coldbrew 32.50
        Wildferne: Rivulet 18.50, Canteen 22.95, Wellspring 34.00
        Peltraz: Squeeze 7.95, Halftime 11.00, Timeout 14.50
    """,
    "lamp": """
        Glimmora: Candela 49.00, Lustre 79.95, Chandelle 149.00
        Crofthane: Bedpost 34.50, Hearthlight 59.00, Gooseneck 44.95
        Ossenby: Midsummer 69.00, Polaris 89.50, Skerry 119.00
        Lumivar: Photon 39.95, Coronet 64.00, Eclipse 99.00
        Hobbrook: Porchlight 27.95, Lampwick 24.50, Nightcap 19.95
    """,
    "chair": """
        Crofthane: Rocker 189.00, Windsor 149.00, Settle 229.00
        Hobbrook: Milkstool 39.95, Rushseat 89.00, Spindle 119.50
        Ossenby: Sling 99.00, Recliner 349.00, Archipelago 269.00
        Zinniva: Bloom 129.00, Tulipa 159.95, Orchid 199.00
        Tarnwell: Taskmaster 249.00, Lumbar 299.00, Executive 449.00
    """,
    "vacuum": """
        Whirlano: Cyclone 249.00, Vortex 329.00, Dustdevil 129.95
        Crofthane: Broomstick 89.00, Sweepwell 149.00, Housemaid 179.00
        Draxten: Shopvac 119.00, Gulper 199.50, Hopper 159.00
        Glimmora: Sparkle 219.00, Gleam 279.00, Pristine 399.00
        Vantrel: Rover 299.00, Wayfinder 449.00, Autopilot 599.00
    """,
    "pan": """
        Ladlewick: Sizzle 29.95, Skillet 39.00, Sautoir 59.50
        Kettlemy: Flapjack 19.95, Crepe 24.50, Omelette 22.00
        Hobbrook: Farmhouse 34.00, Drippings 27.50, Griddle 44.95
        Ironquay: Anchor 49.00, Forecastle 64.00, Galley 54.95
        Crofthane: Copperbelle 89.00, Tinlined 79.50, Chatelaine 119.00
    """,
    "knife": """
        Ladlewick: Paring 14.95, Julienne 24.00, Santoku 49.00
        Ironquay: Fillet 34.50, Bosun 29.00, Cutlass 59.95
        Kettlemy: Breadsaw 19.50, Peeler 9.95, Mincer 22.50
        Tarnwell: Damask 129.00, Honed 89.00, Sabatine 74.50
        Boulderix: Pocketblade 39.00, Whittler 27.95, Bushcraft 64.00
    """,
    "blender": """
        Kettlemy: Smoothie 39.95, Puree 54.50, Frappe 69.00
        Whirlano: Tornado 99.00, Maelstrom 149.00, Eddy 49.00
        Zinniva: Nectarine 59.95, Mangolia 79.00, Papaya 64.95
        Brixolo: Crusher 89.00, Pulverizer 119.50, Icebreaker 139.00
        Mugwen: Frother 24.95, Shaker 19.00, Milkyway 34.50
    """,
    "drill": """
        Draxten: Ironhand 129.00, Brawler 159.00, Sledge 199.00
        Torqueley: Auger 89.95, Spindrift 69.00, Gearbox 119.00
        Ironquay: Rivet 99.00, Shipwright 149.50, Drydock 179.00
        Whirlano: Twister 59.00, Corkscrew 49.95, Gyro 79.50
        Voltarrow: Sparkplug 109.00, Overdrive 139.00, Javelin 39.95
    """,
}

LEISURE = {
    "book": """
        Pellwright: Saltmarsh Atlas 18.95, Clockmaker 12.50, Foxglove Letters 14.00
        Inkhollow: Lighthouse Riddle 9.95, Midnight Ferry 11.50, Paper Kingdom 13.95
        Quaymoor: Harbor Cooking 24.00, Tidal Gardens 21.50, Driftmaps 16.95
        Tarnwell: Spreadsheet Wizardry 29.00, Calm Management 27.50, Algorithms Illustrated 34.95
        Jollifex: Sleepy Walrus 7.95, Counting Owls 8.50, Pirate Soup 10.95
    """,
    "toy": """
        Tumbleroo: Rocketeer 19.95, Hopscotch 14.50, Kangaboo 24.00
        Wobblekin: Stacker 12.95, Roundabout 29.50, Teetertop 17.00
        Jollifex: Jester 9.95, Marionette 34.00, Kazoo 6.50
        Inkhollow: Dinodig 22.95, Spyglass 15.95, Treasurebox 39.00
        Bramblesy: Bunnykins 18.50, Hedgehug 21.00, Snugglebear 27.95
    """,
    "ball": """
        Peltraz: Volley 19.95, Matchday 29.00, Champion 44.50
        Grivello: Cannonade 24.95, Meteorite 34.00, Ricochet 17.50
        Stridara: Bounce 12.95, Rebound 15.00, Slamdunk 27.95
        Wobblekin: Squishy 7.95, Jellyfish 9.50, Zigzag 11.00
        Tumbleroo: Rolypoly 8.95, Bumble 6.50, Skittle 14.50
    """,
    "tent": """
        Wildferne: Fernhollow 149.00, Treeshade 199.00, Mossbed 129.50
        Boulderix: Bivouac 249.00, Stormhold 349.00, Highcamp 429.00
        Fjalden: Igloo 299.00, Longhouse 549.00, Lavvu 399.00
        Grivello: Popover 79.95, Quickpitch 109.00, Shadecove 59.00
        Pindlemere: Glampette 329.00, Gazebo 279.00, Pavilion 479.00
    """,
}

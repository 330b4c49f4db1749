extension SampleWords {
  static let lists = [foodLists, placeLists, wordLists]

  private static let foodLists = """
    soup: lentil soup|leek and potato soup|tomato soup|pea soup|carrot soup with too much ginger|miso soup|fish soup|mushroom soup|parsnip soup|chickpea soup|minestrone|bean soup|beetroot soup|kale soup|goulash soup|pumpkin soup|cauliflower soup|onion soup|potato soup with dill|red lentil soup
    dish: mushroom risotto|fish pie|spinach dumplings|a lentil bake|pasta with broad beans|potato pancakes|aubergine stew|fried plaice|a leek tart|stuffed peppers|noodles with peanut sauce|shepherd's pie|an onion tart|egg curry|baked fennel|mussels|gnocchi|bean chilli|a cauliflower cheese|ratatouille|fishcakes|cabbage rolls|dal and rice|spaghetti with sardines|roast squash|okonomiyaki|a big salad with halloumi|green curry|barley with mushrooms|spätzle
    lunch: a cheese roll|a herring roll|the falafel plate|rice and leftovers|the salad bar|a jacket potato|sushi from the station|the daily special, which was cabbage|noodles from the corner|a tuna sandwich|the canteen lasagne|yesterday's curry|dumplings|an omelette|a bowl of ramen|the fish counter's chowder|quiche|couscous salad
    cake: apple cake|plum cake|carrot cake|poppy-seed cake|lemon drizzle|rhubarb crumble cake|cheesecake|marble cake|almond cake|gooseberry cake|bee-sting cake|orange polenta cake|pear tart|cinnamon buns|ginger cake|hazelnut cake|parkin|redcurrant cake
    breakfast: porridge|eggs and soldiers|rolls from the corner bakery|pancakes|toast and the good marmalade|muesli|rye bread and cheese|French toast|kippers|scrambled eggs
    springveg: radishes|asparagus|rhubarb|new potatoes|spinach
    summerveg: broad beans|courgettes|cherries|tomatoes|gooseberries|chard
    autumnveg: plums|pumpkins|mushrooms|apples|quinces|beetroot
    winterveg: leeks|kale|celeriac|parsnips|sprouts|red cabbage
    drink: a beer|a glass of Riesling|tea|two small beers|cider|a ginger ale|hot chocolate|mint tea|a rhubarb spritzer|red wine
    gift: a book about knots|a good knife|a bottle of sloe gin|a jar of honey|a teapot|a scarf in the wrong green|a print of the harbour|theatre tickets|a bread tin|seeds and a trowel|woollen socks|a radio
    """

  private static let placeLists = """
    cafe= Café Kolk;53.5571;9.9312|the Blue Tile;53.5612;9.9587|Café Halbmond;53.5535;9.9448|the Reading Room café;53.5688;9.9797|Kaffeestube Nordlicht;53.5749;9.9651|Café Ziegel;53.5519;9.9203|the bakery with two tables;53.5605;9.9661|Café Morgenrot;53.5841;9.9895|Teestube Sieveking;53.5628;10.0121|Café Lotsenhaus;53.5442;9.9481|the Milk Bar;53.5577;9.9634|Café Anker;53.5469;9.9662
    restaurant= Osteria Zwo;53.5546;9.9302|Zum Krummen Hecht;53.5433;9.9345|Taverna Myrto;53.5581;9.9628|the Persian place with the fish tank;53.5659;9.9702|Kantine Rot;53.5512;9.9391|Little Saigon Kitchen;53.5534;9.9589|Gasthaus Elbblick;53.5448;9.9074|Izakaya Momo;53.5582;9.9875|the Georgian cellar;53.5602;9.9521|Bistro Paulette;53.5713;9.9869|Meze Haus;53.5563;9.9273|the noodle bar by the station;53.5528;10.0066|Alte Schmiede;53.5796;9.9561
    pub= the Heron;53.5558;9.9573|Zur Schleuse;53.5463;9.9807|the Crooked Mast;53.5489;9.9579|Bar Zentral;53.5621;9.9679|Kleine Freiheit Eck;53.5530;9.9540|the pub with the dog;53.5672;9.9583
    park= the city park;53.5967;10.0199|the botanical garden;53.5613;9.9819|the Elbe path;53.5436;9.9057|the canal;53.5781;9.9989|the Volkspark;53.5869;9.8987|the old cemetery park;53.6263;10.0561|the Alster;53.5705;10.0052|the dyke at Wedel;53.5713;9.7047|the heath;53.1677;9.9393|the harbour steps;53.5455;9.9683
    culture= the photography museum;53.5465;10.0068|the small concert hall;53.5501;9.9852|the ferry museum;53.5432;9.9900|the art school's open studios;53.5689;10.0318|the puppet theatre;53.5573;9.9669|the planetarium;53.5972;10.0093|the cinema museum;53.5542;10.0010|the church of St Johannis;53.5553;9.9376|the lecture hall behind the library;53.5668;9.9836|the old fish hall;53.5445;9.9496
    cinema= the Atlas;53.5562;9.9646|the Little Orion;53.5524;9.9347|the Metropol;53.5571;9.9882|the cinema in the old tram depot;53.5846;9.9927
    shop= the market;53.5559;9.9318|the Thursday market;53.5806;9.9755
    offices= the office;53.5436;9.9889
    clinic= the practice;53.5587;9.9516
    plotplace= the allotment;53.5932;9.9366
    choirroom= the parish hall;53.5544;9.9389
    schoolroom= the evening school;53.5605;9.9881
    potteryroom= the pottery;53.5649;9.9472
    boathouse= the boathouse;53.5731;10.0079
    theworkshop= the workshop;53.5541;9.9256
    """

  private static let wordLists = """
    bookowner: Lighthouse Keeper|Clockmaker|Midwife|Cartographer|Piano Tuner|Bee Keeper|Translator|Ferryman|Gardener|Glassblower|Weather Man|Archivist|Salt Merchant|Organist|Lock Keeper|Innkeeper
    booknoun: Ledger|Salt|Winter|Apprentice|Garden|Silence|Harbour|Letters|Inheritance|Tide|Orchard|Map|Daughter|Bridge|Snow|Paper|Weather|House|Border|Lantern|Bread|Stairs
    bookadjective: A Borrowed|The Last|Another|The Second|An Ordinary|The Patient|A Reasonable|The Missing|The Long|A Foreign
    bookplace: Marsh End|the Customs House|Low Water|Saint Olave|Number Nine|the North Quay|Half Past Six|the End of the Line|Kirkwall|the Frozen Lake
    authorfirst: M.|Ruth|Elias|Hanne|J. T.|Oona|Carlo|Ines|Bernard|Yumi|Agatha|Leo|Sunniva|Ivor
    authorlast: Haddow|Lindqvist|Marchbanks|Okonjo|Terrell|Vasari|Brandvold|Castellane|Nakagawa|Pell|Farthing|Oyelaran|Strand|Winterbourne|Delacroix-Hume|Kask
    filmcountry: Danish|French|Iranian|Icelandic|Korean|Polish|Spanish|Finnish|Japanese|Scottish|Romanian|Argentine|black-and-white|slow|silent|Norwegian
    filmtopic: a lighthouse auction|two brothers and a lorry|an orchestra that loses its conductor|a village without a doctor|a retired bank robber|the last lift attendant|a wedding that goes on for three days|a chess club|a sheep farmer's divorce|a woman who repairs radios|a bus that never arrives|a translator who lies|the winter of a small hotel|a boy and a crane|a missing cello|a school in the mountains
    showtopic: lighthouses|old maps of the harbour|women who photographed factories|Japanese woodcuts|the history of the bicycle|forged paintings|the herring trade|shop signs|polar expeditions|children's drawings from 1910|paper boats|ship's cats|concrete churches|moths
    fault: the washing machine|the hall light|the kitchen tap|the bathroom door|the letter box|the bicycle pump|the toaster|the blind in the bedroom|the sewing machine|the radiator in the hall|the doorbell|the drain|the kitchen drawer
    plant: tomatoes|beans|sweet peas|onions|potatoes|garlic|courgettes|peas|strawberries|spinach|dill|marigolds
    errand: the post office|the pharmacy|the dry cleaner|the hardware shop|the shoe repair|the library|the bank|the optician|the parcel shop|the recycling centre|the stationer|the key cutter
    chore: ironing|the windows|the oven|the bathroom|laundry|the wardrobe|the cellar|the fridge|the bookshelves|the bedding|the bicycle chain|the kitchen drawers
    paper: the tax return|the electricity bill|the pension letter|the insurance form|the dentist's bill|the rent statement|the bank transfer nobody could explain|the passport form|the health insurer's letter|the parking fine
    song: the Schütz motet|the Brahms|the Fauré|the Swedish evening hymn|the Monteverdi|the sea shanty|the Purcell|the Bach chorale|the Estonian piece|the Rheinberger|the Vaughan Williams
    grammar: counters for flat things|the past tense|polite verbs|the te-form|days of the month|adjectives that behave like verbs|asking the way|giving and receiving|the passive|weather words
    kanji: 電車|雨|時間|図書館|日本語テキスト|港|約束|猫|山|勉強|船|手紙
    itgrammar: the subjunctive|pronouns that pile up|the remote past|prepositions|irregular plurals|the conditional|reflexive verbs|the imperfect|object pronouns
    subject: her mother's knees|the new flat upstairs|the election|school places|a job in Bremen|her sister's wedding|cheese|the price of rent|old boyfriends|whether to get a dog|money|night shifts|the end of summer|what we wanted to be at ten
    mumtopic: the roof|the church fête|Dad's boat|the neighbours' extension|the library's closing hours|her knee|the new vicar|the garden|Tom's hours|the bus service|a funeral I should have remembered|the freezer|the lifeboat collection|jam
    dadtopic: the boat|varnish|the harbour wall|cricket|his shed|the tide|the neighbours' drains|a cousin in Hull|the price of oak|the lifeboat|the weather in both places
    mend: work shirt|winter coat|pillowcase|glove|dressing gown|rucksack|pair of jeans|curtain
    cattheft: a sock|a clothes peg|a chop bone|half a glove|a sponge|a ribbon|a tea towel|a slice of ham|a shoelace|a toy mouse
    catplace: the linen cupboard|the sink|the bread basket|the fruit bowl|the log basket|the suitcase|the lampshade|the laundry bag|the oven drawer|the bottom shelf|my good hat
    officefind: a single roller skate|a trumpet mute|a jar of gherkins|a child's raincoat|a chess board|a garden gnome|a left boot|a ukulele|a box of ferry whistles|an unposted love letter
    officefault: coffee machine|lift|printer|shredder|door code|dishwasher|projector|air conditioning|telephone system|drinks fridge
    stranger: man on the number 15|woman in the bakery|boy at the lights|old couple on the ground floor|bus driver|postman|lady with the two pugs|caretaker|student with the tuba
    overheard: "I don't do Tuesdays."|"He's not lost, he's Danish."|"That's not a cake, that's a decision."|"You can't return a fish."|"It was love, but the wrong platform."|"My mother would have liked that bin."|"I've been forty since I was twelve."|"The boat knows."|"Never trust a quiet child with a spoon."|"It's only rain, it isn't personal."|"She left him for a beekeeper, and who can blame her."|"I was early once."
    noise: the ships|the rain in the gutter|somebody practising scales|the last train|a party two houses on|the fridge|an owl, or a moped|the neighbours' television|the church clock
    worry: the rent|Dad on ladders|my eyes|the crack in the ceiling|the bank letter|whether I'm any good at this|time|the noise in the wall|Mum alone on those stairs
    handwork: the blue jumper|the sleeve|the sock|the collar|the hat for Maisie|the cardigan
    tune: the radio|an old soul record|the cello suites|a podcast about eels|the football|a play on the radio|the news, unfortunately|a lecture about glaciers
    game: rummy|chess|the ferry game|the word game in two languages|dominoes|the card game nobody can explain|backgammon
    jonaswork: an oak table|a set of six chairs|a staircase for a dentist|a bookcase|a bed frame|a kitchen in ash|a cradle|a bench for a church|a counter for a baker|a walnut desk|a door|a chest of drawers
    wish: a dishwasher that opens fully|a longer weekend|a second pair of decent boots|an afternoon without a screen|a cellar with a window
    bird: a heron|two swans|a kingfisher|a woodpecker|a flock of siskins|cormorants|the first swifts|a buzzard|a robin|geese, going over
    """
}

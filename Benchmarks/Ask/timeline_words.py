"""The people, dishes, towns and pastimes that make_timeline.py makes sentences of."""

import datetime as dt

FRIENDS = ["Ines", "Tobias", "Rukmini", "Callum", "Zofia", "Emeka", "Harriet", "Dmitri"]
FAMILY = ["Orla", "Fintan", "Mum", "Dad"]
KIDS = ["Bridie", "Luca"]
TALKERS = {"Ines": 9, "Tobias": 5, "Rukmini": 6, "Callum": 4, "Zofia": 7, "Emeka": 3, "Harriet": 5, "Dmitri": 2, "Orla": 9, "Fintan": 3, "Mum": 7, "Dad": 4}
CALLED = {"Orla": ["Orla", "my sister Orla", "my sister"], "Fintan": ["Fintan", "my brother Fintan"], "Bridie": ["Bridie", "my daughter Bridie"], "Luca": ["Luca", "my son Luca"]}

BREAKFAST = ["porridge", "pancakes", "scrambled eggs", "muesli", "croissants", "yoghurt with berries", "a cheese omelette", "toast with marmalade"]
MAINS = ["lentil soup", "fish tacos", "mushroom risotto", "ramen", "a chicken sandwich", "pad thai", "a Caesar salad", "bibimbap", "carbonara", "falafel",
         "shepherd's pie", "vegetable curry", "sushi", "pizza", "leek soup", "beef stew"]
COOKED = ["moussaka", "chicken paprikash", "gumbo", "dal makhani", "stuffed peppers", "goulash", "gnocchi", "paella"]
BAKED = ["carrot cake", "soda bread", "brownies", "plum crumble", "cinnamon rolls", "lemon drizzle cake", "scones", "cheesecake"]
TOPICS = ["the kitchen", "old times", "work", "the neighbours", "politics", "the garden wall", "films", "money", "this and that", "the school play"]
READ = {"the news": 6, "a novel": 7, "poetry": 2, "a magazine": 3, "comics": 2, "social media": 4, "a cookbook": 1}
WATCHED = {"a documentary": 5, "the football": 3, "a cooking show": 3, "the news": 4, "a crime series": 6, "cartoons": 2, "a comedy": 4}
HOBBIES = {"gardening": 6, "pottery": 4, "board games": 5, "knitting": 4, "chess": 3, "the accordion": 5, "learning Polish": 3, "birdwatching": 2, "sketching": 3}
SPORTS = {"run": 8, "swim": 4, "tennis": 4, "cycle": 5, "yoga": 5, "weights": 3, "row": 2, "badminton": 3, "hike": 2}
FRUITS = ["apples", "pears", "bananas", "grapes", "mangoes", "plums", "oranges"]
DRINKS = ["milk", "oat milk", "orange juice", "sparkling water", "ginger beer", "green tea"]
TOILETRIES = ["toothpaste", "shampoo", "soap", "face wash", "sun cream", "razors"]
SHOPS = ["the Aldi", "the English Market", "SuperValu", "the corner shop"]
DATE_PLACES = ["the botanic garden", "a noodle bar", "the ice rink", "a wine bar", "the arthouse cinema", "a coffee shop"]
PET_CARE = ["a vaccination", "a grooming", "a nail trim", "a dental cleaning", "a flea treatment"]
CHECKUPS = {"eye test": ["the optician's on Patrick Street", "Lee Opticians"], "dental check-up": ["the Mardyke dental practice", "the dentist's on South Mall"],
            "physical": ["the health centre", "the Lee clinic"], "flu jab": ["the pharmacy", "the health centre"]}

ACTIONS = ["took far too many photographs", "drew it in my notebook", "bought a postcard there", "joined a guided tour", "sat outside for an hour", "watched the street musicians"]
FEELINGS = ["peaceful", "excited", "tired", "happy", "overwhelmed", "curious"]

# Town: time zone, sights, places to eat, dishes.
TOWNS = {
    "Lisbon": ("Europe/Lisbon", ["the castle of São Jorge", "the Belém tower", "the tile museum", "the Alfama", "the Carmo convent", "the oceanarium"],
               ["Tasca da Lua", "the Ribeira market", "O Pescador"], ["grilled sardines", "bacalhau", "custard tarts", "caldo verde", "octopus rice"]),
    "Kraków": ("Europe/Warsaw", ["Wawel castle", "the Cloth Hall", "the salt mine", "Kazimierz", "the Schindler factory"],
               ["Bar Mleczny", "Pod Smokiem", "the Jordan café"], ["pierogi", "żurek", "bigos", "potato pancakes", "poppy seed cake"]),
    "Edinburgh": ("Europe/London", ["Edinburgh castle", "Arthur's Seat", "the Royal Mile", "the camera obscura"],
                  ["The Thistle", "Mary's Milk Bar", "the Leith chippy"], ["haggis", "fish and chips", "cullen skink", "cranachan"]),
    "Vienna": ("Europe/Vienna", ["Schönbrunn palace", "the Prater", "the Belvedere", "St Stephen's cathedral", "the Naschmarkt", "the natural history museum"],
               ["Café Goldregen", "Gasthaus Zur Linde", "the Würstelstand"], ["schnitzel", "Sachertorte", "goulash soup", "apple strudel", "Kaiserschmarrn"]),
    "Kyoto": ("Asia/Tokyo", ["Nijo castle", "the Golden Pavilion", "the bamboo grove", "the Fushimi shrine", "Nishiki market", "the Philosopher's Path", "the moss temple"],
              ["Menya Sora", "Kissa Ren", "the Pontocho izakaya"], ["tempura", "okonomiyaki", "soba", "matcha ice cream", "yudofu", "takoyaki"]),
    "Galway": ("Europe/Dublin", ["the Spanish Arch", "the aquarium", "Menlo castle", "the Salthill promenade"],
               ["McGinn's", "the oyster shed", "Nimmo's"], ["oysters", "seafood chowder", "fish and chips", "apple pie"]),
    "Porto": ("Europe/Lisbon", ["the Lello bookshop", "the Clérigos tower", "the port cellars", "São Bento station", "the crystal palace gardens"],
              ["Casa Aleixo", "O Buraco", "the Bolhão market"], ["francesinha", "tripe", "custard tarts", "grilled sardines"]),
    "Split": ("Europe/Zagreb", ["Diocletian's palace", "the Klis fortress", "Marjan hill", "Bačvice beach", "the fish market", "the island of Brač", "the gallery of fine arts"],
              ["Konoba Fife", "Buffet Marul", "the harbour grill"], ["black risotto", "grilled squid", "pašticada", "burek", "cuttlefish stew"]),
}

# First day, days away, town, company.
TRIPS = [
    (dt.date(2021, 5, 8), 6, "Lisbon", ["Ines"]), (dt.date(2021, 9, 18), 5, "Kraków", []),
    (dt.date(2022, 2, 11), 4, "Edinburgh", ["Paulo"]), (dt.date(2022, 6, 14), 7, "Lisbon", ["Bridie", "Luca"]), (dt.date(2022, 10, 1), 9, "Vienna", ["Paulo"]),
    (dt.date(2023, 4, 2), 12, "Kyoto", ["Paulo"]), (dt.date(2023, 7, 15), 5, "Galway", ["Bridie", "Luca"]), (dt.date(2023, 11, 4), 4, "Porto", []),
    (dt.date(2024, 3, 9), 5, "Vienna", ["Harriet"]), (dt.date(2024, 8, 3), 10, "Split", ["Paulo", "Bridie", "Luca"]), (dt.date(2024, 10, 17), 4, "Lisbon", ["Tobias", "Zofia"]),
]

# Things that happen once: day, zone, tags, sentence, event.
MILESTONES = [
    (dt.date(1989, 3, 14), "Europe/Dublin", ["life"], "I was born in Sligo to Nuala and Declan Carrick", {"do": "born", "who": ["Nuala Carrick", "Declan Carrick"], "city": "Sligo", "child": "me"}),
    (dt.date(2007, 9, 3), "Europe/Dublin", ["move"], "Moved to Galway to study geography at the university there; Mum and Fintan helped me with the move", {"do": "move", "why": "study", "city": "Galway", "who": ["Mum", "Fintan"]}),
    (dt.date(2011, 6, 17), "Europe/Dublin", ["study"], "Graduated from the University of Galway after nearly four years of studying", {"do": "graduate", "what": "the University of Galway"}),
    (dt.date(2011, 9, 10), "Europe/London", ["move"], "I moved to Edinburgh to start my master's at Heriot-Watt, all by myself", {"do": "move", "why": "study", "city": "Edinburgh", "who": []}),
    (dt.date(2012, 11, 9), "Europe/London", ["study"], "Finished my master's at Heriot-Watt", {"do": "graduate", "what": "Heriot-Watt"}),
    (dt.date(2013, 1, 21), "Europe/London", ["move"], "On 21 January 2013 I moved to Bristol by train to start a new job", {"do": "move", "why": "job", "city": "Bristol", "who": []}),
    (dt.date(2014, 8, 23), "Europe/London", ["wedding"], "Gareth and I got married in the orangery at Ashton Court", {"do": "marry", "who": ["Gareth"], "place": "the orangery at Ashton Court"}),
    (dt.date(2015, 12, 2), "Europe/London", ["life"], "Our daughter Bridie was born in Bristol", {"do": "born", "child": "Bridie", "who": ["Bridie"], "city": "Bristol"}),
    (dt.date(2018, 4, 27), "Europe/London", ["life"], "Our son Luca was born in Bristol", {"do": "born", "child": "Luca", "who": ["Luca"], "city": "Bristol"}),
    (dt.date(2019, 10, 5), "Europe/London", ["life"], "Gareth and I signed the divorce papers", {"do": "divorce", "who": ["Gareth"]}),
    (dt.date(2020, 1, 13), "Europe/Dublin", ["move"], "Moved to Cork with Bridie and Luca because of a new job", {"do": "move", "why": "job", "city": "Cork", "who": ["Bridie", "Luca"]}),
    (dt.date(2021, 8, 21), "Europe/Dublin", ["life"], "Pickle the dog came to live with us", {"do": "pet arrives", "who": []}),
    (dt.date(2022, 9, 24), "Europe/Dublin", ["wedding"], "Married Paulo on the pier in Kinsale, with everybody we love around us", {"do": "marry", "who": ["Paulo"], "place": "the pier in Kinsale"}),
    (dt.date(2023, 2, 18), "Europe/Dublin", ["move"], "Moved to Kinsale with Paulo, Bridie and Luca to live by the sea", {"do": "move", "why": "sea", "city": "Kinsale", "who": ["Paulo", "Bridie", "Luca"]}),
    (dt.date(2024, 5, 31), "Europe/Dublin", ["life"], "Passed my driving test at the third attempt", {"do": "driving test", "who": []}),
]

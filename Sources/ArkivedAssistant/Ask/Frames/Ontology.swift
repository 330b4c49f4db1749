import Foundation

/// Everyday things with the kinds they belong to: a soup is food, chess is a game.
///
/// This is a plain list of common words; for anything else, the words themselves are compared.
package enum Ontology {
  /// Returns the members of a kind, as keys: those of "cake" for the key of "cakes"; empty if it
  /// isn't a kind.
  package static func members(of key: String) -> Set<String> { kinds[key] ?? [] }

  /// Returns true if a kind has members that a text may name instead of it.
  package static func isKind(_ key: String) -> Bool { kinds[key] != nil }

  /// Returns the names of a kind, as keys: "exercise" and "workout" for the key of "sport".
  package static func names(of key: String) -> Set<String> { siblings[key] ?? [] }

  private static let siblings: [String: Set<String>] = {
    var result: [String: Set<String>] = [:]
    for line in lists.split(separator: "\n") {
      let names = Set(
        (line.split(separator: ":").first ?? "").split(separator: ",").map {
          Lemma.key(String($0))
        })
      for name in names { result[name, default: []].formUnion(names) }
    }
    return result
  }()

  /// Returns true if members of a kind have two-word names, which texts write as separate words:
  /// "face wash".
  package static func hasNames(_ key: String) -> Bool { named.contains(key) }

  private static let named: Set<String> = {
    var result: Set<String> = []
    for line in lists.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[1].split(separator: " ").count(where: { $0.contains("-") }) > 2
      else { continue }
      result.formUnion(parts[0].split(separator: ",").map { Lemma.key(String($0)) })
    }
    return result
  }()

  /// Returns true if any kind has this member.
  package static func knows(_ key: String) -> Bool { everything.contains(key) }

  /// Returns a member's word as listed: "cycle" for the key of "cycled".
  package static func word(for key: String) -> String {
    let group = Synonyms.exact(key).union([key]).sorted().last { words[$0] != nil }
    return group.flatMap { words[$0] } ?? key
  }

  private static let words: [String: String] = {
    var result: [String: String] = [:]
    for line in lists.split(separator: "\n") {
      for word in (line.split(separator: ":").last ?? "").split(separator: " ") {
        let key = Lemma.key(String(word))
        if result[key] == nil { result[key] = String(word) }
      }
    }
    result["garden"] = "gardening"
    result["board"] = "board games"
    result["birdwatch"] = "birdwatching"
    return result
  }()

  private static let everything = kinds.values.reduce(into: Set<String>()) { $0.formUnion($1) }

  private static let kinds: [String: Set<String>] = {
    var result: [String: Set<String>] = [:]
    for line in lists.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let names = parts[0].split(separator: ",").map { Lemma.key(String($0)) }
      var members = Set(parts[1].split(separator: " ").map { Lemma.key(String($0)) })
      members.formUnion(names)
      for name in names { result[name, default: []].formUnion(members) }
    }
    var food = result[Lemma.key("food")] ?? []
    for part in ["cake", "soup", "stew", "vegetable", "fruit", "meat", "fish", "bread", "pasta"] {
      food.formUnion(result[Lemma.key(part)] ?? [])
    }
    for name in ["food", "dish", "meal"] { result[Lemma.key(name)] = food }
    return result
  }()

  private static let lists = """
    cake,pastry,dessert: cake tart cheesecake parkin drizzle buns bun brownie muffin scone crumble \
    pudding pavlova strudel torte sponge gingerbread biscuit cookie doughnut donut croissant eclair \
    macaron meringue waffle pancake flan tiramisu baklava trifle cupcake pastel shortbread
    soup,broth: soup chowder broth bisque gazpacho minestrone borscht consomme
    stew: stew goulash goulasch ragout casserole chilli tagine curry ramen pho caldo miso gumbo laksa
    vegetable,veg,crop: potato courgette spinach pea bean tomato garlic onion dill leek \
    carrot cabbage kale chard pumpkin squash beetroot parsnip celeriac radish lettuce cucumber \
    pepper aubergine fennel asparagus rhubarb broccoli cauliflower sprout artichoke strawberry \
    marigold basil parsley chive turnip swede sweetcorn corn herb salad zucchini eggplant \
    mushroom celery shallot chilli
    fruit: apple pear plum cherry strawberry raspberry gooseberry redcurrant quince lemon orange \
    banana peach apricot grape melon fig mango pineapple berry blackberry blueberry rhubarb date \
    currant kiwi watermelon pomegranate \
    nectarine clementine mandarin tangerine satsuma guava papaya lychee passionfruit persimmon \
    cranberry blackcurrant elderberry cantaloupe grapefruit lime coconut avocado damson medlar
    meat: steak chicken beef pork lamb sausage ham bacon schnitzel kebab souvlaki gyros pastrami \
    meatball burger turkey duck ribs bratwurst chop roast mince hotdog
    fish,seafood: fish sardine squid octopus mussel plaice salmon trout cod herring tuna prawn crab \
    lobster oyster squid mackerel anchovy shrimp clam haddock calamari eel scallop sushi sashimi
    bread: bread toast roll rolls baguette bun bagel focaccia pretzel rye loaf sandwich
    pasta,noodles: pasta spaghetti noodles noodle gnocchi lasagne lasagna ravioli macaroni penne \
    tagliatelle carbonara linguine cacio pepe udon soba
    food: breakfast brunch pizza curry rice risotto paella omelette egg eggs cheese quiche pie \
    sandwich salad dumpling falafel hummus taco burrito nacho chips fries tortilla sushi tempura \
    gyoza onigiri bento okonomiyaki ratatouille chickpea lentil bake pancakes porridge muesli \
    yoghurt yogurt ice-cream suppli bifana banitsa moussaka tzatziki vine stuffed fondue raclette \
    chilli dal tofu couscous barley casserole fishcake fishcakes halloumi mezze meze tapas hotpot \
    pot takoyaki yakitori kimchi bibimbap samosa pakora naan paratha poutine pierogi schnitzel \
    nougat chocolate snack buffet leftovers stir-fry wrap kebab picnic burger doner hash fry-up \
    waffles toast crisps popcorn candy honey jam nuts olives plate cream gyros moules frites \
    stoemp waterzooi tagine biryani ceviche empanada arepa goulash gulasch knodel spaetzle
    drink,beverage: coffee tea beer wine cider riesling ale juice water cocktail whisky whiskey gin \
    rakia brandy liqueur lemonade chocolate espresso cappuccino latte prosecco champagne rum vodka \
    sherry port milk smoothie kombucha lager stout sake ouzo grappa cola negroni spritz matcha \
    soda soda-water lemonade squash cordial tonic mocha cocoa chai cappuccino americano macchiato \
    kefir horchata bourbon tequila mead perry punch mojito
    alcohol: beer wine cider riesling ale cocktail whisky whiskey gin rakia brandy liqueur prosecco \
    champagne rum vodka sherry port lager stout sake ouzo grappa negroni spritz
    game,boardgame: chess backgammon rummy dominoes domino cards card scrabble poker bridge uno \
    monopoly catan carcassonne checkers draughts mahjong darts billiards snooker pool quiz \
    puzzle skat bingo charades crossword sudoku
    sport,exercise,workout,training: run running jog cycle bike swim tennis football soccer basketball \
    volleyball handball hockey golf badminton squash boxing judo karate yoga pilates climb boulder \
    row rowing sail surf ski skate snowboard hike walk ride gym fitness aerobics dance \
    table-tennis ping-pong cricket rugby baseball martial kayak canoe paddle dive triathlon \
    marathon weights spin \
    lift lifting weightlifting hiit crossfit zumba calisthenics stretch spinning treadmill elliptical \
    plank press-up push-up pull-up sit-up taekwondo kickboxing wrestle fence archery lacrosse netball \
    softball polo surf orienteer abseil trampoline skip skipping
    hobby,pastime: garden pottery sketch draw paint knit sew crochet birdwatch chess board accordion \
    piano guitar violin cello polish italian spanish french german japanese photograph embroider \
    fish puzzle backgammon ukulele flute clarinet drum astronomy model calligraphy scrapbook \
    gardening meditate meditation yoga craft diy woodwork carpentry origami podcast audiobook blog write \
    bake brew whittle quilt weave genealogy chess-club videogame gaming boardgame instrument language \
    photography pottery stamp coin beekeep magic juggle theatre choir improv
    toiletry,cosmetic: soap shampoo toothpaste toothbrush razor razors deodorant conditioner lotion \
    sunscreen face-wash sun-cream moisturiser floss shower-gel mouthwash tissue perfume \
    toilet-paper paper-towel shaving-cream shaving-foam hand-cream face-cream body-lotion body-wash \
    mouth-wash hair-gel hair-spray dental-floss cotton-bud cotton-pad nail-file lip-balm hand-soap \
    bubble-bath wet-wipe facewash aftershave talc makeup mascara lipstick
    souvenir: souvenir magnet print towel postcard bird mug keyring t-shirt bowl scarf figurine
    instrument: piano guitar violin cello flute clarinet trumpet drum drums saxophone viola organ \
    harp banjo ukulele accordion bass trombone oboe recorder mandolin
    shop,store: shop store baker bakery butcher stationer optician pharmacy chemist florist \
    greengrocer grocer supermarket bookshop cutter cleaner repair library hardware market office \
    kiosk boutique hairdresser barber
    pub,bar: bar pub tavern taverna inn brewery schleuse mast heron zentral saloon
    café,cafe,coffeehouse: café cafe teestube kaffeestube tearoom bakery
    restaurant: restaurant bistro osteria trattoria pizzeria izakaya taverna gasthaus diner grill \
    brasserie kitchen kantine
    museum: museum gallery exhibition
    pet,animal: cat dog hamster rabbit budgie parrot horse guinea tortoise
    garment,clothes: jumper sweater sock hat scarf cardigan glove mitten sleeve shirt jeans trousers \
    dress coat jacket skirt
    """
}

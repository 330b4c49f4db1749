extension SampleWords {
  static let nearby = [england, bornholm, copenhagen, sofia]

  private static let england = """
    * england | Whitby | Europe/London | 54.4858 | -0.6206 | 6 | 19 | 0.42 | Flight Hamburg–Manchester, then three trains | Trains to Manchester, flight to Hamburg | 500 | 760 | 470 | same
    m walk up the abbey steps with @dad | All one hundred and ninety-nine steps with @dad, who counts aloud and always makes it two hundred. | the abbey steps;54.4890;-0.6094
    m to the boatyard with @dad | @dad showed me the boat, which looks as it did last time, but shinier. | the boatyard;54.4823;-0.6155
    m kitchen with @mum, tea and the crossword | Sat in the kitchen with @mum, two pots of tea and seven down. | my parents' kitchen;54.4841;-0.6259
    m beach to Sandsend | Walked along the sand to Sandsend and back, one glove on, one off for stones. | Sandsend;54.5019;-0.6720
    m sorted my old room | Went through a box in my old room: school reports, a dried starfish, love letters to a bassist. | my old room;54.4841;-0.6259
    m church with @mum, sang in the back row | Sang in the back row next to @mum, and people turned round, kindly. | the parish church;54.4892;-0.6101
    m market day with @mum | @mum and I did the market, which takes two hours because of everyone she taught to read. | the market;54.4868;-0.6139
    l fish and chips on the pier | Fish and chips on the pier, back to the gulls. | the pier;54.4913;-0.6130
    l soup at home | {soup} at the old table, everyone on their own chair.
    l sandwiches at the yard with @dad | Cheese sandwiches on upturned crates with @dad, sawdust optional.
    l lunch at @tom's in Leeds | Lunch at @tom and @beth's; @maisie said grace as a series of facts. | Leeds;53.8008;-1.5491
    l pie in a pub on the moor | Pie by the fire in a pub with one dog per table. | the inn on the moor;54.3911;-0.7212
    a moor walk with {companion} | Up on the moor, heather, wind, a sheep with a cough. | the moor;54.4010;-0.7310
    a the word game with @mum | @mum put QUARTZ on a triple and went to make tea without a word.
    a fixed the gate with @dad | @dad and I fixed the gate, that is, I passed him things and he told me about every gate he's known.
    a fossils with @jack | @jack and I found an ammonite the size of a coin and he wouldn't let it out of his fist. | the beach at Saltwick;54.4866;-0.5890
    a photographs with @mum | @mum got the albums out. I was a serious child.
    a the lifeboat museum with @maisie | @maisie corrected the guide in the lifeboat museum, gently. | the lifeboat museum;54.4873;-0.6141
    a visited the school friends | Tea with two school friends and five of their children, all of them under the table.
    a tea with the neighbours | The neighbours came for tea and inspected me for signs of age.
    e Dad's stew | @dad's one dish, stew, with the usual warning about the bay leaf.
    e pub quiz with @tom | @tom and I came second in the pub quiz because of a dispute over the Danube. | the harbour pub;54.4870;-0.6148
    e fire, television, tea | Fire lit, television on, three people asleep in front of it.
    e dominoes with @mum and @dad | Dominoes for pennies; @dad owns me until 2040.
    e fish pie, all of us | Fish pie for the whole table, @mum watching every plate.
    e a walk to the harbour light with {companion} | {companion} and I walked out to the end of the pier in the dark; the whole town hung behind us like a lantern. | the pier light;54.4929;-0.6119
    n The stairs in this house still creak in the same places, and my feet remember.
    n @mum has labelled everything in the freezer with dates and remarks.
    n Dad has a hearing aid now and uses it as a volume control for the family.
    n I sleep better in that narrow bed than anywhere.
    n Tar, chips, seaweed: I could find this town blindfolded.
    n <gran> @gran's hands are colder than I like, and her jokes are the same.
    n {companion} is better at being here than I am; he just sits down.
    n They look smaller each time, and I hug them a bit too long.
    n The gulls start at four.
    n Somebody at the bakery asked if I was "Peter's lass", and I said yes for the thousandth time.
    """

  private static let bornholm = """
    * bornholm | Bornholm | Europe/Copenhagen | 55.1370 | 14.9155 | 3 | 20 | 0.3 | Train to Sassnitz, ferry to Rønne, bicycles on board | Ferry to Sassnitz, train to Hamburg | 430 | 500 | 560 | same
    m swam off the rocks | Cold water, smooth rocks, one long shout each. | Sandvig;55.2889;14.7787
    m rolls from the bakery in Gudhjem | Fetched rolls by bicycle, downhill there, which tells you about the way back. | Gudhjem;55.2113;14.9713
    m cycled to Svaneke | Rode to Svaneke on the old railway line, through barley. | Svaneke;55.1354;15.1408
    m Hammershus before the coaches | The ruin all to ourselves at eight, a kestrel standing over it. | Hammershus;55.2708;14.7559
    m a round church, white as salt | The round church has walls as thick as our kitchen is long. | Østerlars;55.1632;14.9609
    m slept in the tent till it was too hot | The tent turned into an oven by nine, and we crawled out like loaves.
    l smoked herring at @larsm's | @larsm gave us herring straight from the oven and an egg yolk on top, and watched until we'd finished. | the smokehouse;55.2098;14.9745
    l open sandwiches | Five kinds of open sandwich and only two of us.
    l picnic on the ferry quay | Picnic on the quay. I noted the gangway angle and was told to stop working.
    l rye bread and cheese in a wood | Lunch in the wood, ants invited.
    a beach at Dueodde | The sand at Dueodde squeaks like new shoes. | Dueodde;54.9930;15.0740
    a glass workshop with {companion} | {companion} talked to the glass blower about heat for an hour, both of them with their sleeves up. | the glass workshop;55.2115;14.9709
    a cycled through Almindingen | Deep green in the forest; we heard bison and saw none. | Almindingen;55.1180;14.9100
    a puncture outside Aakirkeby | Puncture near Aakirkeby. {companion} mended it with a coin and language. | Aakirkeby;55.0707;14.9197
    a boat to Christiansø | Out to Christiansø with the mail boat, an island you can walk round in twenty minutes, so we did it three times. | Christiansø;55.3203;15.1867
    a reading in a deckchair | Deckchair, book, wasp, deckchair.
    e <!wet> grilled on the beach | Sausages on the beach, smoke following me round as it does.
    e <!wet> sunset on the rocks | Sat on the warm rocks until the last light at half past ten. | Sandvig;55.2889;14.7787
    e fish soup at the harbour | Fish soup by the harbour and a child selling painted stones; we own four now. | Allinge;55.2777;14.8017
    e concert in the church | A choir from Malmö sang in the round church, and I knew the alto part. | Østerlars;55.1632;14.9609
    e cards in the hut | Rain on the hut, cards, the last of the rum.
    n My legs know every hill on this island personally.
    n Honesty boxes everywhere: strawberries, potatoes, knitted elk.
    n We haven't spoken about work since the ferry.
    n {companion} has learned the Danish for planed timber.
    n The light here comes from the side and stays.
    n Sunburnt in the shape of a bicycle helmet.
    n The sheep on the headland look at us like landlords.
    n Found a fossil, or a biscuit.
    """

  private static let copenhagen = """
    * copenhagen | Copenhagen | Europe/Copenhagen | 55.6761 | 12.5683 | 2 | 22 | 0.38 | Train to Copenhagen | Train to Hamburg | 445 | 900 | 290 | same
    m the harbour bus, yellow and punctual | Rode the harbour bus end to end twice. It's what ours wants to be. | Nyhavn;55.6797;12.5907
    m cinnamon bun the size of a saucer | A bun, a bench, a frozen canal. | Christianshavn;55.6729;12.5910
    m design museum | The chairs were behind glass, so {companion} couldn't sit on them, but he knelt. | the design museum;55.6863;12.5923
    l herring, three ways | Herring three ways, and the third way was best.
    l soup in the glass market | {soup} in the glass market, coats on. | the market halls;55.6839;12.5695
    a winter swimming, watched | We watched people climb into the harbour through the ice and come out laughing. | Islands Brygge;55.6653;12.5760
    a round tower, no stairs | You walk up the tower on a ramp made for a horse. | the Round Tower;55.6814;12.5757
    e dinner in Vesterbro | Everything on the plate was pickled, including something I'd never have thought of. | Vesterbro;55.6695;12.5480
    e jazz and candles | A candle on every table and on every window sill; the whole city is a birthday. | the jazz bar;55.6786;12.5710
    n Everyone cycles as if late for something nice.
    n I understand every third word and nod at the others.
    n {companion} wants to move here, for the joinery.
    """

  private static let sofia = """
    * sofia | Sofia | Europe/Sofia | 42.6977 | 23.3219 | 3 | 28 | 0.3 | Flight Hamburg–Sofia | Flight Sofia–Hamburg | 620 | 930 | 160 | same
    m mineral springs, bottles filled | People come with canisters to the hot springs in the middle of town, and we came with one cup. | the mineral baths;42.6995;23.3237
    m bus to Plovdiv | Bus to Пловдив, sunflowers on both sides for an hour. | Пловдив;42.1354;24.7453
    m market, roses and peppers | A woman at the market gave {companion} a rose and me a pepper. | the women's market;42.7050;23.3197
    m Boyana church, twelve minutes | They let you in for twelve minutes, and the faces on the wall look straight back. | Бояна;42.6446;23.2660
    l shopska salad in the shade | Tomatoes that taste like a memory of tomatoes.
    l banitsa from a hole in the wall | Banitsa from a window at knee height, bend down and pay.
    l lunch with @vesela | @vesela brought the proofs to lunch, and {companion} edited between courses.
    a the old town in Plovdiv | Painted houses leaning over the lane like gossips. | Старинен Пловдив;42.1496;24.7530
    a @vesela's press | At @vesela's press they still set the covers by hand, and she let me ink one. | the press;42.1480;24.7500
    a Vitosha by chairlift | Up Витоша by chairlift, with the whole city lying there in its haze. | Витоша;42.5636;23.2786
    a second-hand bookstalls on Slaveykov | {companion} found her own first translation on a stall for two leva and signed it. | Славейков;42.6924;23.3213
    e dinner under a vine | Dinner under a vine, the grapes just out of reach. | the garden restaurant;42.6910;23.3300
    e rakia with @vesela's father | @vesela's father poured rakia and read us his poems; {companion} translated, I cried at the wrong one.
    e walk on the yellow bricks | The yellow pavement shines after rain like butter. | the yellow street;42.6960;23.3300
    n I read every sign aloud like a child: аптека, хляб, изход.
    n Nodding means no here, and I've agreed to several things by shaking my head.
    n @alex hears every word for its roots and forgets to cross the road.
    n Stray dogs with ear tags, all of them polite.
    """
}

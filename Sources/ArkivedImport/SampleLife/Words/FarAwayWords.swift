extension SampleWords {
  static let farAway = [japan, newyork, lisbon, rome, greece]

  private static let japan = """
    * japan | Tokyo | Asia/Tokyo | 35.6762 | 139.6503 | 10 | 30 | 0.45 | Flight Hamburg–Frankfurt–Tokyo | Flight Tokyo–Frankfurt–Hamburg | 690 | 640 | 870 | same
    m Senso-ji before the crowds | At the temple by seven, and only the sweepers were there before us. // I shook a fortune out of the tin and got "small blessing, wait for it". | Sensō-ji;35.7148;139.7967
    m fish market, outer stalls | Ate a tamagoyaki on a stick among men with knives as long as oars. | the outer market;35.6655;139.7708
    m the garden at Rikugien | In the garden an old man was pruning a pine needle by needle, and we sat down to watch. | Rikugien;35.7332;139.7468
    m train to Kamakura, the Great Buddha | Took the local line to Kamakura; the Buddha sat there with his back door open. // You can go inside him for twenty yen. | Kamakura;35.3169;139.5359
    m Yanaka on foot | Walked through Yanaka, where the houses are small and the cats are official. | Yanaka;35.7258;139.7672
    m the paper shop in Nihonbashi | I lost {companion} in a paper shop and found him an hour later in front of the same drawer. | Nihonbashi;35.6840;139.7744
    m a public bath at opening time | In the bath an old woman showed me, without a word, everything I was doing wrong. | the bath house;35.7281;139.7705
    m the railway museum | {companion} wanted the railway museum and I pretended to need persuading. | the railway museum;35.9213;139.6178
    m ferry up the Sumida | We took the river boat, professionally for me; the timetable board is better than ours. | Sumida pier;35.7107;139.7985
    m the fish auction, behind glass | Up at four for the tuna auction: bells, shouting, a hand sign, gone. | Toyosu;35.6454;139.7827
    m coffee in a kissaten | A coffee house from 1962, one cup at a time, and the owner winding the clock. | the kissaten;35.7090;139.7320
    m tram to the end of the line | Took the little tram to its end, where there's a shrine and a man selling potatoes. | Minowabashi;35.7320;139.7917
    m plum garden and a school class | A class of first-graders in yellow hats practised English on us: "Do you like fish?" | the garden at Yushima;35.7078;139.7681
    m the knife street | {companion} tested knives on paper for an hour with three other silent men. | Kappabashi;35.7139;139.7887
    m a morning in the library | I read a picture book in the library about a ferry, 船, and understood nearly all of it. | the library in Hiroo;35.6512;139.7247
    l ramen in a place with eight stools | Lunch was ramen at a counter of eight stools, steam on my glasses, nobody speaking.
    l soba by the station | Soba at the station, four minutes from ticket to slurp.
    l lunch box on the train | We bought lunch boxes with octopus for the train and opened them the second it moved.
    l okonomiyaki with {companion} | {companion} flipped his own okonomiyaki and got applause from the next table.
    l curry rice in a basement | Curry in a basement with jazz, and the cook sang along in English, more or less.
    l onigiri on a bench | Rice balls on a bench; I can read the fillings now, except the good one.
    l tempura with @kenji | @kenji took us to his tempura place, where he has sat on the same chair since school.
    l gyoza, two plates | Two plates of gyoza, then, after a look, two more.
    l lunch on the department-store roof | Lunch boxes on the roof of a department store, next to a shrine and a go-kart.
    l toast as thick as a book | Lunch was a slice of toast as thick as a dictionary.
    l bento in the park with {companion} | Sat in the park with {companion} and traded pickles.
    l udon, standing | Udon at a standing counter; the man beside me showed me how to be louder.
    a a neighbourhood bath, second visit | At the bath they remembered me; the old woman nodded, I was doing it right. | the bath house;35.7281;139.7705
    a stationery, four floors | Four floors of paper and pens, and I held on to the banister. | the paper house in Ginza;35.6723;139.7667
    a sumo stable, through the window | Watched the wrestlers train through a window with the neighbourhood grandmothers. | Ryōgoku;35.6961;139.7932
    a river walk to Asakusa | Walked along the river with a can of hot coffee in each pocket. | the Sumida path;35.7044;139.7930
    a record shop with {companion} | {companion} found a record of sea shanties, in Japanese, and we bought it unheard. | Shimokitazawa;35.6613;139.6680
    a Kenji's studio | In @kenji's studio I turned a bowl that he kindly called "open". | the studio in Mejiro;35.7213;139.7063
    a Ueno, the museum | Two hours in the museum in front of a screen with cranes, and we saw nothing else. | Ueno;35.7188;139.7765
    a crossing at Shibuya, once each way | We crossed at Shibuya with about a thousand people and nobody touched anyone. | Shibuya;35.6595;139.7005
    a hardware floor in Ginza with {companion} | {companion} found a shop for saws and had to be called three times. | Ginza;35.6717;139.7650
    a Jimbocho, second-hand books | In Jimbocho I bought a book I can't read about ferries. // The seller wrapped it as though it were glass. | Jimbōchō;35.6959;139.7576
    a shrine with the paper lanterns | Wrote a wish on a wooden board in my best hand: 日本語テキスト, all the strokes. | the shrine at Nezu;35.7202;139.7607
    a lost in Shinjuku station | We were lost in Shinjuku station for forty minutes and had cake there too. | Shinjuku;35.6896;139.7006
    a asked the way in Japanese | I asked the way in Japanese, was answered in Japanese, and followed the finger.
    a tea ceremony, legs asleep | The tea was bitter and the sweet was perfect; my legs went in the first ten minutes. | the tea house;35.7106;139.7745
    e hot pot in a back room | Hot pot in a back room, shoes in a locker, my socks on show, one hole.
    e a small concert hall, Schubert | Schubert in a hall the size of a tea tin; nobody coughed, not once. | the hall in Shibuya;35.6618;139.6990
    e curry bread and a film | {a filmcountry} film with Japanese subtitles, so I read the film twice.
    e baseball, cheering lessons | The brass section behind us taught us the song for every batter. | the stadium;35.6745;139.7170
    e noodles from the corner and the washing machine | Ate noodles in front of the coin laundry and watched our week go round.
    e izakaya under the tracks | An izakaya under the railway, everything shaking a little whenever a train came. | the izakaya under the tracks;35.6739;139.7597
    e dinner with @kenji and his sister | Dinner with @kenji, who ordered for an hour without looking at the menu.
    e yakitori | Chicken on sticks, smoke in my hair, the paper lantern swinging.
    e convenience-store supper | Supper from the corner shop on the bed, like thieves: egg sandwich, peach jelly, 8 different chips.
    e Golden Gai, a bar for five | A bar for five people; we were the fourth and fifth, and the third was a dentist who loves Schubert. | Golden Gai;35.6942;139.7047
    e sushi, the conveyor kind | The sushi came by on a small train and {companion} was eleven years old.
    e night view from the town hall | Up the tower for free; lights to the edge of the world. | the town hall tower;35.6895;139.6917
    e karaoke, two hours | Two hours of karaoke, just us, and {companion} does a fine ballad when no one's listening.
    n The toilets here sing and I've stopped being shy about it.
    n Jet lag: we were both wide awake at three and ate crackers in the dark.
    n Every shop door says good morning.
    n @haruka wrote to ask whether we are eating properly, and listed what that means.
    n I understood a whole announcement on the train. It said the doors were closing.
    n {companion} bows to vending machines.
    n Nobody eats while walking, so we hide in doorways with our buns.
    n I can read 電車 and 出口, so I can always get out and away.
    n The hotel room is as big as a cupboard, and everything in it folds.
    n The whole train stands in line where the doors will be, and then the doors are there.
    n An old lady corrected my chopsticks and then gave me her pudding.
    n My feet hurt in a new place.
    """

  private static let newyork = """
    * newyork | New York | America/New_York | 40.7128 | -74.0060 | 4 | 29 | 0.4 | Flight Hamburg–London–New York | Flight New York–Hamburg, overnight | 600 | 1140 | 660 | next
    m bagels on Dana's stoop | @dana's stoop, bagels, the dog from next door with his own opinions. | Dana's place;40.6782;-73.9442
    m conference, morning talks | The first talk this morning was about bus stops, and I was moved. | the conference hall;40.7577;-74.0027
    m Staten Island ferry, both ways | Rode the free ferry out and straight back, to study the boards. // The deckhand saw my notebook and asked if I was from the city. | Whitehall terminal;40.7010;-74.0132
    m walk across the Brooklyn Bridge | Over the bridge on foot before the bicycles woke up. | the bridge;40.7061;-73.9969
    m the library with the lions | Sat for an hour under the painted ceiling of the library and wrote this year's best to-do list. | the library;40.7532;-73.9822
    m botanical garden with @dana | @dana and I in the garden; she knows every tree and two of the gardeners. | the garden in Brooklyn;40.6676;-73.9632
    l dumplings on Eldridge Street | Five dumplings for two dollars, burned my tongue on the first and ate on. | Eldridge Street;40.7183;-73.9920
    l pastrami with @dana, half each | One sandwich between @dana and me, and we still had to lie down.
    l food cart, standing | Lunch from a cart in paper, sauce down the sleeve.
    l salad by weight | Lunch is sold by weight here, so I took mostly leaves.
    l lunch with the ferry people | Sat with the planners from Seattle at lunch, and we compared delays like scars.
    a the tenement museum | The flat in the museum had eleven people in two rooms, and I apologised in my head for every complaint. | the tenement museum;40.7188;-73.9900
    a High Line, end to end | Walked the old railway above the street and looked into kitchens. | the High Line;40.7480;-74.0048
    a gave my talk | Gave my talk: eighteen minutes, one joke, and they laughed at a different place. | the conference hall;40.7577;-74.0027
    a Coney Island, out of season | Coney Island with hardly anyone, the big wheel turning two pensioners. | Coney Island;40.5749;-73.9859
    a bookshop, four floors | Lost two hours and eighty dollars in a bookshop. | the bookshop on 12th;40.7332;-73.9907
    a rowing in the park | Rowed round the lake in the park; blisters, turtles, a wedding. | Central Park;40.7755;-73.9692
    e dinner with @dana | @dana made her one dish, and it's still the best. | Dana's place;40.6782;-73.9442
    e jazz in a cellar | Jazz in a cellar where the drummer was older than the building. | the cellar;40.7359;-74.0015
    e pizza on the roof with @dana | Pizza on the roof with @dana, the whole skyline lit like a switchboard. | Dana's roof;40.6784;-73.9440
    e early night, noodles from a box | Ate noodles from a box in bed at seven, awake again by three.
    e baseball with @dana | @dana explained baseball to me for nine innings, and I clapped at the foul ones.
    n Everyone here starts talking in the middle.
    n The subway has a smell I could pick out of a thousand.
    n A man on the platform told me I had the walk of someone from out of town.
    n Coffee the size of a vase.
    n @dana has lived here for twenty years and still won't say she stays.
    n Sirens all night, and I slept through them like surf.
    n I keep converting everything: miles, dollars, politeness.
    n The steam really does come out of the street.
    """

  private static let lisbon = """
    * lisbon | Lisbon | Europe/Lisbon | 38.7223 | -9.1393 | 15 | 28 | 0.25 | Flight Hamburg–Lisbon | Flight Lisbon–Hamburg | 555 | 960 | 205 | same
    m tram 28, standing | The tram climbed through laundry and we held on to strangers. | Graça;38.7169;-9.1303
    m coffee and tarts in Belém | Two custard tarts each before ten o'clock, cinnamon everywhere. | Belém;38.6975;-9.2033
    m tile museum | A whole museum of tiles, and in the last room the city before the earthquake, street by blue street. | the tile museum;38.7251;-9.1140
    m flea market in Campo de Santa Clara | {companion} bought a plane iron and I bought three tiles that don't match. | Feira da Ladra;38.7155;-9.1243
    m up to the castle on foot | We climbed up to the castle and met a peacock on the wall. | São Jorge;38.7139;-9.1335
    l grilled sardines | Sardines off a grill in an alley, bones left on the paper like combs.
    l bifana at a counter | Pork rolls at the counter, mustard on my chin.
    l lunch with @ines | Lunch with @ines, who still talks with her fork.
    l soup, caldo verde | Green soup and bread on a square with four old men and one newspaper.
    l octopus rice in Cacilhas | Over the river for octopus rice. I timed the ferry. | Cacilhas;38.6881;-9.1489
    a beach at Carcavelos | The sea was far too cold, and {companion} went in anyway, for honour. | Carcavelos;38.6790;-9.3361
    a train to Sintra | Sintra in mist, palaces coming and going. | Sintra;38.7926;-9.3880
    a lost in Alfama | We were lost in Alfama, then found, then lost on purpose. | Alfama;38.7122;-9.1300
    a river ferry to Cacilhas and back | Took the orange ferry for the sake of the gangway. // I have pictures of eleven ropes. | Cais do Sodré;38.7056;-9.1445
    a bookshop under the bridge with @ines | @ines's favourite bookshop has a printing press inside it and a bicycle on the ceiling. | the bookshop in Alcântara;38.7036;-9.1789
    e fado in a tiny room | A woman in a shawl sang right next to our bread basket, and no one breathed. | the fado house;38.7118;-9.1290
    e dinner with @ines and her mother | @ines's mother fed us until we spoke Portuguese.
    e cherry brandy on the square | A thimble of ginjinha standing up, then another. | Largo de São Domingos;38.7148;-9.1388
    e <!wet> sunset at the viewpoint | Sat on a wall with half of the city and clapped for the sun. | the viewpoint in Graça;38.7163;-9.1317
    n The pavements are beautiful and want you dead.
    n @ines says my Portuguese has "a very good silence".
    n All the cats here have somewhere to be.
    n Calf muscles like ropes, from the hills.
    n {companion} photographs door handles, I photograph {companion}.
    n Somebody's radio plays the same song every morning at nine.
    """

  private static let rome = """
    * rome | Rome | Europe/Rome | 41.9028 | 12.4964 | 12 | 31 | 0.28 | Flight Hamburg–Rome | Flight Rome–Hamburg | 580 | 990 | 145 | same
    m coffee standing at the bar | Coffee at the bar, standing, gone in three sips, like everyone. | the bar in Trastevere;41.8897;12.4696
    m the Forum, with a bad map | The Forum: stones, cats, a guide who shouted dates. | the Forum;41.8925;12.4853
    m market at Testaccio | I asked for artichokes in Italian and was told how to cook them, twice. | Testaccio;41.8763;12.4756
    m the keyhole on the Aventine | We queued to look through a keyhole, and it was worth it. | the Aventine;41.8831;12.4785
    m a church with a Caravaggio and a coin box | One euro buys three minutes of light; we spent six. | San Luigi;41.8995;12.4743
    l pasta with @giulia | @giulia sent back the pasta because it was a minute over, and she was right.
    l pizza by the slice, in the shade | Pizza by weight, eaten on a fountain's edge.
    l suppli and a beer | Rice balls with a string of cheese down my blouse.
    l lunch on the Appian Way | Bread and ham on a Roman milestone. | Via Appia Antica;41.8530;12.5194
    a swimming-pool at the hotel, feet only | Put our feet in the water and read aloud to each other.
    a the Protestant cemetery | Walked among the cypresses; an English poet, many cats, all very quiet. | the cemetery;41.8762;12.4795
    a bicycle along the old road | Rented bicycles for the Appian Way; every stone of it is original, I can report. | Via Appia Antica;41.8530;12.5194
    a the Pantheon in the rain hole | We stood under the hole in the roof and waited for rain. | the Pantheon;41.8986;12.4769
    a bookshop with @giulia | @giulia read me the first page of a novel in the shop, loudly, and three people bought it. | the bookshop in Monti;41.8955;12.4932
    e cacio e pepe at the usual table | {companion} and I had cheese and pepper again. There's no reason to have anything else. | the trattoria in Monti;41.8948;12.4920
    e ice cream on the bridge | Ice cream on the bridge, pistachio and a fight about pistachio. | Ponte Sisto;41.8923;12.4708
    e dinner at @giulia's, twelve people | @giulia had invited "a few people", which was twelve, and all of them spoke at once.
    e walk by night to the fountain | The fountain at midnight, and still a hundred people with their backs to it. | the Trevi;41.9009;12.4833
    n I said a whole sentence in Italian to the bus driver, and he answered in English. I was crushed.
    n The cobbles have finished my good shoes.
    n Scooters come from the left, the right, and once from a shop.
    n Every water fountain runs day and night, and I drink from all of them on principle.
    n {companion} has begun to talk with both hands.
    n Bells at seven, each church with its own idea of seven.
    """

  private static let greece = """
    * greece | Naxos | Europe/Athens | 37.1036 | 25.3766 | 14 | 30 | 0.06 | Flight Hamburg–Athens, then the ferry to Naxos | Ferry to Piraeus, flight Athens–Hamburg | 390 | 480 | 690 | same
    m swam before breakfast | In the water before breakfast, flat as oil, three fish and me. | Agios Georgios;37.0966;25.3736
    m bakery, then the harbour wall | Spinach pie on the harbour wall, watching the ferry turn on a coin. | the harbour;37.1067;25.3731
    m bus to Apeiranthos | The bus to Απείρανθος takes the bends like an argument. // Everything up there is marble, even the kerbs. | Απείρανθος;37.0731;25.5217
    m walk to the Portara | Walked out to the great door on its rock; the wind nearly took {companion}'s hat to Turkey. | the Portara;37.1104;25.3723
    m market day in Chora | Bought figs, a sponge, and a hat we don't discuss. | Χώρα;37.1050;25.3760
    m a donkey path up to the monastery | Up the donkey path with two litres of water and no donkey. | the monastery;37.0891;25.4420
    m olive grove, on foot | Walked through the olives while it was still cool, past a well and a very old car. | the olive grove;37.0810;25.4410
    m fetched the bread | Fetched the bread before seven; the baker's radio, the sea, nothing else.
    m boat trip round the cape | Round the cape in a wooden boat whose owner steered with his foot. | the cape;37.1900;25.5200
    m coffee with the fishermen | Coffee at the quay with the men who mend nets and have seen it all. | the quay;37.1070;25.3740
    m reading on the terrace | Read on the terrace until the shade had gone round the corner. | Eleni's terrace;37.1012;25.3789
    m helped @eleni with the beans | Sat with @eleni and topped beans, and we understood each other perfectly for an hour.
    l tomatoes, cheese, bread | Lunch was tomatoes, cheese and bread, for the {w4-9}th time, and I'm not tired of it.
    l fried squid at the beach taverna | Squid at the taverna with our feet in the sand. | the taverna at Plaka;37.0476;25.3683
    l Greek salad with {companion} | {companion} has decided that he invented Greek salad.
    l yoghurt and a watermelon half | Half a watermelon each, with spoons.
    l chickpeas at @eleni's | @eleni's chickpeas, baked all night, and none left over.
    l gyros in paper | Gyros on the ferry quay, chips inside, as it should be.
    l octopus at the harbour | Octopus at the harbour, ordered by pointing at the line.
    l omelette at @eleni's | @eleni made us omelettes "because you are pale".
    l cheese pies on the bus | Cheese pies on the bus to the hills, against the rules and with the driver's blessing.
    l stuffed vine leaves | Stuffed vine leaves, cold, on the rocks, salt on our fingers.
    a slept on the ferry to Paros and back | Over to Paros and back, just for the ferry, I'm afraid. // {companion} slept through both harbours. | Paros;37.0850;25.1500
    a church on the hill | A white church with one candle and a goat at the door. | the hill church;37.0921;25.4150
    a mended the shutters with {companion} | {companion} couldn't stand @eleni's shutters any longer and rehung all of them.
    a long walk to Mikri Vigla | Walked the sand to Mikri Vigla and got a lift back on a tractor. | Mikri Vigla;37.0230;25.3690
    a beach at Plaka | Four hours on the beach at Plaka and nothing to report. | Plaka;37.0476;25.3683
    a siesta, shutters closed | Slept from two till five like the whole island.
    a snorkelling off the rocks | An octopus looked at me, changed colour, and left. | the rocks at Alyko;36.9795;25.3892
    a ferry timetable, studied | I photographed the ferry timetable for work; it is handwritten and correct.
    a bus to Chalki, the citron liqueur | In Χαλκί they make a green liqueur out of leaves and we tested all the strengths. | Χαλκί;37.0622;25.4829
    a rented bicycles | Cycled to the salt lake, all of it headwind, goats applauding. | the salt lake;37.0880;25.3655
    a marble quarry with {companion} | {companion} stroked a quarry wall for half an hour. He says it's not so different from wood.
    a wrote postcards under the fig tree | Wrote eight postcards under the fig tree and got a wasp for company.
    a museum in Athens rooms, the Kouros lying down | The giant stone boy lies where they left him, half finished, in somebody's orchard. | the Kouros at Apollonas;37.1783;25.5529
    a swam to the buoy and back | Swam out to the buoy, hung on it like washing, swam back. | Agios Georgios;37.0966;25.3736
    e name day in the village | A name day up in the village: long tables, a whole goat, and nobody asked who we were. | Απείρανθος;37.0731;25.5217
    e stars from the roof | Lay on the roof and counted shooting stars; {companion} claims eleven.
    e dinner at @eleni's kitchen table | Dinner in @eleni's kitchen, with her mother watching our forks.
    e dinner under the tamarisks | Dinner under the tamarisks, the waves two tables away. | the tamarisk taverna;37.0923;25.3692
    e <!wet> sunset through the Portara | Everyone goes to watch the sun set through the door, and so did we. | the Portara;37.1104;25.3723
    e music in the square | An old man played the violin in the square, his grandson the laouto, and the priest danced. | the square in Chora;37.1048;25.3770
    e grilled octopus | Octopus off the line, ouzo gone cloudy, no more plans.
    e cards with @eleni's family | We lost at cards to @eleni's mother, who is ninety and cheats with dignity.
    e lentils and an early night | Cooked lentils on the one ring and were asleep by ten.
    e night swim | Swam in the dark; every stroke left sparks. | Agios Georgios;37.0966;25.3736
    e open-air cinema | {a filmcountry} film in the open-air cinema, Greek subtitles, bats across the screen. | the summer cinema;37.1021;25.3772
    n The cicadas stop at exactly the moment you notice them.
    n I have forgotten what day it is and had to look it up to write this.
    n @eleni leaves a plate of figs at our door each morning and denies it.
    n Salt on everything, including this page.
    n {companion} has a nose like a lighthouse.
    n The meltemi blew all night, and the shutters counted the hours.
    n A cat has adopted us for the duration.
    n I read Χώρα on the bus and it was actually our bus.
    n My shoulders have come down from round my ears.
    n Four days without shoes.
    n The ferry was late. I felt at home.
    n Nothing happened today, at length.
    """
}

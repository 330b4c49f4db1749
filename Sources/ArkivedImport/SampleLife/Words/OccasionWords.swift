extension SampleWords {
  static let occasions = """
    = ill.first | health | 30-60 | ill | 8
    a in bed with a cold
    a called in sick
    a a cold, day one
    a fever, {n38-39}.{n1-8}
    a went to bed with a book and a fever
    n A cold. It started behind the left ear, as they all do with me.
    n Woke up with a throat full of gravel and called in sick.
    n Fever, so no work; I lay and listened to the building.
    n My head is a bucket and somebody is carrying it up the stairs.
    n Went to bed at two in the afternoon and took it personally.
    n Sneezed {n7-19} times before breakfast, so that's that.
    n Cancelled everything and felt, for an hour, quite rich.
    n Everything aches, even the hair.
    n I've caught what everyone at work has had, last in the queue as usual.
    n My voice is gone; @jonas says it's very restful.
    n Shivered on the sofa in two jumpers and the hat from Whitby.
    = ill.more | health | 30-60 | ill | 7
    a still in bed
    a still ill
    a at @gp's, sick note
    a a cold, no better
    a on the sofa under everything
    n Still ill. I have read the back of every packet in the house.
    n The cold has moved down a floor.
    n A little better: bored, which is a good sign.
    n @gp listened to my back, said "hm" twice and wrote a note.
    n Slept eleven hours and could have gone on.
    n I can smell the coffee again, faintly.
    n Got dressed, was proud, went back to bed.
    n Coughed so long that the neighbours knocked, in sympathy.
    n @jonas has drawn my temperature as a mountain range.
    n The doctor says rest, as though I had other plans.
    n Ate half a banana and wrote it down as an achievement.
    = ill.rest | health | 60-150 | ill,rest | 3
    a slept
    a radio play, half of it
    a tea with honey, fourth pot
    a three old films and a nap
    a steam bath under a towel
    n Fell asleep in the middle of a radio play, so I'll never know about the uncle.
    n Drank tea by the litre.
    n Watched an old film in three parts, with naps.
    n Sat under a towel over a bowl, like a parrot.
    = ill.evening | personal | 30-60 | ill,home | 4
    a {soup} from {p}
    a {p} made {soup}
    a {p} read to me
    n {p} made {soup} and stood in the door watching me eat it.
    n {p} read to me in the evening and skipped the dull parts, I could tell.
    n {p} has put a bell beside the bed and now regrets it.
    n {p} moved to the sofa, for both our sakes.
    = birthday.jonas | social | 120-180 | birthday,jonas | 9 | restaurant
    a {p}'s birthday: {restaurant}
    a {p}'s birthday, {cake} in bed
    a {p}'s birthday, {gift}
    n {p}'s birthday. I had baked {cake} in secret, that is, he'd pretended to sleep.
    n {p} got {gift} from me and turned it round for a long time to see how it was made.
    n {p} is a year older, and there's more sawdust in his eyebrows than grey.
    n For {p}'s birthday his whole family came, sang, ate, and left by eight.
    n {p} wished for a birthday without telephone calls and got eleven.
    = birthday.call | social | 20-40 | birthday,family,call | 8
    a {p}'s birthday: rang and sang
    a rang {p}, birthday
    a {p}'s birthday, a long call
    n {p}'s birthday. I sang the whole song down the phone, second alto.
    n {p}'s birthday today, and for once the parcel got there in time.
    n Birthday call to {p}, with everyone shouting in the background.
    n {p}'s birthday; the parcel with {gift} is "in transit", like all of us.
    n I rang {p} for {his} birthday and was the fourth in the queue.
    n {p} opened {gift} while I listened to the paper.
    = birthday | social | 20-60 | birthday,family | 8
    a {p}'s birthday
    a a card and {gift} for {p}'s birthday
    a {gift} for {p}'s birthday
    n It's {p}'s birthday; I gave {him} {gift}, and {he} pretended not to have guessed.
    n {p} is a year older and says it's nothing special, with cake in {his} mouth.
    n Took {gift} round to {p} for {his} birthday and stayed for one glass, then the other.
    n {p}'s birthday: I was the only one who remembered and the only one who was asked not to.
    n For {p}'s birthday there was {cake} and {gift}, and {he} liked the cake best.
    = birthday.mine | social | 150-180 | birthday,family | 9 | restaurant
    a my birthday: {restaurant} with {p}
    a my birthday dinner with {p} and @alex
    a my birthday, {cake} and candles
    n My birthday. {p} woke me with {cake} and a candle stuck in at an angle.
    n Got {gift} from {p} for my birthday, wrapped in wood shavings.
    n Mum sang at seven, Dad hummed the second part; another year, then.
    n Birthday dinner at {restaurant} with {p} and @alex, who gave a speech about my hair.
    n A year older today. I looked for it in the mirror and found only the usual.
    n I got {gift}, two books I have already, and a drawing of a whale from @frieda.
    = holiday | other | 10-20 | holiday | 0 | | calendarImport
    a Public holiday
    = home.New Year's Eve | social | 200-240 | newyear,friends | 9
    a <!lockdown> New Year's Eve at @alex's
    a <!lockdown> New Year's Eve: fondue with @leyla and @marek
    a <!lockdown> New Year's Eve at home with {p} and @nils
    a <lockdown> New Year's Eve at home with {p}
    n <lockdown> {p} and I danced in the kitchen, and @alex danced on the screen.
    n <!lockdown> New Year's Eve with @alex, @leyla and {p}: fondue, lead casting with wax, and at midnight the ships' horns.
    n At midnight all the horns in the harbour went at once, and I cried a bit, as I do every year.
    n We melted wax and dropped it in water; mine was a boot or Portugal.
    n I made no resolutions and mean to keep them all.
    n The year ended on the roof with cold fingers and hot punch.
    n We watched the fireworks from behind the window, for the sake of {game}, which was close.
    = home.New Year's Day | personal | 60-90 | newyear | 6
    a New Year's walk with {p}
    a slept late, walked by the water
    a first walk of the year
    n New Year's Day, spent rockets in every gutter, nobody about. {p} and I walked to the water and back.
    n First day of the year: pancakes, a walk, nothing written down to be achieved.
    n Slept till ten and started {year} in yesterday's socks.
    n The city was so quiet that you could hear the year.
    = home.Good Friday | personal | 60-90 | easter | 4
    a Good Friday: fish and a walk with {p}
    a <choir,!lockdown> sang the Passion at St Johannis
    n Good Friday, fish, quiet streets.
    n <choir,!lockdown> We sang the Passion, and in the last chorale I couldn't, for a moment.
    n Everything shut, even {p}'s workshop.
    = home.Easter Sunday | social | 120-180 | easter,family | 7
    a <!lockdown> Easter at the Brandts'
    a <!lockdown> hid eggs for @emil and @frieda
    a <lockdown> Easter on the balcony with {p}
    n <!lockdown> Easter at the Brandts'. @frieda found nine eggs, @emil eight, and the dog the tenth.
    n {p} hid an egg so well that we'll smell it in June.
    n <lockdown> Hid three eggs for {p} in a flat he knows by heart.
    n <!lockdown> Lamb, peas, and @uwe asleep in the deckchair by two.
    = home.Easter Monday | personal | 60-120 | easter | 4
    a Easter Monday walk with {p}
    a egg salad, walk, egg salad
    n Easter Monday, and eggs in everything.
    n A long walk to work off the eggs, {p} half a field ahead.
    = home.May Day | personal | 90-120 | holiday | 4
    a May Day: bikes out with {p}
    a May Day picnic with {p}
    n May Day and everyone outside, the grass full of blankets.
    n We slept through the marching band and met it on the way back.
    = home.Ascension Day | personal | 90-120 | holiday | 4
    a Ascension Day, a long walk with {p}
    a a bridge day in sight
    n Ascension Day, men with handcarts and beer everywhere; {p} tutted like his father.
    n A Thursday that felt like a Saturday.
    = home.Whit Monday | personal | 90-120 | holiday | 4
    a Whit Monday: nothing, with {p}
    a Whit Monday walk
    n Whit Monday, hammock, nothing at all.
    n Nobody can tell me what Whit Monday is for, but I'm in favour.
    = home.Day of German Unity | personal | 90-120 | holiday | 4
    a day off, apples at the Brandts'
    a museum on the holiday with {p}
    n A day off in the middle of the autumn, so we went and picked the Brandts' apples.
    n Slept long, made {soup}, read; thank you, unity.
    = home.Reformation Day | personal | 60-120 | holiday | 4
    a day off, pumpkin lanterns with @frieda
    a free day, {soup} and candles
    n Reformation Day: no theses, one pumpkin.
    n Small ghosts rang four times, and {p} gave out apples until they stopped coming.
    = home.Christmas Eve | social | 180-240 | christmas,family | 9
    a Christmas Eve at the Brandts'
    a Christmas Eve: potato salad, carols, presents
    n Christmas Eve at the Brandts', potato salad and sausages, as the law demands.
    n @ingrid rang the little bell, and even @emil came running like a small child.
    n We sang all the verses, @uwe the ones that don't exist.
    n {p} gave me {gift} and had made the box himself.
    = home.Christmas Day | social | 120-180 | christmas,family | 7
    a Christmas Day: goose at @katrin's
    a rang Whitby, everyone at once
    n Christmas Day, goose at @katrin's, and a walk that was mostly standing.
    n Rang Whitby, where they passed the phone round the table like the sprouts.
    n Christmas Day in new socks.
    = home.Boxing Day | personal | 90-120 | christmas | 5
    a Boxing Day: sofa, leftovers, {game}
    a Boxing Day walk with {p}
    n Boxing Day, leftovers in the pan, {game} on the floor.
    n I read all day in yesterday's paper hat.
    n A walk with {p} before the light went, and everyone we met was also digesting.
    = england.Christmas Eve | social | 120-180 | christmas,family | 9
    a Christmas Eve in Whitby: mince pies with @mum
    a Christmas Eve at my parents', carols in the church
    n Christmas Eve in Whitby; the carols in the cold church, Dad a bar behind everyone.
    n @mum had made {n48-96} mince pies, and @tom and I each claimed to be the tester.
    n <gran> @gran played the last hymn herself, the new organist turning the pages.
    n The tree is crooked and always was, and nobody may touch it.
    = england.Christmas Day | social | 180-240 | christmas,family | 9
    a Christmas dinner in Whitby with @mum, @dad and @tom
    a Christmas Day in Whitby, all of us
    n Christmas Day: stockings, turkey, the good chair for whoever cooked.
    n @maisie and @jack were up at five; I heard them and stayed where I was.
    n <gran> @gran wore the paper crown all day, like someone born to it.
    n @dad fell asleep with the carving knife within reach.
    = england.Boxing Day | social | 120-180 | christmas,family | 7
    a Boxing Day swim, watched with @tom
    a Boxing Day on the beach with @dad
    n Boxing Day on the beach, the whole town walking off the same lunch.
    n @tom went into the sea, as every year, and came out a different colour.
    = england.New Year's Eve | social | 150-220 | newyear,family | 8
    a New Year's Eve in Whitby with @mum and @dad
    n New Year's Eve on the harbour wall with @dad's flask going round.
    n We let the new year in by the front door with a piece of coal, because @mum says so.
    = england.New Year's Day | personal | 60-120 | newyear,family | 6
    a New Year's walk to the lighthouse with @dad
    n First walk of the year along the pier, and the wind took my hat as far as Norway.
    = england.Good Friday | personal | 60-120 | easter,family | 5
    a hot cross buns with @mum
    n Good Friday: hot cross buns, two each, a quiet house.
    = england.Easter Sunday | social | 120-180 | easter,family | 7
    a Easter lunch with @mum, @dad and @tom
    n Easter lunch with everyone round the extended table, and the extension held.
    n @jack rolled his egg down the hill and it went under a parked car.
    = england.Easter Monday | personal | 60-120 | easter,family | 5
    a Easter Monday at the boatyard with @dad
    n Easter Monday at the yard with @dad, who let me hold things.
    = packing | personal | 30-50 | trip,packing | 3
    a packed
    a packed, unpacked, packed
    a last things into the suitcase
    a bag closed, just
    n Packed in twenty minutes, so something is missing.
    n <cat> Miso sat in the open suitcase, making her position clear.
    n The bag closed on the third try, with my knee on it.
    n Passport, ticket, keys, passport.
    n I left a list on the fridge for whoever waters the plants, and it ran to two pages.
    n Three books, two pairs of shoes, one bag: the books won.
    n I have packed for every weather but the one they'll have.
    n The plants know. They always know.
    n @jonas folds, I roll, we've stopped discussing it.
    = journey.out | travel | 60-90 | trip | 4
    n The way there took as long as it takes, and I read for most of it.
    n Somebody's child kicked my seat from take-off to tea.
    n I had the window, and used it.
    n We were early, of course; three hours of bad coffee and good people to look at.
    n <!lockdown> Slept on the way with my mouth open, a stranger was kind enough not to mention.
    n <company> {companion} had printed everything out twice.
    n Forgot my toothbrush, so the first thing I'll own there is a toothbrush.
    n The first hour of any journey is the best one.
    n Changed, queued, changed, queued, arrived.
    n <company> {companion} and I held hands till the seat-belt sign went off.
    = journey.home | travel | 60-90 | trip | 4
    n The way home is always shorter, except for the last hour.
    n On the way back I made a list of everything I'd do differently from now on; it's in the seat pocket.
    n Sand in my shoes, or crumbs; a good trip either way.
    n Delayed by an hour, so I finished my book and started on the safety card.
    n Home again by way of four queues.
    n Cried a bit at take-off or departure, as I do, into the free newspaper.
    n A child asked me if I was going home or away, and I had to think.
    n Read "{book}" all the way back and missed the view.
    n Nobody spoke much on the way back.
    n Between two legs of the way home we ate the worst sandwich of the whole trip.
    = landed | travel | 30-60 | trip | 6
    a landed, home, slept
    a home at last, slept till four
    n Landed this morning and slept through the day like a bat.
    n Home. The flat smelled of nobody.
    n I don't know what time I am.
    = unpacking | personal | 20-40 | home | 3
    a home, unpacked
    a unpacked, first load of washing
    a home: post, plants, bed
    n The plants are alive, all but one, and that one was never happy.
    n <cat> Miso ignored us for an hour and then sat on both of us.
    n Own bed.
    n There was post on the mat, and none of it was nice except for a card from Leyla.
    n Put the washing on and the kettle, and that was coming home.
    n The fridge held one lemon and a jar, so: lemon.
    n The flat smelled shut up, and I walked through all of the rooms to say hello.
    n @jonas unpacked in four minutes; mine will be in the hall till Thursday.
    n The stairwell smelled of someone's onions. Home.
    n The clocks in the kitchen had stopped for us.
    = trip.m | travel | 80-130 | trip | 4
    a slow morning, coffee and the map => No plan this morning, so we had another coffee and then another idea. // A slow morning. We're no good at holidays until the second week. // Sat with coffee for an hour and a half and called it research.
    a the same café as yesterday => Back to the café from yesterday; the waiter brought the order without asking. // The bakery was out of our usual, so we were brave. // The same café, the same table, the same dog underneath.
    a laundry day => Washed shirts in the sink and hung them across the view. // Laundry in the morning, and the whole of {city} to dry it. // A morning of laundry; my blue things are bluer now, and so are his.
    a slept in => Slept till the heat or the bells, I forget which. // Slept till ten, for the first time since school.
    a <company> slept in, with {companion} => {companion} slept till ten, and I sat by the window and wrote this up to here. // We slept in, shutters closed, like teenagers.
    a walked without a plan => We set out for one thing and found another. // Walked wherever there was shade. // Followed a cat, then a smell of bread, then a brass band.
    = trip.l | travel | 50-80 | trip | 3
    a bread, cheese, a bench => Lunch from the shop, on a bench, with a view of somebody's laundry. // Ate in the shade of a lorry, since that was the shade. // The woman in the shop made our sandwiches as if for her own children. // Lunch was what was left in the rucksack, and it was fine.
    a lunch at the usual place => We ate at the usual place. Four days and it's the usual place. // At the usual place they've stopped bringing us the menu.
    a fruit and a nap => Too full for lunch, so: peaches. // Fruit, a nap, more fruit.
    a lunch in a place with three tables => Found a place with three tables and no menu. // Three tables, one cook, one dish, and I'd go back for it.
    a <company> picnic with {companion} => {companion} cut the bread with his pocket knife like a captain. // A picnic with {companion}, on his coat, with wasps.
    a <company> one plate for two with {companion} => We shared one plate because the last one had been for four. // {companion} and I split a plate and counted the potatoes.
    = trip.a | travel | 80-140 | trip | 4
    a bookshop, bench, bakery => Read on a bench till the shade had moved on. // A bookshop, then a bench, then a bakery: the three estates.
    a <company> a long walk with {companion} => We walked until one of us was hungry; it was {companion}, it always is. // A long walk with {companion}, most of it on the wrong side of a wall.
    a wrote postcards => Wrote postcards; all of them say the same, in different ink. // Postcards to everyone, even the dentist.
    a nothing at all, all afternoon => Nothing all afternoon, thoroughly. // Did the crossword from a paper four days old. // Watched a man paint a boat all afternoon, one side only.
    a shopping for presents => Bought presents for everyone and like them too much to give away. // Bought a hat. // Presents: three done, and one of them for me.
    a a museum, closed => We looked for the museum, found the closing time. // The museum was shut, but the guard told us what's in it.
    a photographed boats => I have now photographed every boat in the place. // Forty pictures of ropes, for work, I tell everyone.
    = trip.e | travel | 70-120 | trip | 4
    a supper in the room => Supper in the room: crackers, cheese, tomatoes, the window open. // Ate in the room, on the bed, with one knife.
    a one drink on the square => Sat on the square and made up lives for the people going past. // The one drink on the square became two, as it does.
    a early to bed => We were in bed by nine and not ashamed of it. // Early to bed; music from somewhere until late, good music luckily.
    a <company> cards with {companion} => Cards till late; {companion} owes me a bridge. // {companion} and I played cards, the loser to fetch water.
    a dinner next door => Dinner next door, because we couldn't face shoes. // Next door for dinner; they know our order and our names, both wrong.
    a a stroll and an ice cream => A stroll, an ice cream, the same bench as last night. // Walked the length of the front, twice, like everybody.
    a cooked on two rings => Cooked on two rings: everything tasted of holiday. // We cooked: pasta, as it happened, and then more pasta.
    = trip.walked | health | 5-9 | trip,walking | 0
    a walked {km} km today
    a {km} km on foot
    a {km} km of cobbles
    """
}

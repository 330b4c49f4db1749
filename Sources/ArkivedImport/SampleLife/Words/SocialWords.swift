extension SampleWords {
  static let friends = """
    = friend.evening | social | 100-170 | friends | 5 | pub
    a {pub} with {p}
    a drinks with {p}
    a an evening with {p}
    a {drink} with {p} at {pub}
    a met {p} at {pub}
    a {p}, {pub}, home by eleven
    a catching up with {p}
    n {p} and I sat at {pub} till they put the chairs up, mostly about {subject}.
    n Met {p} at {pub}. We hadn't seen each other for weeks and used it all up in one evening.
    n {drink} with {p}, who has news but isn't telling yet.
    n {p} was late, I was early, and the two of us together were on time.
    n {p} wanted to talk about {subject}, and then we talked about everything else.
    n An evening with {p}: {drink}, peanuts, {subject}.
    n {p} is tired and hides it well; I walked {him} home the long way.
    n {p} made me laugh so hard at {pub} that somebody at the bar turned round.
    n {p} beat me at {game} and wouldn't stop talking about it.
    n Told {p} about {subject}. {he} listened without once looking at {his} phone.
    n Came home from {pub} smelling of chips, with {p}'s scarf.
    n {p} has taken up running again and looked at my {drink} with pity.
    n At {pub} {p} and I tried to remember how we met, and came up with two stories.
    n {p} has been thinking about {subject}, and I said the wrong thing, then the right one.
    n A good evening with {p}; I'd forgotten how quick {he} is.
    = dinner.jonas | social | 90-130 | dinner,jonas | 5 | restaurant
    a dinner with {p} at {restaurant}
    a {restaurant} with {p}
    a out for dinner with {p}
    a {restaurant}, just the two of us
    n Dinner with {p} at {restaurant}, because neither of us had shopped.
    n At {restaurant} {p} ordered for both of us, and I let him, and he got it right.
    n {p} and I had the table by the door at {restaurant} and kept our coats on.
    n We celebrated nothing at {restaurant}, which is my favourite occasion.
    n {p} drew {jonaswork} on the paper tablecloth and took the corner home.
    n At {restaurant} the couple next to us broke up between the soup and the fish, and we chewed very quietly.
    n {p} and I talked about {wish} all through dinner, quite seriously.
    n The bill at {restaurant} came with two sweets, and {p} ate both.
    n {p} put on the shirt, I put on the shoes, and we went to {restaurant} as if we were other people.
    n {p} and I had one of those long dinners in which everything gets said by accident.
    n The waiter at {restaurant} asked how we'd met, and we gave him the short version.
    n {p} was quiet at first; it was the order book, it came out over the cheese.
    n {p} left his reading glasses at {restaurant}, so we'll have to go again.
    n We shared everything at {restaurant} except the last potato.
    = guests | social | 150-210 | friends,dinner,home | 6
    a {p} for dinner: {dish}
    a guests: {p} and two more
    a cooked for {p}, {dish}
    a dinner here with {p} and Jonas's people
    n {p} came for dinner and brought {gift}; I made {dish} and forgot the rice.
    n {p} stayed till one. The dishes are still there, I can feel them through the wall.
    n We had {p} over for {dish}. @jonas told the ladder story, {p} hadn't heard it.
    n Six people round a table for four, {p} on the stepladder, nobody hungry afterwards.
    n {p} praised {dish} so much that I got suspicious.
    n {p} helped with the washing-up, and the best conversation of the evening was there.
    n {p} fell asleep in the armchair, and we played {game} around {him}.
    n {p} and @jonas argued about glue, and I had a lovely time.
    n We ran out of chairs, then of wine, then of things we disagree on. {p} left last.
    n {p} told us about {subject}, all the way through {dish}.
    n After dinner {p} tried {game} and turned out to be dangerous at it.
    = cinema | social | 110-150 | film | 4 | cinema
    a {a filmcountry} film with {p}
    a {cinema} with {p}
    a film about {filmtopic}, with {p}
    a {p} and I at {cinema}
    n Saw {a filmcountry} film about {filmtopic} with {p}. I loved it, {he} slept.
    n At {cinema} with {p}: {a filmcountry} film about {filmtopic}, four lines of dialogue, all of them good.
    n The film was about {filmtopic}, and {p} and I argued about the ending all the way to the station.
    n {p} cried at the film about {filmtopic}. I had something in my eye too.
    n {cinema} was empty but for {p}, me and a man with a thermos.
    n {a filmcountry} film about {filmtopic}. Someone behind us ate an entire bag of carrots.
    n {p} chose the film. It was about {filmtopic}, and I get to choose the next three.
    n {p} and I shared a seat's worth of popcorn and saw {a filmcountry} film about {filmtopic}.
    n The projector stopped in the middle, and {p} told us all how it must end.
    n A film about {filmtopic} at {cinema}; {p} has been quoting it ever since.
    n {p} and I were the youngest at {cinema} by twenty years.
    n I didn't understand the end, {p} explained it, now neither of us does.
    = culture | social | 90-140 | culture | 4 | culture
    a {culture} with {p}
    a exhibition about {showtopic}, with {p}
    a {p} had tickets for {culture}
    a an exhibition about {showtopic} at {culture}, with {p}
    a a talk on {showtopic} => A talk on {showtopic}; I took two pages of notes and lost them on the way home. // The man who spoke on {showtopic} had waited all his life for someone to ask. // Went to a talk on {showtopic} and came out an expert until about Thursday.
    a concert with {p} => The concert was short and bright, and {p} hummed all the way home. // {p} and I heard a string quartet from seats behind a pillar, so we only know two of them. // In the slow movement {p} took my hand, or the armrest. // At the concert {p} counted the coughs, {n11-40} before the interval.
    n Went to {culture} with {p} for an exhibition about {showtopic}, and I liked the guard best.
    n {culture}, with {p}: everything about {showtopic}, and a very good cake counter.
    n {p} knows a lot about {showtopic}, as I now know too.
    n Stood with {p} in front of one picture for so long that people began to queue behind us.
    n I could have left {culture} with half of the postcards; {p} allowed me four.
    n The exhibition about {showtopic} was three rooms too long, and {p} and I did the last one at a trot.
    n {p} and I read every label, because we had paid.
    n At {culture} {p} set off an alarm by pointing.
    n {showtopic}: I'd never have thought of it, but {p} has a nose for these things.
    = outing | social | 120-200 | outing,weekend | 5 | park
    a {park} with {p}
    a an afternoon at {park} with {p}
    a long walk with {p}, {park}
    a {p} and I to {park}
    a {park}, coffee, {p}
    n An afternoon at {park} with {p}, {cake} in a tin, {bird} for entertainment.
    n {p} and I walked round {park} and talked about {subject}.
    n Out to {park} with {p}. We got lost within sight of the car park.
    n {p} had planned the walk at {park} with a map, and I had planned the {cake}.
    n At {park} {p} spotted {bird}, or so {he} claims.
    n <!warm> We sat at {park}, {p} and I, until it got too cold to pretend.
    n {p} threw stones in the water at {park}, I counted the skips, nobody won.
    n {park} was full of people with our idea, but {p} knew another path.
    n Met {p} at {park}, and half of the city with a pram.
    n <wet> {p} and I shared one umbrella and half a conversation at {park}.
    n We'd gone to {park} for the view, and then {p} and I talked with our backs to it.
    n At {park} {p} told me about {subject}, walking a little ahead, as one does with difficult things.
    n <warm,!wet> {p} fell asleep on the blanket at {park} with a wasp on {his} hat.
    n <!cold> Watched a wedding party being photographed at {park}; {p} gave it five years.
    n {p} and I bought ice cream at {park} in spite of the thermometer.
    = walk | personal | 60-110 | walk,jonas | 3 | park
    a walk with {p}, {park}
    a {park} with {p}
    a {park}, once round
    a a walk to {park} and back
    n Walked to {park} with {p}; saw {bird}.
    n {p} and I went once round {park} and sorted out next month on the way.
    n A walk with {p}, who stops at every fence to look at the joints.
    n We walked along {park} without talking much, the good kind.
    n {p} collected driftwood at {park} and I carried it.
    n Went out to {park} for ten minutes and came back after two hours.
    n {park} with {p}, hands in pockets, mine in his.
    n {p} and I walked home from {park} along the tracks, counting wagons.
    n A dog at {park} chose us and came along as far as the bridge.
    n {p} says the air at {park} is different; I say it's the chip stall.
    n I was in a mood, {p} suggested {park}, and by the gate it was gone.
    n The path at {park} was closed, so we took the one that says "no path".
    n Walked round {park} with {p} and spoke about whether we'd know each other as children.
    n {p} and I walked to {park} and disagreed about a tree.
    n At {park} an old couple was dancing to a phone, and we went quietly round them.
    = family | social | 120-200 | family | 5
    a coffee with {p}
    a {cake} at Jonas's parents'
    a {p} came for {cake}
    a afternoon with {p} and the Brandts
    a Lüneburg: {p} and {cake}
    n Sunday {cake} with the Brandts; {p} had the chair by the window and the last word.
    n {p} asked when we're coming again before we had our coats off.
    n At the Brandts' everyone talks at once, and {p} talks loudest; I like it more each year.
    n {p} showed me old photographs of @jonas with a bucket on his head.
    n @ingrid and I did the dishes and spoke about {subject}.
    n {p} has a theory about trains, and we heard it to the end.
    n @emil and @frieda built a harbour out of every cushion in the house.
    n @frieda asked me how old I am and then said "oh".
    n @uwe showed me his timetable from 1974 again, and I found a mistake in it.
    n The Brandts tell everything at the same volume, {p} above all.
    n @uwe fell asleep mid-sentence, then finished it twenty minutes later.
    n {p} cut the {cake} with a ruler, as always.
    n @katrin had to leave in the middle for a calving and came back with straw in her hair.
    n We looked at {p}'s photographs from the coast, all {n90-240} of them.
    n @emil explained his game to me, and I nodded like a foreign minister.
    n {p} gave us a jar of something brown to take home.
    = met | social | 10-15 | people | 3
    a ran into {p}
    a met {p} by chance
    a a chat with {p} in the street
    a bumped into {p}
    a {p}, at the bus stop
    n Ran into {p}, whom I hadn't seen since the summer before last, and we talked on the pavement for half an hour.
    n Met {p} in the street, and we both said we must, and we both meant it.
    n I saw {p} across the street and waved with the arm that held the eggs.
    n {p} recognised me by my coat.
    n Bumped into {p}, and within a minute we were talking about {subject}.
    n {p} has had a baby, or a house, I couldn't hear over the traffic; I congratulated {him} anyway.
    n Met {p} on the corner and heard everything about {subject} while the lights went through four changes.
    n {p} was coming the other way, and there was no escape, and it was nice.
    n {p} asked after @jonas, then after the sofa.
    n {p} has grown a great deal of hair since I last saw {him}.
    n I couldn't remember {p}'s name till {he} had gone round the corner: {P}.
    n {p} carried my bag as far as the bridge and wouldn't take thanks.
    n Ran into {p}; {he} has given up {his} job and looks ten years younger.
    n {p} and I waited for the bus and agreed that it wasn't coming.
    n <wet> Stood with {p} under an awning until the shower was over.
    n {p} told me, between two bicycles, that {he} is getting married.
    """

  static let alex = """
    = alex.evening | social | 100-170 | friends,alex | 7 | restaurant
    a dinner with @alex
    a {restaurant} with @alex
    a @alex, {restaurant}
    a dinner with @alex at {restaurant}
    a {restaurant} with @alex, late
    a cooked with @alex at hers: {dish} => Cooked with @alex in her kitchen, {dish}, both of us in aprons that say "chef". // @alex chopped, I stirred, and {dish} came of it. // {dish} at @alex's, six flights up, worth each one. // At @alex's: {dish}, the radio, {subject}.
    a a film with @alex => Saw {a filmcountry} film about {filmtopic} with @alex, who translated the title for me: it's better in the original. // @alex laughed at the film in the places where nobody else did. // The film with @alex was about {filmtopic}, and we walked home as its two main characters.
    a {drink} with @alex by the canal => {drink} with @alex on the canal wall, feet over the edge. // Sat by the canal with @alex till our seats were numb, and talked about {subject}. // By the canal with @alex: {drink}, two swans, one confession.
    a @alex came over, {soup} and gossip => @alex came over; {soup}, gossip, the good chocolate. // @alex on our sofa with her shoes off, telling us about {subject}. // @alex came for {soup} and stayed for the rest of the bread.
    a concert with @alex => Heard a pianist with @alex; she closes her eyes, I watch the pedals. // @alex took me to a concert in a swimming-pool, an empty one, and it rang like a bell. // A concert with @alex, then chips, then the last bus.
    a helped @alex move her bookshelf => Helped @alex move her bookshelf from one wall to the other and, after a pause, back. // @alex's bookshelf has moved; so has my spine.
    a {game} with @alex => @alex lost at {game} and blamed the light. // {game} at @alex's: she cheats, I notice, nobody says a word. // @alex and I played {game} and forgot to keep score.
    n @alex and I had dinner at {restaurant} and talked about {subject}.
    n @alex is translating a novel about {filmtopic} and read me the worst page in three languages.
    n With @alex at {restaurant}. She sent the wine back in perfect German and then apologised to it in French.
    n @alex came straight from her desk, ink on her chin, and I only told her when we paid.
    n @alex thinks I should say no more often. I said no, and she was delighted.
    n @alex and I were last out of {restaurant} again.
    n Walked home with @alex along the water and took forty minutes for ten.
    n @alex found a word that has no German, and we spent the pudding on it.
    n Talked with @alex about {subject}. I'd be lost without her, though I only ever tell her so in jokes.
    n @alex and I tried {restaurant} because of its name. Never again, we agreed, and had pudding.
    n @alex told the waiter it was my birthday. It isn't. The cake was good.
    n @alex arrived at {restaurant} with a suitcase of dictionaries and a story about each.
    n Dinner with @alex. I told her about work, she told me about a comma.
    n At {restaurant} @alex asked the thing that nobody else asks, and I answered.
    n @alex and I split the bill, the cake and the blame for staying so long.
    n @alex wants to learn to drive. I've offered to wave.
    n @alex turned up at {restaurant} with plasters on three fingers and wouldn't say.
    n We ordered what the next table had, @alex and I, without knowing what it was.
    n @alex has been asked to do another big translation, and we practised her asking for more money.
    = alex.lunch | social | 50-70 | friends,alex,lunch | 6 | cafe
    a lunch with @alex at {cafe}
    a {soup} with @alex at {cafe}
    a quick lunch with @alex
    n Lunch with @alex at {cafe}, squeezed between two of her chapters.
    n @alex met me for {soup} at {cafe} and was funny about {subject}.
    n @alex brought proofs to lunch, and I found a missing comma and was paid in {cake}.
    n Only an hour with @alex at {cafe}, but a whole one.
    n At {cafe} @alex ate her lunch and then, without asking, mine.
    = alex.day | social | 120-210 | friends,alex,weekend | 7 | park
    a {park} with @alex
    a walk with @alex, {park}
    a @alex and {park}
    a an afternoon with @alex at {park}
    a flea market with @alex => At the flea market @alex bargained for a lamp and then gave the man the full price. // The flea market with @alex: she bought a hat, I bought the same hat. // @alex found a box of other people's postcards at the flea market and read them to me on the tram.
    a {cake} with @alex at @clara's shop => Had {cake} with @alex between the shelves at @clara's. // @alex and I read in @clara's shop until she put the lights out.
    a swimming with @alex => Swam with @alex, forty minutes, of which thirty were conversation. // @alex swims like a letter, straight and unhurried; I'm more of a parcel. // In the pool with @alex, lane three, the slow one with opinions.
    a baked {cake} with @alex => @alex and I baked {cake} and ate it warm with spoons. // Baked {cake} with @alex, who measures by ear.
    a museum with @alex, mostly the shop => A museum with @alex, about {showtopic}; we came home with eight postcards and a rubber. // @alex talked to a guard for so long that he showed us the room behind.
    n @alex and I walked to {park} and back and mended most of {subject}.
    n Spent the afternoon with @alex at {park}; saw {bird}, ate {cake}.
    n @alex wore the green coat, so it was going to be an adventure, and it was: wrong bus, wrong end of {park}.
    n @alex had bad news from Lyon, an aunt, and we walked until she'd told all of it.
    n With @alex at {park}. She photographs puddles, I hold the umbrella.
    n @alex says that I walk faster when I'm cross. We nearly ran.
    n Two hours with @alex on a bench at {park}, and I don't think we finished one sentence.
    n <warm,!wet> @alex and I lay in the grass at {park} and read each other the worst sentences in our books.
    n @alex brought the thermos and the news to {park}.
    n Met @alex at {park}. She'd had a row with her editor, and we won it together, afterwards.
    n @alex walks into every church; today it was three, one with a wedding in it.
    n At {park} @alex asked an old man about his kite, and an hour later we were flying it.
    n @alex and I took the ferry across and back for no reason, then sat at {park}.
    = alex.walk | social | 70-120 | friends,alex,walk | 7 | park
    a walk with @alex, two metres apart
    a {park} with @alex, thermos each
    a @alex on the other half of the bench
    a round the water with @alex
    n Walked with @alex at {park}, two metres apart, shouting the private bits.
    n @alex brought her own thermos and I mine, and we toasted across the path.
    n Saw @alex in the flesh. We waved for so long that a dog got worried.
    n @alex has translated eleven thousand words and spoken to nobody, she says; so we walked till dark.
    n @alex and I sat at opposite ends of a bench and passed {cake} along with a stick.
    = alex.call | social | 40-90 | friends,alex,call | 6
    a video call with @alex
    a cooked with @alex over video: {dish}
    a {game} with @alex, online
    a rang @alex
    n Rang @alex and we cooked {dish} in two kitchens, and hers burned first.
    n @alex on the screen, in a hat, for no reason.
    n Played {game} with @alex online; I could hear her cheating.
    n @alex read to me over the phone while I ironed.
    n An hour with @alex on video, mostly looking into our fridges.
    = alex.ill | social | 20-40 | friends,alex,call | 4
    a @alex left {soup} at the door
    a @alex rang to hear me cough
    n @alex put {soup} on the doormat, rang, and ran.
    n @alex rang and said that I sound like a cello.
    = alex.postcard | personal | 10-20 | postcards,alex | 2
    a wrote @alex a postcard
    a postcard to @alex from {city}
    a message from @alex, six photos of rain
    a wrote to @alex about the food
    a a voice message to @alex, four minutes
    n Wrote @alex a postcard and drew the view, badly.
    n @alex sent a picture of our street in the rain, with love.
    n Sent @alex a voice message with {city} in the background.
    """

  static let calls = """
    = call.mum | personal | 20-50 | family,call | 4
    a call with {p} about {mumtopic}
    a rang {p}
    a {p} on the phone: {mumtopic}
    a call with {p}, {mumtopic} again
    a Sunday call with {p}
    a {p} rang: {mumtopic}
    n Rang {p}. {mumtopic} took most of it.
    n {p} rang about {mumtopic} and, when that was done, about nothing, which was nicer.
    n {p} told me about {mumtopic} in real time.
    n On the phone with {p}: {mumtopic}, the weather, and who has died.
    n {p} says everything's fine, in the voice that means ask again; it was {mumtopic}.
    n {p} put the phone down to look for her glasses and I listened to the clock in their hall.
    n Half an hour with {p} about {mumtopic}. I miss the kitchen I could hear behind her.
    n {p} asked what we'd had for dinner and wrote it down.
    n {p} and I did the crossword by telephone.
    n {p} gave me all of {mumtopic}, then said she wouldn't bore me.
    n Called {p} while I cooked, so half of what she said had steam on it.
    n {p} asks after @jonas before she asks after me now.
    n {p} and I were cut off in the middle of {mumtopic}, and each rang the other until it was tomorrow's problem.
    n Told {p} that I was tired, and she told me that I was born tired.
    n {p} read me a recipe over the phone, with pauses for the pencil.
    n {p} held the phone out of the window so that I could hear the sea.
    n {mumtopic}, again; {p} is not finished with it yet.
    n {p} is cross about {mumtopic}, and it does her good.
    n {p} had three pieces of news and forgot the middle one.
    n I rang {p} to complain and ended up looking things up for her about {mumtopic}.
    n {p} sends her love and a cutting about teeth.
    n With {p} on the phone I cleaned the whole cooker.
    = call.dad | personal | 15-35 | family,call | 3
    a call with {p}: {dadtopic}
    a rang {p}
    a {p}, about {dadtopic}
    a {p} rang by mistake and stayed on
    n {p} rang about {dadtopic}, four sentences, all of them good.
    n Got {p} on the phone for once. {dadtopic}, he said, and then passed me on.
    n {p} explained {dadtopic} to me with long gaps, in which I could hear him drawing it in the air.
    n {p} rang by mistake, and we talked for half an hour about {dadtopic}.
    n {p} says the sea was like a plate today.
    n {p} has found a way round {dadtopic}, which involves rope.
    n {p} asked about @jonas's chisels for ten minutes, and about me at the end, to be fair.
    n With {p}: {dadtopic}. He still shouts as if the cable were wet.
    n {p} laughed so much at his own story that I never got the ending.
    n I asked {p} how he was. "Upright."
    = call.gran | personal | 15-35 | family,call | 5
    a call with {p}
    a rang {p}
    a {p} on the phone, loud
    a letter to {p}
    n Rang {p}, who answered with her number, as always.
    n {p} played me the new hymn down the phone, wrong notes and all.
    n {p} asked if I'm eating. I listed it.
    n {p} told me the one about the bishop and the ladder; I've heard it thirty times, and the ladder gets longer.
    n {p} has beaten the whole day room at dominoes.
    n Wrote to {p}, large letters, four pages.
    n {p} says that at her age you don't buy green bananas.
    = call.tom | personal | 20-40 | family,call | 3
    a call with {p}
    a {p} and the children on video
    a {p} rang, marking homework
    n {p} rang with one eye on his marking; somebody had written that gravity is optional.
    n @maisie told me eleven facts about squid over {p}'s shoulder.
    n {p} and I discussed our parents like two generals.
    n @jack showed me a tooth, not in his mouth.
    n {p} sounds tired; @beth had three nights in a row.
    = call.far | personal | 30-60 | friends,call | 4
    a call with {p} => {p} rang from far away, and the line made us take turns, like walkie-talkies. // A long call with {p}, both of us cooking. // {p} has painted {his} kitchen and walked me round it by phone. // Heard from {p}: a new job, an old cold, the same laugh. // {p} wants us to come in the spring, and I said that every year we say so. // Told {p} about Hamburg, and it sounded better than it is. // {p} and I have been friends for so long that we start in the middle.
    a a long letter to {p} => Wrote to {p}, two pages and a drawing of the kitchen. // A letter to {p}, the first in months, so mostly excuses. // I wrote {p} everything that hasn't happened.
    a {p} on the phone, bad line => Every third word from {p} got through, and they were good words. // {p} rang from a train, in and out of tunnels.
    a voice messages with {p} => {p} and I send each other voice messages, like two radio stations. // Four minutes of {p}, with traffic.
    a a parcel for {p} => Packed a parcel for {p}: tea, a calendar, and something that rattles. // Sent {p} a parcel; the customs form asked what it's worth, and I wrote "friendship".
    """
}

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
    = cinema | social | 110-150 | film | 4 | cinema
    a {a filmcountry} film with {p}
    a {cinema} with {p}
    a film about {filmtopic}, with {p}
    a {p} and I at {cinema}
    n Saw {a filmcountry} film about {filmtopic} with {p}. I loved it, {he} slept.
    n At {cinema} with {p}: {a filmcountry} film about {filmtopic}, two hours, four lines of dialogue.
    n The film was about {filmtopic}, and {p} and I argued about the ending all the way to the station.
    n {p} cried at the film about {filmtopic}. I had something in my eye too.
    n {cinema} was empty but for {p}, me and a man with a thermos.
    n {a filmcountry} film about {filmtopic}. Someone behind us ate an entire bag of carrots.
    n {p} chose the film. It was about {filmtopic}, and I get to choose the next three.
    = culture | social | 90-140 | culture | 4 | culture
    a {culture} with {p}
    a exhibition about {showtopic}, with {p}
    a {p} had tickets for {culture}
    a a talk on {showtopic}
    a concert with {p}
    n Went to {culture} with {p} for an exhibition about {showtopic}, and I liked the guard best.
    n {p} dragged me to a talk on {showtopic}, and I took two pages of notes.
    n {culture}, with {p}: everything about {showtopic}, and a very good cake counter.
    n {p} knows a lot about {showtopic}, as I now know too.
    n Stood with {p} in front of one picture for so long that people began to queue behind us.
    n The concert was short and bright, and {p} hummed all the way home.
    n I could have left {culture} with half of the postcards; {p} allowed me four.
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
    n We sat at {park}, {p} and I, until it got too cold to pretend.
    n {p} threw stones in the water at {park}, I counted the skips, nobody won.
    n {park} was full of people with our idea, but {p} knew another path.
    n Met {p} at {park}, and half of the city with a pram.
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
    = met | social | 10-15 | people | 3
    a ran into {p}
    a ran into {p} at the market
    a {p} on the bus
    a a chat with {p} in the street
    a postcard from {p}
    a {p} rang, out of the blue
    n Ran into {p}, whom I hadn't seen since the summer before last, and we talked on the pavement for half an hour.
    n Met {p} in the street, and we both said we must, and we both meant it.
    n {p} rang out of the blue to ask about {wish}, of all things.
    n I saw {p} across the street and waved with the arm that held the eggs.
    n A card from {p} in the post, no occasion, which is the best occasion.
    n {p} recognised me by my coat.
    n Bumped into {p}, and within a minute we were talking about {subject}.
    n {p} has had a baby, or a house, I couldn't hear over the traffic; I congratulated {him} anyway.
    """

  static let alex = """
    = alex.evening | social | 100-170 | friends,alex | 7 | restaurant
    a dinner with @alex
    a {restaurant} with @alex
    a @alex, {restaurant}
    a cooked with @alex at hers: {dish}
    a a film with @alex
    a {drink} with @alex by the canal
    a @alex came over, {soup} and gossip
    a concert with @alex
    a helped @alex move her bookshelf
    a {game} with @alex
    n @alex and I had dinner at {restaurant} and talked about {subject}.
    n @alex is translating a novel about {filmtopic} and read me the worst page in three languages.
    n With @alex at {restaurant}. She sent the wine back in perfect German and then apologised to it in French.
    n @alex came straight from her desk, ink on her chin, and I only told her when we paid.
    n {drink} with @alex on the canal wall, feet over the edge.
    n @alex thinks I should say no more often. I said no, and she was delighted.
    n @alex and I were last out of {restaurant} again.
    n Walked home with @alex along the water and took forty minutes for ten.
    n @alex has a deadline, so we ate {soup} in her kitchen between chapters.
    n @alex found a word that has no German, and we spent the pudding on it.
    n Talked with @alex about {subject}. I'd be lost without her, though I only ever tell her so in jokes.
    n @alex lost at {game} and blamed the light.
    n @alex's lift is broken, so dinner came with six flights of stairs.
    n @alex and I tried {restaurant} because of its name. Never again, we agreed, and had pudding.
    n @alex told the waiter it was my birthday. It isn't. The cake was good.
    n Long evening with @alex: {dish}, the radio, {subject}.
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
    a flea market with @alex
    a @alex and {cake} at {cafe}
    a swimming with @alex
    a baked {cake} with @alex
    a museum with @alex, mostly the shop
    n @alex and I walked to {park} and back and mended most of {subject}.
    n At the flea market @alex bargained for a lamp and then gave the man the full price.
    n Spent the afternoon with @alex at {park}; saw {bird}, ate {cake}.
    n @alex wore the green coat, so it was going to be an adventure, and it was: wrong bus, wrong end of {park}.
    n Coffee at {cafe} with @alex, and she read my palm off the menu.
    n @alex and I baked {cake} and ate it warm with spoons.
    n @alex had bad news from Lyon, an aunt, and we walked until she'd told all of it.
    n With @alex at {park}. She photographs puddles, I hold the umbrella.
    n @alex says that I walk faster when I'm cross. We nearly ran.
    n Swam with @alex, forty minutes, of which thirty were conversation.
    n @alex made me try on a hat. I own a hat.
    n Two hours with @alex on a bench at {park}, and I don't think we finished one sentence.
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
    a call with {p}
    a long letter to {p}
    a {p} on the phone, bad line
    a voice messages with {p}
    n Wrote to {p}, two pages and a drawing of the kitchen.
    n {p} rang from far away, and the line made us take turns, like walkie-talkies.
    n News from {p}: all well, too much work, when are we coming.
    n A long call with {p}; it was already tomorrow for one of us, or felt like it.
    """
}

extension SampleWords {
  static let sport = """
    = run | health | 30-60 | running | 3
    a ran {km} km by the river
    a ran {km} km
    a {km} km before breakfast
    a slow {km} km along the canal
    a {km} km, last one uphill
    a ran {km} km to the harbour and back
    a <!summer> {km} km in the dark with the headlamp
    n Ran {km} km by the river before the city was up.
    n {km} km, legs like wet rope for the first two, then fine.
    n A man with three dogs cheered me on, or them.
    n I ran {km} km behind a woman in orange until she turned off, and then I fell apart.
    n Ran early. Met {bird} at the lock, and neither of us gave way.
    n {km} km, and I only walked once, for a photograph, honestly.
    n My running shoes squeak, so everyone hears me coming and steps aside like for a duck.
    n The {km} km felt long this morning; the shower afterwards made up for it.
    n Ran with a stitch from the bridge home.
    n Ran {km} km and had the good idea of the day at kilometre three, and lost it by four.
    n New route: {km} km past the gasworks, ugly and flat, exactly my speed.
    n Ran without music for once and heard my own breath, which was alarming.
    n {km} km between the warehouses, out of the wind.
    n {km} km with a pebble in my left shoe that I was too proud to stop for.
    n The rowers were out, and I kept level with the cox until the second bridge.
    n Ran {km} km, breakfast tasted twice as good, that's the whole method.
    n I was overtaken by a postman. {km} km.
    n Ran {km} km and said good morning to nine people, seven of whom said it back.
    n Ran in odd socks, {km} km, no difference.
    n {km} km. The first is a lie, the last is a gift.
    n My breath and my feet agreed today, {km} km long.
    n {km} km before the first e-mail.
    = run.long | health | 45-90 | running,long | 4
    a ran {km} km, the long way
    a long run, {km} km
    a {km} km along the Elbe
    a {km} km with @amara => @amara and I ran {km} km and talked for six of them. // {km} km with @amara, who runs as other people stroll.
    a weekend run: {km} km
    n Long run, {km} km along the Elbe, container ships keeping me company.
    n {km} km and a bun afterwards, in that order.
    n Ran {km} km. Somewhere after seven I stopped thinking, which is what I go for.
    n The wind was behind me all the way out, so I paid for it coming home.
    n {km} km with a blister; walked down the stairs backwards afterwards.
    n Overtaken by a pram. {km} km, though.
    n {km} km, slow and steady, church bells from three sides.
    n {km} km out past the last bus stop, where the city gives up.
    n {km} km with a gel that tasted of shampoo.
    n I ran {km} km, came home, and ate standing at the fridge.
    n {km} km; a heron watched me go by in both directions, unimpressed.
    n A cyclist rang his bell at me for a kilometre, then said "well done".
    n {km} km on tired legs from yesterday's stairs.
    n I got lost in the docks and ran further than planned: {km} km.
    n {km} km and not one good reason to stop, so I used a bad one.
    = ride.work | health | 20-28 | cycling,commute | 1
    a cycled to work
    a bike to the office
    a by bike, {km} km
    n Cycled in; a delivery bike and I raced without admitting it.
    n By bike to the office, all the lights green, must be an error.
    n I cycled to work and arrived with one wet trouser leg.
    n On the bike this morning I passed a whole traffic jam, smiling like a saint.
    n Cycled in along the canal; it takes four minutes longer and gives back twenty.
    n My bicycle has a new noise, in three-four time.
    n Cycled to work behind a class on an outing, all in yellow vests, like ducklings.
    n By bike to work; the bridge was up, and we all stood there and looked at a barge.
    n I rode to work with a cake in a box on the back, at walking pace.
    n Cycled in and thought of the answer at the third lights.
    n The cargo bikes have taken over the lane, and I was passed by two children and a fridge.
    = ride | health | 60-180 | cycling | 4
    a {km} km on the bike
    a ride to the dyke, {km} km
    a {km} km with @jonas, cake at the far end => {km} km with @jonas, and {cake} at the far end, which comes to nothing, I've worked it out. // Cycled {km} km with @jonas, who has opinions on my saddle. // {km} km with @jonas: he leads, I follow, we both think the other one sets the pace.
    a ride, {km} km, headwind home
    a cycled {km} km through the marsh
    n {km} km on the bike through the orchards, and a puncture at the furthest point, naturally.
    n {km} km. The headwind was there in both directions, I can prove it.
    n Rode out to the dyke, {km} km, sheep on both sides, no one else.
    n My knee held for all {km} km.
    n A tractor gave me its slipstream for two kilometres of the {km}.
    n I was overtaken by a man in his seventies who said good morning and meant it.
    n {km} km through the marsh, cherry stalls at every gate, all closed.
    n A hare ran ahead of me for a while, out in the marsh.
    n {km} km against the wind to the ferry, and then the ferry had just gone.
    n My back light fell off, my chain came off, my hat flew off: {km} km.
    n {km} km on the bike and nothing in my head but the next bend.
    n Cycled {km} km and fell in love with a farmhouse, a different one from last time.
    n The road by the river was flooded, so I rode round: {km} km.
    n {km} km. Geese in the fields, hundreds, all talking.
    = meditation | health | 10-20 | meditation | 1
    a sat for {minutes} minutes
    a meditation, {minutes} minutes
    a {minutes} minutes on the cushion
    a sat still, more or less
    n Sat for {minutes} minutes and thought about toast for twelve of them.
    n {minutes} minutes on the cushion; Miso took it over the moment I got up.
    n Sat by the open window for {minutes} minutes, and the street meditated back, with a drill.
    n My left foot went to sleep before my mind did.
    n A calm {minutes} minutes, then I checked how calm, and that was that.
    n The cushion has found its shape, or I have.
    n {minutes} minutes of breathing. I'd been doing it wrong at work.
    n I sat still. A blackbird didn't.
    n The meditation voice said to let go of plans, so I lost track of the shopping list.
    = physio.home | health | 15-25 | knee | 1
    a knee exercises
    a knee exercises, grumbling
    a {minutes} minutes with the rubber band
    n Did the knee exercises with the red band and the face of a martyr.
    n The knee bends five degrees further than last week; I measured it with a set square.
    n Knee exercises during the news, which helps with both.
    """

  static let courses = """
    = choir | personal | 110-130 | choir,music | 5 | choirroom
    a choir: {song}
    a choir
    a choir, {song} again
    a choir practice with {p}
    a choir: first go at {song}
    n Choir: we sang {song} until page four came right, then page three was gone.
    n @renate stopped us in {song} with one eyebrow.
    n Sat next to {p} at choir, who counts out loud, bless {him}.
    n In {song} the altos have the tune for eight bars, and we all sat up straight.
    n @renate says we sing {song} like people looking for their keys.
    n {song} sounded like music tonight, once, from bar forty to bar fifty-two.
    n At choir {p} and I shared a score and a cough sweet.
    n Choir ran late because of {song}, and nobody minded.
    n {p} had a solo in {song}, and the room went very still.
    n Tired when I went to choir, awake when I came out; I should have that on a tile.
    n @soeren brought {cake} to choir, so the second half was sung in B for butter.
    n We lost the pitch in {song} by a whole tone and all arrived together.
    n Sang {song} with {p}, heads together, because half of the lamps were out.
    n Somebody at choir has a new perfume. The basses suffered.
    n {p} and I whispered through the tenors' part and were looked at.
    n @renate had us hum {song} with our eyes closed, and it was better than with words.
    n {song} from the top, and again from the top; there is a lot of top.
    n <cold> The heating in the parish hall was off, so we sang {song} in coats and saw our own vowels.
    n {p} and I came in a bar early in {song}, together, with conviction.
    n Choir. {p} had brought cough sweets for everyone and a rumour for me.
    n We sang {song} standing in a circle, so for once I heard the basses.
    n @renate was pleased with {song}; she said "well".
    n {p} sang the tenor part of {song} in the break, for fun, and shamed the tenors.
    n New piece: {song}. {p} hates it already, so it'll be a favourite.
    n My voice was gone by page six, so I turned pages for {p}.
    = choir.online | personal | 50-60 | choir,music | 3
    a choir on video
    a choir, everybody muted
    a sang {song} to the laptop
    n Choir on video: thirty squares, thirty delays, one @renate.
    n I sang {song} alone in the bedroom with {p} silent on the screen.
    n @renate conducts into her kitchen lamp. We miss each other dreadfully.
    n Warmed up on video; the neighbours now know my scales.
    n {p}'s dog sang along in {song}, unmuted.
    n For {song} we each sang to a click and won't hear the result for a week.
    n Choir on the screen; {p} had put on a concert dress, bless {him}.
    n @renate played the chord, and thirty of us sang {song} into thirty kitchens.
    n I miss the chair scraping, even that.
    = class.japanese | learning | 85-95 | japanese,course | 5 | schoolroom
    a Japanese with {p}: {kanji}
    a Japanese class
    a Japanese: {grammar}
    a {kanji}, and a test
    n Japanese: {grammar}. {p} smiled, so it must have been bad.
    n Learned to write {kanji} and got one stroke in the wrong order every single time.
    n {p} brought rice crackers and {grammar}.
    n In class I wanted to say that I work with ferries and said that I am one.
    n Vocabulary test; I wrote 猫 where 港 belonged, so a ship came into the cat.
    n The word for today was {kanji}. I saw it on a soy-sauce bottle on the way home and felt like a scholar.
    n {p} says my accent is good, and my grammar is brave.
    n Did {grammar} with a partner, an engineer, who wanted only to talk about {kanji}.
    n We read a children's story aloud, a page each; I had the page with the bear.
    n {grammar} makes sense for exactly as long as {p} is in the room.
    n {p} told us how to apologise on six levels. I can do two.
    n {grammar}: I wrote eleven sentences about ferries, since that's my life.
    n In the break {p} drew {kanji} in the dust on the window.
    n We had to phone each other in Japanese across the room; I booked a table for ninety.
    n {p} has given us a song to learn, about rain, and now I can't stop.
    = class.italian | learning | 85-95 | italian,course | 5 | schoolroom
    a Italian with {p}: {itgrammar}
    a Italian class
    a Italian: {itgrammar}
    n Italian: {itgrammar}. {p} sang the endings, and now they're stuck.
    n {p} made us quarrel in Italian over a parking space. I won.
    n I mixed up fish and sin in class, pesce and peccato, and {p} had to sit down.
    n {itgrammar} tonight; half of the class went out for air.
    n {p} says that I speak Italian with my shoulders closed.
    n We read a recipe in class, and {p} disagreed with it so strongly that we got nowhere.
    n Homework forgotten, so I improvised a dog that ate it, in the imperfect.
    n Learned seven words for a small road.
    n {p} brought coffee in a thermos, real coffee, and {itgrammar} went down with it.
    n I read my essay aloud, and {p} wept, from laughing, at the third mistake.
    n In pairs we ordered a wardrobe; mine had pockets, it turned out.
    n {p} says that in Italian nobody ever finishes a sentence, and then finished hers.
    n {itgrammar}: there's a rule, there are exceptions, there's {p}, waving her arms.
    = class.pottery | learning | 110-130 | pottery,course | 5 | potteryroom
    a pottery with {p}
    a pottery: bowls
    a pottery, a lid that fits, nearly
    a at the wheel
    n Pottery: my bowl became a plate became a lesson.
    n {p} at the next wheel pulls walls as thin as paper; mine are more for defence.
    n The glaze came out green instead of blue, and better.
    n My teapot pours, mainly forwards.
    n {p} and I wedged clay and talked about {subject}.
    n Two hours with clay up to the elbows and not one thought about work.
    n The handle came off in the kiln. {p} says it's a beaker now.
    n A mug, two bowls, and something {p} politely calls sculpture.
    n {p} stopped my wheel with one finger and said "breathe".
    n I spent the whole evening on one foot ring.
    n The glazes have names like "old pond"; I chose by that alone.
    n {p} opened the kiln, and we all stood there with our hands behind our backs.
    n My best bowl got a thumbprint in it, {p}'s, and now I like it better.
    = sailing | learning | 120-150 | sailing | 6 | boathouse
    a sailing with {p}
    a sailing: tacking
    a out on the Alster with {p}
    a knots, then two hours on the water
    n Out on the Alster with {p}; we tacked like drunks and then, suddenly, didn't.
    n I had the tiller for the whole hour and only frightened one swan.
    n {p} called every gust before it came, and I have no idea how.
    n No wind, so we paddled home with our hands, {p} singing.
    n Learned the bowline in the dark behind my back; Dad will want a photograph.
    n Wet to the waist and as happy as a child.
    n {p} let me take her in to the jetty, and it was nearly a landing.
    n A gust, a shout, a wet cushion, applause from a café.
    n {p} and I practised man overboard with a bucket, whom we saved in the end.
    n Light wind, long light, {p} telling stories about Denmark.
    n My knots held. I went back twice to look.
    n Came home with a burn from the sheet across both palms, quite proud of it.
    = plot | personal | 90-180 | garden,allotment | 5 | plotplace
    a allotment: {plant}
    a dug over the bed for {plant}
    a weeded the {plant}
    a allotment with @jonas
    a watered the {plant}
    a repaired the shed door
    a compost, both heaps
    a coffee over the fence with @anneliese
    n <spring> Sowed {plant} in rows that looked straight while I was bent over.
    n <spring> The rhubarb is up, red fists through the straw.
    n <spring> @anneliese gave me half a tray of seedlings over the fence, and instructions.
    n <spring> Dug over the far bed and found a spoon, a marble and somebody's denture.
    n <summer> Watered the {plant} twice a day this week; they look at me like dogs.
    n <summer> Picked beans until the light went, gave half to @anneliese, who already has beans.
    n <summer> The slugs have left us one lettuce, as a warning.
    n <summer> Sat in front of the shed with my feet in a bucket and called it gardening.
    n <summer> Courgettes: three on Thursday, nine today, and two the size of a dog.
    n <autumn> Cleared the {plant} and lit the last fire of the year, with permission.
    n <autumn> Picked apples with @jonas, him in the tree, me with the advice.
    n <autumn> Put the garlic in, which always feels like posting a letter to next year.
    n <autumn> @anneliese has taken her dahlias in, so it will freeze; she is never wrong.
    n <autumn> Turned the compost, and it steamed like a horse.
    n @jonas hung the [shed door|gate] again, and now it closes with a sigh.
    n @anneliese looked at our {plant} for a while and said nothing, which is praise.
    n The water butt leaks, the gate sticks, and I don't want to be anywhere else.
    n Weeded till my back gave notice.
    n A hedgehog has moved in under the pallets, so the pallets stay.
    n <spring> Put in {plant} between two showers, kneeling on a bread bag.
    n <spring> {bird} sat on the spade the moment I let go of it.
    n <spring> Pricked out {n20-90} seedlings, and each was somebody's favourite.
    n <summer> We ate {summerveg} from the bush, in the bush.
    n <summer> Watering, weeding, {drink}, watering.
    n <summer> Everyone on the plots has too many courgettes and leaves them on each other's gates by night.
    n <summer> A thunderstorm caught us in the shed, and we played {game} on an upturned crate.
    n <summer> Cut back the {plant}, who had got above themselves.
    n <autumn> Dug up the last of the {plant} and found my trowel from May.
    n <autumn> Burned leaves, smelled of it all evening, liked it.
    n <autumn> Carried home {n4-14} kilos of apples and a bad back.
    n <autumn> Put the beds to sleep under straw.
    n @anneliese told me about the winter of 1962 over the fence while I held a rake.
    n The committee came past, counted our dandelions and said good day.
    n @jonas and I painted the shed door with what was left in the tin.
    n Sat on the bench with a thermos, mud to the knee, {bird} in the hedge.
    n A toad under the plank. We put the plank back.
    """
}

extension SampleWords {
  static let sport = """
    = run | health | 30-60 | running | 3
    a ran {km} km by the river
    a ran {km} km
    a {km} km before breakfast
    a slow {km} km along the canal
    a {km} km, last one uphill
    a ran {km} km to the harbour and back
    a {km} km in the dark with the headlamp
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
    = run.long | health | 45-90 | running,long | 4
    a ran {km} km, the long way
    a long run, {km} km
    a {km} km along the Elbe
    a {km} km with @annab
    a weekend run: {km} km
    n Long run, {km} km along the Elbe, container ships keeping me company.
    n {km} km and a bun afterwards, in that order.
    n @annab and I ran {km} km and talked for six of them.
    n Ran {km} km. Somewhere after seven I stopped thinking, which is what I go for.
    n The wind was behind me all the way out, so I paid for it coming home.
    n {km} km with a blister; walked down the stairs backwards afterwards.
    n Overtaken by a pram. {km} km, though.
    n The Sunday {km} km, slow and steady, church bells from three sides.
    = ride.work | health | 20-28 | cycling,commute | 1
    a cycled to work
    a bike to the office
    a by bike, {km} km
    n Cycled in; a delivery bike and I raced without admitting it.
    n By bike to the office, all the lights green, must be an error.
    n I cycled to work and arrived with one wet trouser leg.
    n On the bike this morning I passed a whole traffic jam, smiling like a saint.
    = ride | health | 60-180 | cycling | 4
    a {km} km on the bike
    a ride to the dyke, {km} km
    a {km} km with @jonas, cake at the far end
    a ride, {km} km, headwind home
    a cycled {km} km through the marsh
    n {km} km on the bike through the orchards, and a puncture at the furthest point, naturally.
    n Cycled {km} km with @jonas, who has opinions on my saddle.
    n {km} km. The headwind was there in both directions, I can prove it.
    n Rode out to the dyke, {km} km, sheep on both sides, no one else.
    n My knee held for all {km} km.
    n {km} km and {cake} at the far end, which comes to nothing, I've worked it out.
    n A tractor gave me its slipstream for two kilometres of the {km}.
    n I was overtaken by a man in his seventies who said good morning and meant it.
    = meditation | health | 10-20 | meditation | 1
    a sat for {minutes} minutes
    a meditation, {minutes} minutes
    a {minutes} minutes on the cushion
    a sat still, more or less
    n Sat for {minutes} minutes and thought about toast for twelve of them.
    n {minutes} minutes on the cushion; Miso took it over the moment I got up.
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
    = choir.online | personal | 50-60 | choir,music | 3
    a choir on video
    a choir, everybody muted
    a sang {song} to the laptop
    n Choir on video: thirty squares, thirty delays, one @renate.
    n I sang {song} alone in the bedroom with {p} silent on the screen.
    n @renate conducts into her kitchen lamp. We miss each other dreadfully.
    n Warmed up on video; the neighbours now know my scales.
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
    n @jonas hung the shed door again, and now it closes with a sigh.
    n @anneliese looked at our {plant} for a while and said nothing, which is praise.
    n The water butt leaks, the gate sticks, and I don't want to be anywhere else.
    n Weeded till my back gave notice.
    n A hedgehog has moved in under the pallets, so the pallets stay.
    """
}

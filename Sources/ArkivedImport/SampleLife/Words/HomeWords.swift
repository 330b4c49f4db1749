extension SampleWords {
  static let meals = """
    = lunch.with | social | 40-55 | lunch,work | 3
    a {soup} for lunch with {p}
    a lunch with {p}
    a {lunch} with {p}
    a lunch by the water with {p}
    a canteen with {p}, {lunch}
    a lunch with {p}, talked about {subject}
    a quick lunch with {p}
    a {p} and I shared {lunch}
    a lunch walk with {p}
    n Lunch with {p}: {soup}, and {subject}.
    n {p} had {lunch} and I had {soup}, and each of us envied the other.
    n Over lunch {p} told me about {subject}, and I gave no advice, which cost me something.
    n {p} and I walked round the basin instead of eating, then ate standing up.
    n I had {lunch} with {p}, who eats like someone with a train to catch.
    n At lunch {p} did the whole story of {subject} again, with voices.
    n {soup} for lunch, with {p} and far too much pepper.
    n {p} paid for lunch because of a bet neither of us remembers.
    n Lunch with {p} on the steps, our backs to the wind.
    n {p} asked at lunch whether I'm happy here. Mostly, I said, and meant it.
    n We had {lunch}, {p} and I, and solved {subject} between us.
    n {p} is reading about {showtopic}, so that was lunch.
    n {p} stole half of my {cake} at lunch and left me the better half.
    n Lunch ran over because {p} wanted to show me {his} new bicycle.
    n {p} and I ate and said nothing about work for a whole forty minutes.
    n {p} has discovered a place that does {lunch}, and will tell no one but me.
    n Lunch with {p}, who was furious about {subject} and very funny with it.
    n At lunch {p} drew me a map of {his} village on a napkin, with cows.
    n {p} wanted company, I wanted chips, it worked out.
    n Sat outside with {p} over {soup}, in coats, out of principle.
    n {p} ate a whole lemon at lunch, for a bet.
    n I told {p} about {subject} at lunch and regretted it by pudding.
    n {p} asked me for advice about {subject}, and I told {him} to ask someone else and then gave some.
    n Lunch was {soup}; {p} says the cook has been left by somebody.
    n {p} and I had the window table, and for once the ships were on time.
    n {p} forgot {his} wallet, I forgot mine, and the cook wrote us down in a book.
    = lunch.alone | personal | 25-40 | lunch | 1
    a {lunch} at my desk => Lunch at my desk, crumbs in the keyboard, the usual shame. // Ate at my desk with the screen dimmed, out of respect for the food. // Lunch at my desk, one hand on the mouse like a pianist with a sandwich.
    a {soup} on the harbour steps
    a lunch alone with a book => Lunch with my book, and nobody had the nerve to sit down. // Read over lunch and got soup on the villain.
    a {lunch}, standing up
    a <!wet,!cold> {lunch} on a bench
    a lunch: {soup}
    a walked round the block with a roll => Ate a roll walking round the block and came back with a better temper. // Walked round the block at lunch and met nobody, on purpose.
    n <!wet,!cold> Ate {lunch} alone on a bench, and two sparrows had the rest.
    n {soup} alone at the counter by the window; nobody needed anything from me for half an hour.
    n <warm,!wet> I took my lunch to the water and read eleven pages in the sun.
    n Had {lunch} for the third time this month. It's a relationship.
    n <!wet> A gull took part of my lunch, straight out of my hand, like a tax.
    n {soup}, by myself, with a magazine about boats.
    n Had {lunch} late, when the queue had gone.
    n {lunch} and a window seat, that's all I ask of a midday.
    n I shared a table with two crane drivers, who talked about roses.
    n Forgot lunch until three and then had {lunch} with the appetite of a docker.
    n {soup}, too hot, then too late.
    = lunch.home | personal | 30-45 | lunch,home | 2
    a {soup} with @jonas
    a lunch in the kitchen with @jonas
    a {lunch}, homemade for once
    a lunch on the balcony, in coats
    a leftovers with @jonas
    n @jonas came home for lunch smelling of glue, and we had {soup}.
    n {soup} at the kitchen table, with both our phones in the bread bin.
    n Lunch with @jonas every day: who would have thought that would be the good part.
    n Leftovers for lunch, third showing.
    n I had lunch on the back step, wearing a blanket like a bishop.
    n @jonas and I had lunch without a word, like monks, then both spoke at once.
    n At lunch we listened to the news until it was too much and then to the pear tree.
    n {soup} from the freezer, labelled "March?".
    n I ate lunch with my camera accidentally on, it turns out.
    n Lunch on the back step, shoes off, {n12-28} minutes exactly.
    n {soup}, and @jonas reading out the numbers, and me asking him to stop.
    n @jonas cut my sandwich in the shape of a boat.
    n We've started laying the table for lunch, with napkins, against the times.
    = cook | personal | 40-70 | cooking,home | 2
    a cooked {dish}
    a {dish} for two
    a made {dish}
    a dinner at home: {dish}
    a {dish}, with seconds
    a cooked with @jonas: {dish}
    a tried a new recipe, {dish}
    a @jonas cooked {dish} => @jonas cooked {dish} while I read him the news. // @jonas made {dish} and used every pan we own. // {dish}, by @jonas, from his mother's book, with sawdust. // @jonas cooked {dish}, hummed, and let nobody help.
    a {soup} and bread
    n I made {dish}, and it was better than it looked.
    n Dinner was {dish}, with whatever the fridge still had on the side.
    n {dish} for dinner; I burned the first lot and we ate the second in silence and gratitude.
    n We had {dish} and argued about whether it needs nutmeg. It does.
    n Cooked {dish} from memory, and memory left out the salt.
    n {dish} again, because it's the one thing we both like on a {weekday}.
    n @jonas tried {dish}, said "interesting", and so I had his share too.
    n Made {dish} for four and froze none of it.
    n The recipe said thirty minutes, and it lied: {dish}, at a quarter to nine.
    n {soup}, bread, cheese, done.
    n I cooked {dish} to {tune} and was, for an hour, entirely content.
    n Ate {dish} straight from the pan, on the doorstep, like students.
    n Kitchen smelled of garlic till bedtime, thanks to {dish}.
    n {dish}, and we licked the plates like cats.
    n I followed the recipe for {dish} to the letter, so now I know it's the recipe.
    n There was smoke, there was language, there was {dish}.
    n {dish}, too much garlic, no meetings tomorrow.
    n The smell of {dish} brought somebody's child to our door.
    n Two helpings of {dish} each, and a truce about the washing-up.
    n {dish} in the big pan, eaten late, by candle, because the bulb had gone.
    n Made {dish} and put the radio on loud for the boring part.
    n We had {dish}. @jonas said grace, which was "mm".
    n I don't know why I don't make {dish} more often; then I saw the kitchen.
    a {dish} from the blue cookbook
    a {dish} and a salad
    a dinner: {dish}
    = bake | personal | 60-110 | baking,home | 2
    a baked {cake}
    a {cake} for the week
    a {cake}, second attempt
    a <bread> sourdough, another loaf => The loaf has a proper ear this time. I photographed it like a christening. // Sourdough: flat as a plate, tasted fine. // The starter smells of apples again, so it has forgiven me. // A loaf came out well, so I rang a bell, that is, @jonas.
    a baked with the windows open
    n Baked {cake}; the middle sank, so I called it a bowl.
    n There's {cake} on the table and two slices gone already, and I live with only one suspect.
    n {cake} from Gran's card, the one with the butter stain over the quantities.
    n The {cake} came out well, and I wish someone had seen it whole.
    n I baked because it rained and because the oven warms the kitchen.
    n Took half of the {cake} up to the neighbours and got a jar of pickles back.
    n {cake}, and the whole stairwell came past by chance.
    n Forgot the baking powder, so the {cake} is more of a tile.
    n I gave @jonas the bowl to lick, and he took it to the sofa like a dog.
    n The oven runs hot on the left, so half of the {cake} is well travelled.
    n Baked {cake}, ate it warm, felt wise.
    n We tested the {cake} for safety, twice.
    n {cake}, because it was that or the ironing.
    = breakfast | personal | 35-60 | home | 1
    a late breakfast with @jonas
    a {breakfast} and the paper
    a long breakfast
    a {breakfast}, twice
    a breakfast in bed, crumbs and all
    n {breakfast} and the paper until eleven.
    n A breakfast that went on until the coffee was cold and the crossword was full.
    n @jonas brought {breakfast} to bed and then ate most of it.
    n We had {breakfast} and made a plan for the day, and then kept to none of it.
    n Slept until nine, which at my age is a small holiday.
    n Breakfast with the door open and all our crumbs for the birds.
    n {breakfast}, a second pot, and the puzzle page.
    n We ate {breakfast} in our coats because the window won't shut.
    n @jonas burned the toast and presented it as a style.
    n {breakfast} at half past ten, then nothing till dinner, like nobility.
    n Over {breakfast} we read each other our horoscopes and were both warned of travel.
    n I laid the table properly for once, egg cups and all.
    = market | personal | 45-70 | shopping | 2 | shop
    a market: {veg}
    a {veg} and cheese from the market
    a market with @jonas
    a market: {veg}, bread, flowers
    a market, and coffee standing up
    a food for the week
    n <spring> The market had {springveg}, so spring is official.
    n <summer> First {summerveg} of the year at the market, and I ate some on the way home.
    n <autumn> The market was all {autumnveg}, and the light came in sideways.
    n <winter> Nothing at the market but {winterveg} and good humour.
    n Bought {veg} for a family of six because the man called me "young lady".
    n At the market I bought {veg}, and @jonas bought a plant we have no room for.
    n The cheese woman at the market remembered what I had last time. I did not.
    n Carried {veg} home on the handlebars.
    n I went to the market for eggs and came back with {veg} and no eggs.
    n Stood in the queue for bread and heard two sides of the same divorce.
    n The fish man had his birthday and gave everybody a herring.
    n Market early, before the prams.
    n The market smelled of wet cardboard and strawberries, or something that wanted to be strawberries.
    n Queued behind a woman who tried every single cheese and bought an onion.
    n The flower man threw in three tulips "for the argument".
    n @jonas carried the bags, I carried the responsibility.
    n At the market I met half of the choir, all at the same stall, all buying {veg}.
    n {veg} from the man who calls every vegetable "her".
    n We went round the market twice, once to look and once to regret.
    n I tasted eleven olives and then had to buy some.
    """

  static let household = """
    = errand | admin | 20-40 | errands | 1
    a {errand}
    a {errand}, then home
    a {errand} on the way home
    a to {errand} with the parcel
    a {errand}: closed, of course
    a {errand}, third time lucky
    a picked up a parcel => The parcel was for the man upstairs; I carried it up and he was out. // Picked up a parcel that I'd forgotten ordering: a present from me to me. // The parcel had been left with the hairdresser, and it took a haircut's worth of talk to get it.
    a bought {gift} for a birthday => Bought {gift} for somebody and want to keep it. // {gift}, wrapped, hidden, and already hard to find again. // I stood for a long time between {gift} and something sensible.
    a new lightbulbs => New lightbulbs; the hall turns out to be green. // Bought the wrong lightbulbs again, the ones that make us look drowned.
    n I got to {errand} two minutes before it closed and was made to feel every second.
    n The queue at {errand} was long enough for a whole short story.
    n Went to {errand} and forgot why, standing there.
    n The woman at {errand} called me by my first name, so I live here now.
    n I finally went to {errand}; it had been on the list since I began the list.
    n At {errand} they wanted a form, and for the form they wanted a number, and for the number a form.
    n Walked to {errand} the long way, past the good doorways.
    n {errand}, nine people, one counter, and the one counter went for lunch.
    n They know me at {errand} by now, as the one with the questions.
    n At {errand} a man let me go first, and I've been wondering since how I looked.
    n {errand} has moved across the street; I stood in the empty shop for a moment like a ghost.
    n Cycled past {errand} twice before I saw that it was open.
    n I was at {errand} with the wrong receipt, the right face, and some luck.
    = chore | personal | 30-60 | home | 1
    a {chore}
    a {chore} and {tune}
    a {chore}, at last
    a cleaned: {chore}
    a {chore}, with @jonas
    n {chore} to {tune}: not the worst hour of the week.
    n I did {chore} so as not to do something else.
    n @jonas did {chore} and I admired it from the sofa.
    n While doing {chore} I found a ticket from a concert in 2011.
    n Put off {chore} until it was nearly dark and then it took ten minutes.
    n {chore}, the sort of job that's invisible as soon as it's finished.
    n I started with {chore} and ended, two hours later, on the floor with old letters.
    n {chore}: done, more or less, chiefly less.
    n We tossed a coin for {chore}, and I have begun to doubt that coin.
    n Began {chore} in a temper and finished it in quite a good mood.
    n {chore} took longer than the film we skipped for it.
    n Under everything, during {chore}, was the missing corkscrew.
    n A bad conscience is good for {chore}.
    n Did {chore} with the windows open and the whole yard listening to {tune}.
    n I pay @jonas in biscuits for {chore}.
    n {chore} again. It comes round like the tide.
    a {chore}, fast, before anyone came
    a {chore} before breakfast
    a {chore}, not finished
    = house | personal | 60-120 | home,repairs | 3
    a repaired {fault}
    a {fault}, once more
    a looked for what's wrong with {fault}
    a painted the window frame => Painted the window frame, and my elbow, and a bit of Tuesday's paper. // One window frame white; the others look ashamed now.
    a hung a picture, twice => We hung the picture. It's straight; the house isn't. // Hung the picture, stood back, hung it lower.
    a put up a shelf with @jonas => Put up a shelf with @jonas, who needed one pencil line, and me for applause. // A new shelf in the hall, so now there's room for more of what we don't need.
    n {fault} has stopped working, and I have stopped being surprised.
    n I repaired {fault} with a spoon and a film about it, and stood there like Archimedes.
    n @jonas can build a staircase, but {fault} waits its turn like everyone else's.
    n Took {fault} apart on the kitchen table and had one screw too many at the end.
    n {fault} works again. I told everybody, including the postman.
    n The noise came from {fault} after all, so I owe the neighbours an apology.
    n Spent an hour on {fault} and gave up in good order.
    n Rang a man about {fault}; he said "ah" in a way that costs money.
    n {fault} is mended with string. The string stays.
    n I looked up {fault} on the internet, and now I also know about drains.
    n @jonas fixed {fault} in four minutes, after four months.
    n A whole afternoon for {fault}, and we're better people now, or at least dirtier ones.
    n The spare part for {fault} fits, and I don't trust it.
    = admin | admin | 20-60 | paperwork | 1
    a {paper}
    a {paper}, with biscuits
    a sorted out {paper}
    a rang about {paper}, was put through four times
    a the folder of shame: {paper}
    a half an hour on {paper}
    a {paper}, at the kitchen table
    a {paper} and two stamps
    a {paper}, finally
    a looked for {paper}
    a {paper}: filled in, signed, copied
    a {paper}, draft one
    n Did {paper}, and rewarded myself for it twice.
    n {paper} is off the table, literally; it's on the chair now.
    n On hold for thirty-five minutes about {paper}; I know the flute part by heart.
    n I sat down to {paper} with a pot of tea and got up a poorer but lighter woman.
    n Found {paper} under the fruit bowl, three weeks late.
    n {paper}: forty minutes, two passwords, one sigh.
    n I have dealt with {paper}. Let it be written down somewhere.
    n They have sent back {paper} because I signed in the wrong blue.
    n @jonas and I did {paper} together, which is how we know it's love.
    n {paper} can wait, I said last month, and it has.
    n Put {paper} in the folder, and the folder on top of the other folder.
    n The man on the phone about {paper} was so friendly that I thanked him three times.
    = evening | personal | 40-80 | home | 1
    a {game} with @jonas => @jonas and I played {game}, and he won in the insufferable way, without noticing. // I beat @jonas at {game}. It's in writing now. // {game} with @jonas until one of us accused the other. // We played {game}, best of three, then best of five.
    a {tune} and the sofa => In the evening {tune} and nothing else. // An evening on the sofa, one blanket, two opinions. // Sat on the sofa with {tune} until one of us began to snore. // {tune}, the sofa, socks off.
    a early night => Asleep by nine, mouth open, I'm told. // An early night, because nobody could stop me. // In bed before the neighbours' children. // Went to bed with a hot-water bottle and no regrets.
    a long bath and {tune} => Sat in the bath until I was all wrinkles. // A long bath with {tune}, door shut. // In the bath I planned three letters and wrote none. // Ran the bath too full and read too long.
    a old photographs with @jonas => We went through old photographs. @jonas had hair like a spaniel. // Old photographs with @jonas: we were thin, and so was the furniture. // Found the photographs from our first winter; nobody had told us about lamps.
    a letters, real ones => Wrote three letters, posted one. // Wrote letters by hand, till my hand said so. // Answered two letters that I'd been carrying about since last month.
    a crime series with @jonas => We watched the crime series; I had the wrong man from the first minute. // The crime series again: it was the brother. It is always the brother. // @jonas knew the murderer by his shoes. // The crime series was so dull that we cheered for the murderer.
    a sorted photographs => Sorted photographs for an hour and got as far as one weekend in 2012. // Put a year of photographs in order; half of them are of soup.
    a mended a {mend} => Mended a {mend} with the wrong thread, invisible from a ship. // Sewed up a {mend} while @jonas read to me. // The {mend} has one more summer in it now.
    a <warm> sat outside until dark => Sat outside until the bats came. // Too mild to go in, so we didn't. // Outside with two chairs and a candle until the midges won.
    a <knits> knitted {handwork} => Knitted {handwork} and unpicked it again; net progress one row. // {handwork} is growing, to {tune}. // Dropped a stitch of {handwork} in the exciting part of the film. // Four rows of {handwork}, all the right way round.
    a <japanese> learned {n8-30} characters => The word of the day is {kanji}, and I wrote it until it looked wrong. // Wrote {kanji} forty times on the back of the electricity bill. // I learned characters while the pasta boiled, and lost {kanji} again with the water.
    a <italian> Italian vocabulary => Learned the Italian for gutter, in case of rain. // Italian words on yellow notes all over the kitchen; @jonas now knows "il frullatore". // Did my Italian homework in bed, in pencil.
    a <bread> fed the starter => Fed the starter and was thanked with a bubble. // The sourdough starter had climbed out of its jar.
    = weekplan | personal | 20-30 | planning | 1
    a plan for the week
    a calendar with @jonas, side by side
    a wrote the list for the week
    n @jonas and I compared calendars and found one evening that belongs to us.
    n The list for the week has nine points, and one of them is "less".
    n Planned the week in pencil.
    n Looked at the calendar for the week and went to bed early, in defence.
    n We looked at next week, and it looked back.
    n I put "rest" into the calendar, and @jonas asked for how long.
    n Three birthdays, two deadlines, one dentist: next week.
    n Sunday evening and the calendar, our little parliament.
    n Moved everything from last week's list to this week's, in neater writing.
    n Next week is empty, apart from everything.
    = weigh | health | 5-10 | health | 0
    a on the scales
    a weighed in
    a scales, Sunday
    = morning | personal | 20-35 | morning | 1
    a coffee on the step before anyone was up
    a ten minutes of stretching
    a early walk to the baker
    a watered everything
    a read in bed until the alarm
    n Up before everyone, coffee on the step, {bird} for company.
    n Stretched for ten minutes with the grace of a deckchair.
    n Walked to the baker through empty streets.
    n I had the whole street to myself, and the good bench.
    n Watered the plants before breakfast and spoke to each of them.
    n Read in bed until the alarm, stolen pages.
    n Out early; the milk van and I greeted each other like conspirators.
    n Up at half past five for no reason, and it was lovely.
    = read.start | personal | 20-60 | reading | 4
    a began "{book}" by {author}, {pages} pages
    a new book: "{book}", {pages} pages
    n Started "{book}" by {author}. {pages} pages in and nobody has died yet.
    n New book on the bedside table: "{book}". The first chapter takes place entirely in a kitchen.
    n I began "{book}", because @clara in the bookshop looked so sure.
    n {author}'s "{book}" begins with a letter nobody opens, and I'm in.
    n Opened "{book}" just to look, and it was half past twelve.
    n "{book}" has been on the shelf since my birthday, and today it was its turn.
    n Began "{book}". The type is tiny, the people are worse.
    n Page one of "{book}" has the best first sentence I've read this year.
    n I've started "{book}" by {author}, on @alex's orders.
    n {pages} pages into "{book}", still sorting out the cousins.
    n The new one is "{book}", library copy, sand between the pages.
    = read | personal | 20-60 | reading | 1
    a read {pages} pages of "{book}"
    a {pages} pages of {author}
    a "{book}", {pages} pages
    a reading, {pages} pages
    a read in bed, {pages} pages
    a {pages} pages before the light went out
    n {pages} pages of "{book}", and I trust nobody in it any more.
    n I can't decide whether I like "{book}" or only want to know how it ends.
    n Read until my arm went numb.
    n "{book}" has slowed down; forty pages on a single dinner.
    n Read {pages} pages in one go and let the potatoes boil dry.
    n {author} describes weather for two pages and I didn't mind.
    n There's a character in "{book}" exactly like my first landlady.
    n I read the same page of "{book}" three times and then gave in and slept.
    n @jonas asked what "{book}" is about, and it took me longer to say than it should.
    n Somebody before me has underlined things in "{book}", and always the wrong things.
    n The best sentence in "{book}" so far is about soup.
    n Just one chapter, I said.
    n I missed my stop because of "{book}".
    n "{book}" is one of those books where the house is the best character.
    n Fell asleep on "{book}" and have its spine on my cheek.
    n I want to be in the kitchen in "{book}", and nowhere near its people.
    n The murderer in "{book}" is the vicar, I'd bet the cat on it.
    n {pages} pages, which went by like telegraph poles.
    n Everybody in "{book}" drinks so much tea that I got up twice.
    n "{book}" made me laugh on page ninety, on my own, out loud.
    n There's a map in the front of "{book}", and I keep going back to it.
    n "{book}" has a second narrator now, and I want the first one back.
    n I read "{book}" with a pencil, like a grown-up.
    n Read a bit of "{book}" aloud to @jonas, who asked for more and then slept.
    a "{book}" in bed, {pages} pages
    a {pages} pages on the sofa
    a read {pages} pages, {author}
    a {pages} pages with tea
    = read.end | personal | 25-70 | reading | 5
    a finished "{book}", last {pages} pages
    a "{book}" finished
    n Finished "{book}". The end was a cheat, and I cried anyway.
    n I finished "{book}" and sat there for a bit, not ready to put it back.
    n "{book}" is done: a good book with a bad last page.
    n Finished "{book}", and have already lent it to @alex.
    n The last chapter of "{book}" explains everything, which is one chapter too many.
    n "{book}" ended as it had to, on a station platform.
    n "{book}" finished at last; I skipped a funeral.
    n Turned the last page of "{book}" and started again at the first, just to check.
    n Finished "{book}" in one go this evening, and the house feels emptied.
    n "{book}": three good chapters and a train. Finished.
    n I've finished "{book}", and the lodger did it.
    """
}

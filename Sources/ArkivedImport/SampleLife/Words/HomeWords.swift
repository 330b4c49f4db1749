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
    = lunch.alone | personal | 25-40 | lunch | 1
    a {lunch} at my desk
    a {soup} on the harbour steps
    a lunch alone with a book
    a {lunch}, standing up
    a {lunch} on a bench
    a lunch: {soup}
    a walked round the block with {a filmcountry} podcast and a roll
    n Ate {lunch} alone on a bench, and two sparrows had the rest.
    n {soup} alone at the counter by the window; nobody needed anything from me for half an hour.
    n Lunch at my desk, crumbs in the keyboard, the usual shame.
    n I took my lunch to the water and read eleven pages in the sun.
    n Had {lunch} for the third time this month. It's a relationship.
    n A gull took my roll at lunch, straight out of my hand, like a tax.
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
    = cook | personal | 40-70 | cooking,home | 2
    a cooked {dish}
    a {dish} for two
    a made {dish}
    a dinner at home: {dish}
    a {dish}, with seconds
    a cooked with @jonas: {dish}
    a tried a new recipe, {dish}
    a @jonas cooked {dish}
    a {soup} and bread
    n I made {dish}, and it was better than it looked.
    n @jonas cooked {dish} while I read him the news.
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
    = bake | personal | 60-110 | baking,home | 2
    a baked {cake}
    a {cake} for the week
    a {cake}, second attempt
    a <bread> sourdough, loaf number {n20-90}
    a baked with the windows open
    n Baked {cake}; the middle sank, so I called it a bowl.
    n There's {cake} on the table and two slices gone already, and I live with only one suspect.
    n {cake} from Gran's card, the one with the butter stain over the quantities.
    n The {cake} came out well, and I wish someone had seen it whole.
    n I baked because it rained and because the oven warms the kitchen.
    n Took half of the {cake} up to the neighbours and got a jar of pickles back.
    n <bread> The loaf has a proper ear this time. I photographed it like a christening.
    n <bread> Sourdough: flat as a plate, tasted fine.
    n <bread> The starter smells of apples again, so it has forgiven me.
    n No eggs in the house, so it was {breakfast} instead of {cake}.
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
    """

  static let household = """
    = errand | admin | 20-40 | errands | 1
    a {errand}
    a {errand}, then home
    a {errand} on the way home
    a to {errand} with the parcel
    a {errand}: closed, of course
    a {errand}, third time lucky
    a picked up a parcel
    a bought {gift} for a birthday
    a new lightbulbs
    n I got to {errand} two minutes before it closed and was made to feel every second.
    n The queue at {errand} was long enough for a whole short story.
    n Went to {errand} and forgot why, standing there.
    n The woman at {errand} called me by my first name, so I live here now.
    n I finally went to {errand}; it had been on the list since I began the list.
    n Bought {gift} for somebody and want to keep it.
    n At {errand} they wanted a form, and for the form they wanted a number, and for the number a form.
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
    = house | personal | 60-120 | home,repairs | 3
    a repaired {fault}
    a {fault}, once more
    a looked for what's wrong with {fault}
    a painted the window frame
    a hung a picture, twice
    a put up a shelf with @jonas
    n {fault} has stopped working, and I have stopped being surprised.
    n I repaired {fault} with a spoon and a film about it, and stood there like Archimedes.
    n @jonas can build a staircase, but {fault} waits its turn like everyone else's.
    n We hung the picture. It's straight; the house isn't.
    n Took {fault} apart on the kitchen table and had one screw too many at the end.
    n {fault} works again. I told everybody, including the postman.
    n The noise came from {fault} after all, so I owe the neighbours an apology.
    n Spent an hour on {fault} and gave up in good order.
    = admin | admin | 20-60 | paperwork | 1
    a {paper}
    a {paper}, with biscuits
    a letter about {paper}
    a sorted out {paper}
    a rang about {paper}, was put through four times
    a the folder of shame: {paper}
    n Did {paper}, and rewarded myself for it twice.
    n {paper} is off the table, literally; it's on the chair now.
    n On hold for thirty-five minutes about {paper}; I know the flute part by heart.
    n I sat down to {paper} with a pot of tea and got up a poorer but lighter woman.
    n Found {paper} under the fruit bowl, three weeks late.
    = evening | personal | 40-80 | home | 1
    a {game} with @jonas
    a {tune} and the sofa
    a early night
    a long bath and {tune}
    a old photographs with @jonas
    a letters, real ones
    a crime series with @jonas
    a {game}, lost
    a sat on the balcony until dark
    a <!newflat> watched the street from the window
    a <knits> knitted {handwork}
    a <knits> {handwork}, to {tune}
    a <japanese> learned {n8-30} characters
    a <italian> Italian vocabulary
    n @jonas and I played {game}, and he won in the insufferable way, without noticing.
    n I beat @jonas at {game}. It's in writing now.
    n In the evening {tune} and nothing else.
    n Wrote three letters, posted one.
    n We watched the crime series; I had the wrong man from the first minute.
    n Sat in the bath until I was all wrinkles.
    n An evening on the sofa, one blanket, two opinions.
    n We went through old photographs. @jonas had hair like a spaniel.
    n <knits> Knitted {handwork} and unpicked it again; net progress one row.
    n <knits> {handwork} is growing, to {tune}.
    n <japanese> The word of the day is {kanji}, and I wrote it until it looked wrong.
    n <italian> Learned the Italian for gutter, in case of rain.
    n Asleep on the sofa by nine, mouth open, I'm told.
    = weekplan | personal | 20-30 | planning | 1
    a plan for the week
    a calendar with @jonas, side by side
    a wrote the list for the week
    n @jonas and I compared calendars and found one evening that belongs to us.
    n The list for the week has nine points, and one of them is "less".
    n Planned the week in pencil.
    n Looked at the calendar for the week and went to bed early, in defence.
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
    = read.start | personal | 20-60 | reading | 4
    a began "{book}" by {author}, {pages} pages
    a new book: "{book}", {pages} pages
    n Started "{book}" by {author}. {pages} pages in and nobody has died yet.
    n New book on the bedside table: "{book}". The first chapter takes place entirely in a kitchen.
    n I began "{book}", because @clara in the bookshop looked so sure.
    n {author}'s "{book}" begins with a letter nobody opens, and I'm in.
    n Opened "{book}" just to look, and it was half past twelve.
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
    = read.end | personal | 25-70 | reading | 5
    a finished "{book}", last {pages} pages
    a "{book}" finished
    n Finished "{book}". The end was a cheat, and I cried anyway.
    n I finished "{book}" and sat there for a bit, not ready to put it back.
    n "{book}" is done: a good book with a bad last page.
    n Finished "{book}", and have already lent it to @alex.
    n The last chapter of "{book}" explains everything, which is one chapter too many.
    n "{book}" ended as it had to, on a station platform.
    """
}

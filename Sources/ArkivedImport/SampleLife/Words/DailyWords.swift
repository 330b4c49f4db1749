extension SampleWords {
  static let homeLife = """
    # cat
    Miso heard the word "vet" and was not seen again until supper.
    Miso has a new enemy, [the hoover|the hot-water bottle|a cucumber|@jonas's new boots].
    [Miso|The cat] [stole|dragged off|ate] {lunch} off my plate[ when I turned round| with great calm|].
    I woke up at {w4-6} because Miso wanted to discuss breakfast.
    Miso has been weighed: [four|five|four and a half] kilos, of which at least one is contempt.
    A visitor said that Miso looks [surprised|wise|like her uncle|expensive].
    Miso slept through [the storm|my whole rehearsal of {song}|the visit|the alarm], one ear up.
    Brushed Miso and got a second cat out of it.
    Miso sat on "{book}" and wouldn't be read round.
    Miso chased a moth round the lamp for an hour, and the moth won on points.
    Trod on [a toy mouse|the real thing|something wet] in the dark.
    Miso has been purring at the radiator as if it had proposed.
    Miso has brought us {cattheft} from another household.
    Miso slept on my clean [jumper|trousers|coat|blouse|scarf] and has improved [it|everything nearby] with hair.
    Miso has decided that {catplace} is hers.
    The cat knocked [my glass|the salt|a pen|the alarm clock|an egg] off the table while looking me in the eye.
    Miso sat in the window all [afternoon|morning|day], at war with [one particular blackbird|a magpie|the dachshund opposite|a plastic bag|snow that wasn't there].
    Miso was sick in @jonas's [slipper|tool bag|hat|shoe], the [left one|good one], as ever.
    Woke with the cat across my throat like a warm scarf.
    Miso has found the one sunny square in the flat and moves with it, hour by hour.
    I opened a tin of tuna in secret, and Miso was there before the lid was off.
    Miso won't eat the expensive food, nor, out of principle, the cheap one any more.
    Found Miso in {catplace}, purring at nothing.
    Miso caught a moth and was as surprised as the moth.
    The cat chewed through a charging cable, and it served us right for having so many.
    Miso followed @jonas all round the flat, complaining, like a foreman.
    <winter> Miso lives on the radiator now, one leg hanging down.
    <summer> Miso lies on the tiles like something spilled.
    <newflat> Miso came home with a burr behind each ear and wouldn't say where she'd been.
    <newflat> The neighbours say they have a cat called [Princess|Herr Meier|Cloud|Bismarck] who looks exactly like Miso, between [two and four|noon and two|four and six].
    Miso watched [the washing machine|the rain|a fly|the neighbours' move|the football] to the end[|, including the spin|, with her head on one side| and then wanted supper].
    Miso has learned to open the [bread bin|bathroom door|biscuit tin|wardrobe|second drawer].
    # jonas
    @jonas came home with {gift} for me, for no reason, so I've been wondering about the reason.
    @jonas and I talked in the dark for an hour about {worry}.
    @jonas has a new pencil behind each ear and can't find one.
    @jonas is worried about {worry}, I can tell by the whistling.
    @jonas asked whether I'd mind if {jonaswork} lived in our hall "for a few days".
    @jonas made tea, forgot it, made tea.
    Measured @jonas for {gift}; he thought it was a hug.
    @jonas dropped {jonaswork} on his foot, or its leg, on his toe.
    @jonas read about {showtopic} all evening and told me the best bits, which were all of them.
    @jonas and I laughed till we cried about [a word|the neighbour's hat|a parsnip|something I can't even write down].
    @jonas has promised to finish [our own kitchen shelf|the bathroom door|the bed, which is on bricks|the stool] "after {jonaswork}".
    @jonas says {wish} would solve everything.
    @jonas hummed {song} without knowing that it's mine.
    @jonas got a splinter, I got the tweezers, we both got brave.
    I love @jonas's hands after work, all nicks and oil.
    @jonas bought {veg} because they were "well made".
    @jonas overheard in the hardware shop: {overheard}
    @jonas is working on {jonaswork} and comes home with shavings in his turn-ups.
    @jonas sang in the shower, a shanty, every verse.
    @jonas and I had words about the dishwasher, then ate the rest of the chocolate.
    @jonas left me a note on the bread board, with a drawing of a whale.
    @jonas measured the hall again and won't say why.
    @jonas has finished {jonaswork}; he walked round it for an hour, and then we carried it down.
    @jonas's back hurts, he says it doesn't, and he can't tie his shoes.
    @jonas fell asleep over the crossword with the pen in the air.
    We quarrelled about nothing, @jonas and I, and made up over the washing-up.
    @jonas made me a stool for the kitchen, so now I can reach my own cupboards.
    @jonas forgot the milk and brought me a pine cone.
    A customer wants {jonaswork} smaller, then bigger, and @jonas came home and ate a whole loaf.
    @jonas talks to wood. Tonight I heard him apologise.
    I asked @jonas what he was thinking, and it was hinges.
    @jonas rubbed my feet through the whole of the news.
    @jonas cut his thumb on {jonaswork}, nothing much, but I've bandaged it like a mummy's.
    @jonas has bought a plane on the internet, wooden, 1920, "practically free".
    I came home to find @jonas had cleaned everything, so he has either broken something or bought something.
    @jonas beat his record on the stairs, sixty-four steps with a sideboard.
    <workshop> The order book at the workshop is full till the summer, and @jonas says so about once an hour.
    <workshop> Took @jonas his sandwiches to the workshop and stayed to hold the other end of {jonaswork}.
    <workshop> @jonas's new apprentice glued his own sleeve to {jonaswork}.
    <!workshop> @jonas's boss has him on the big lathe now, and he's as proud as a boy.
    <married> I said "my husband" to the plumber and we both looked round for him.
    <!married> A form asked for my marital status, and @jonas suggested "yes".
    @jonas read me the instructions for the drill in the voice of a priest.
    # running gag
    Overheard on the bus: {overheard}
    Overheard at the bakery: {overheard}
    Two girls on the tram: {overheard}
    The {stranger} greeted me by name today. It wasn't my name.
    The {stranger} was whistling {song}, I'd swear.
    I seem to have begun nodding to the {stranger}.
    The {stranger} gave me [a sweet|a wink|directions I didn't need|a very old newspaper|a look].
    Lost: one umbrella, [blue|black|striped|borrowed]. Last seen on the [number 15|ferry|number 3|steps].
    Found {officefind} in the hall, with a note: "Not ours."
    Gerald has so many children now that I've run out of saucers.
    The plastic owl wears a hat now; nobody has confessed.
    Gerald is leaning towards the neighbours.
    One of Gerald's children has been seen in the window of the chemist's.
    The man on the number 15 has moved on to Vivaldi.
    Somebody has taken in the left-hand gloves and hung up a right.
    There's a new sign on the lift across the road: "Out of order again". The "again" is printed.
    Gerald, the spider plant, has another child; I've stopped counting.
    Gerald the spider plant fell off the fridge and landed on his feet.
    Re-potted Gerald. There was a teaspoon in his roots.
    Gerald has a brown tip. I read him the riot act.
    Gave one of Gerald's children to a stranger on the stairs.
    The pigeon is back on the balcony; she looked at @jonas's plastic owl and sat down next to it.
    The plastic owl has been moved again. The pigeon prefers it facing north.
    <!newflat> @schroeder has put up a new notice in the stairwell: "Prams are not furniture."
    <!newflat> New notice from @schroeder: "Whoever whistles after ten is known."
    <!newflat> The stairwell has a notice about the notice.
    <!newflat> @schroeder knocked to say that our floor creaks. Below us, his ceiling creaks, so we have that in common.
    <newflat> @ella practised the trumpet until seven; we are nearly through the anthem.
    <newflat> @nermin came down with a bowl of dolma, because of the trumpet.
    <newflat> @ella has a new piece, or it's the old one faster.
    <newflat> Met @nermin on the stairs, and we agreed about the bins.
    Lost my umbrella on the bus again. That's the fourth, and the best.
    My old umbrella turned up in the cupboard under the sink.
    The man on the number 15 whistled Bach again this morning.
    The bakery lady gave me one roll too many, with a wink, and I've been wondering all day what I did.
    The church clock struck thirteen at noon. @jonas heard it too.
    The wobbly paving stone by the post box got me again, both socks.
    Somebody is leaving single gloves on the railings, all left hands.
    # ahead
    <cat> The cat-sitter, the plants, the bins: all arranged, says the list.
    I've stopped buying milk.
    @jonas has looked up the weather there three times and packed against it.
    Everything I own is in the wash.
    A drawer full of adapters, and none for where we're going.
    We leave soon, and the suitcase is out on the bedroom floor, empty and accusing.
    Found the passports in the drawer for batteries.
    I've begun the packing list, so it's real.
    Counting the days till we're off; the fingers of one hand will do.
    Watered the plants as though saying goodbye.
    Learned how to say "excuse me" for where we're going and walked round the flat saying it.
    Bought the small toothpaste.
    # behind
    My watch was right and I was wrong all morning.
    Told the holiday to three people, and it has begun to set into stories.
    The tickets are on the window sill; I'm not ready for the bin.
    I keep reaching for a key that belonged to another door.
    @jonas has stuck the map on the fridge.
    The holiday is already a smell in the bottom of the bag.
    Still finding foreign coins in my pockets.
    Half of me is still there.
    The washing from the trip is dry, the photographs are still in the camera.
    Somebody asked how the trip was, and I said "warm", which doesn't cover it.
    Everything at home looks slightly smaller.
    """

  static let closings = """
    # muse
    I thought about {worry} on the way home and then about nothing.
    Woke at three and lay there with {worry}.
    I've stopped worrying about {worry}; there's a queue.
    What I wanted to say about {subject}, I said too late, to the kettle.
    @alex said something weeks ago about {subject} that only arrived today.
    If I were rich I'd have {wish}, and I would still lose the umbrella.
    Somebody on the radio spoke about {showtopic} with such love that I pulled a chair up.
    I keep humming {song}.
    It occurs to me that I've not thought about {worry} for days.
    I'm glad of {noise} tonight.
    I could have been a person who knows about {showtopic}.
    I'd like to remember the smell of this kitchen when I am old, {dish} and wet wool.
    Today I was the {stranger} in somebody else's diary, perhaps.
    I said "we" about Hamburg today, for the first time in a while without noticing.
    Perhaps {subject} is simply none of my business.
    I ought to ask Mum more questions while there's someone to answer them.
    I counted: {n4-19} unread messages, none of them urgent, all of them louder than they need to be.
    Heard today and can't forget: {overheard}
    I'm better at {game} than at saying sorry.
    {worry}: still there, smaller.
    I keep thinking about what I'd do with a whole free year; probably laundry.
    I'm not unhappy, just full.
    I should write to more people and scroll past fewer.
    It strikes me that I've become someone with a favourite pan.
    Mum used to say that tired is not the same as sad; I checked, and it was only tired.
    I worry less than I did a year ago, or about better things.
    Money is fine this month as long as nobody opens a drawer.
    I wonder what the people across the street think we do all day.
    I can't remember what I did on this day last year, and that's why I write this.
    Sometimes I'm homesick for a place that has changed its curtains.
    I dreamed in German again; the grammar was perfect, the plot was not.
    My handwriting gets worse when I'm content.
    What I'd like is {wish}.
    I was short with someone today who didn't deserve it, and I'll say so tomorrow.
    Being interrupted all day is also a kind of being needed, I tell myself.
    Everything I was afraid of this week turned out to be an e-mail.
    I want to be more like the woman at the bus stop who was simply waiting.
    I have lived in this city long enough to give wrong directions with confidence.
    It was an ordinary day, and I wouldn't mind a few hundred more of them.
    I'd meant to decide something today, but it can wait.
    Perhaps I'm a morning person after all, just not at weekends.
    Old enough to know better, and to go to bed.
    There are days when the best thing is the bread.
    I noticed today that I whistle when I'm nervous.
    Thought about ringing someone I've lost touch with, and got as far as the number.
    I said yes to something in three weeks' time, and future me will have words with me.
    Somewhere in this flat is my [good pen|other earring|library card|sense of purpose|tape measure].
    I miss Whitby most when it smells of tar here.
    # close
    Last sound of the day: {noise}.
    To bed with "{book}".
    {drink}, then bed.
    A last look at [the sky|the list|the yard|the calendar|the street] and then sleep.
    <!cat> A last look at the street, all the windows dark.
    {noise}, the lamp, this page.
    @jonas is already asleep, diagonally.
    @jonas is calling that the tea's cold.
    I'll stop here, before I start on {worry}.
    Half past {w9-11}; good night.
    Goodnight to {noise}.
    More about {subject} another time.
    The rest can go into tomorrow's page.
    There was more, but it was {weekday}.
    Ink nearly out, me too.
    In bed by ten, feet warm.
    Bed.
    That's all; the kettle's on.
    Nearly asleep over this page.
    Now the dishes.
    Enough for one {weekday}.
    To bed, with the window open a hand's width.
    <openday> Tomorrow: {errand}.
    <openday> I must not forget {errand} tomorrow.
    Note to self: {wish}.
    The rest is laundry.
    Lights out; I can hear {noise}.
    Wrote this at the kitchen table with the radio on low.
    Tea, teeth, bed.
    Nothing else worth ink.
    More tomorrow, I hope, or less.
    And so to bed, as the man said.
    Ten past eleven, and I'm the last one up.
    Quiet now, but for {noise}.
    Going to read one more chapter.
    I can hear {noise} tonight.
    Too tired to spell.
    Tomorrow will be long, so I'll be brief.
    Early start tomorrow.
    The candle's nearly down, so that's it.
    One more biscuit, for the writing.
    # list.shop heading
    Bought today:
    Carried home:
    What's in the bag:
    From my shopping, in order of regret:
    # list.shop item
    {veg}, too much
    lightbulbs, the small kind
    string
    {gift}, for no one in particular
    stamps
    a loaf, still warm
    the good scissors
    six eggs, one already broken
    a blue button to match the coat
    a bunch of dill
    needles for the sewing box
    candles, white
    a lemon
    # list.small heading
    Good things:
    Small victories:
    Three cheers for:
    Worth keeping:
    Nice today:
    # list.small item
    the smell of the stairwell after rain
    {bird}, from the bus
    nobody rang before nine
    a seat by the window
    an hour without the phone
    {cake}, two slices
    a letter, handwritten
    the missing glove, found
    the bus that waited
    warm socks from the radiator
    a compliment from a stranger about the scarf
    @jonas, laughing in the next room
    # list.next heading
    For tomorrow:
    To remember:
    Still to do:
    On the list:
    # list.next item
    ring the plumber
    {errand} before noon
    ask @mum about the recipe
    answer Dana's letter
    return the library books
    descale the kettle
    {paper}, really
    find the other glove
    buy stamps
    thank Ingrid for the jam
    put the bicycle light on to charge
    # title
    A slow {weekday}
    One of those days
    Small repairs
    Nothing much
    Long day, short note
    A better day
    Odds and ends
    Before I forget
    Late
    A list of sorts
    Notes from the kitchen
    {weekday} again
    An hour to spare
    Tea and other matters
    In passing
    Two steps forward
    By the skin of it
    Everything at once
    """
}

extension SampleWords {
  static let skies = """
    # sky.sun
    Sun all day, {degrees} degrees, and the whole street out on the steps.
    <!winter> Blue sky from end to end; I ate everything I could outdoors.
    The light in the kitchen was so good this morning that I cleaned the windows.
    <spring> Proper spring sun. People were standing against walls like lizards.
    <spring> The first day without a coat, {degrees} degrees, and half of the city overdid it.
    <spring> Sun, blossom, and everybody polite for once.
    <summer> Hot in the sun, cool in the stairwell, exactly as it should be.
    <summer> Still light at ten, so nobody goes home.
    <summer> {degrees} degrees and a breeze off the river.
    <autumn> One of those gold days. I took the long way to everything.
    <autumn> Low sun, long shadows, {degrees} degrees.
    <autumn> The trees along the canal are showing off.
    <winter> Cold and bright; the sun came as far as the third step.
    <winter> Sun at last, low and straight into the eyes.
    <winter> A clear day, {degrees} degrees, breath like smoke.
    Not a cloud until four.
    # sky.cloud
    Grey, but a friendly grey.
    The clouds sat on the roofs all day and did nothing.
    {degrees} degrees and no weather to speak of.
    The sky was the colour of the river, or the other way round.
    A dull day outside.
    <winter> Dark at eight, dark at four, and grey in between.
    <winter> Lamp on all day.
    <spring> Cloudy, with a smell of earth.
    <spring> It wanted to be sunny and couldn't quite.
    <summer> Grey and mild, {degrees} degrees; nobody sweating, nobody complaining.
    <summer> A cloudy day in summer is a gift to pale people.
    <autumn> Grey sky, and leaves stuck to everything.
    <autumn> Overcast, and chestnuts drumming on the parked cars.
    No sun, no rain.
    # sky.drizzle
    Drizzle, the sort you only notice when you're wet.
    It drizzled all day without putting its heart into it.
    Fine rain, {degrees} degrees, every bicycle saddle in the city wearing a bag.
    Wet without having rained, as they say here.
    The kind of rain that goes up sleeves.
    <autumn> Drizzle and wet leaves; the pavement like soap.
    <winter> Drizzle at {degrees} degrees, which is only snow without the ambition.
    <spring> Soft rain, good for the seeds and bad for the hair.
    <summer> Summer drizzle, warm as a bath that's been left.
    My glasses needed wipers.
    Drizzle again, so the hood stayed up and I saw the city as through a letter box.
    # sky.rain
    Rain from the moment I woke, and still at it.
    Rain. My shoes are on the radiator, full of newspaper.
    It poured so hard at noon that the buses put their lights on.
    Rain against the window all night, which I like as long as I'm inside.
    The umbrella gave up on the bridge, in front of an audience.
    Wet through twice; the second time I didn't even run.
    <summer> The rain came down warm and straight and brought the smell of the street up.
    <autumn> Proper autumn rain, and the gutters full of lime leaves.
    <winter> Cold rain, {degrees} degrees, and everyone on the bus steaming.
    <spring> Rain, and then ten minutes of sun to show what it could do.
    Rain on the skylight, so loud that we turned the radio up twice.
    It rained on the just and on the laundry.
    # sky.storm
    The ferries have stopped, and half of the office came in with wet maps of the underground.
    A night of slamming; in the morning the street was full of twigs.
    Someone's trampoline is in the canal.
    The storm took the power for an hour, and we found out who owns candles.
    Leaned into the wind to the bus stop, then had to be careful when it dropped.
    Storm since the early hours; the ferries stopped, and the fish market is under water.
    It blew so hard that the bins went visiting.
    The wind took a plant off the balcony, and we never heard it land.
    Storm. I held on to a lamp post on the bridge next to a man holding on to the other side.
    Gusts all day, the windows whistling the same three notes.
    A storm warning on every phone at once in the tram; we looked up like meerkats.
    Branches all over the bicycle path, and one whole tree, politely, beside it.
    # sky.snow
    Big wet flakes that were gone before they landed.
    Snow on the market stalls, snow on the cheese.
    The children's sledges were out on every bridge with a slope.
    It snowed into my coffee on the step, and I let it.
    {degrees} degrees and snow, and every dog in the quarter out of its mind with joy.
    Snow! Three centimetres, and the city forgot how to walk.
    It snowed all morning, and everything went quiet.
    Snow, {degrees} degrees. Somebody built a very small snowman on our letter box.
    Fresh snow, one line of cat's paws, one line of postman.
    Snow that stays, for once. I walked home just to hear it.
    The snow was grey by noon, but at seven it was perfect.
    # sky.frost
    The canal is creaking.
    Frost flowers on the cellar window, the only art in the building.
    My nose went numb between the door and the corner.
    Everything crunches.
    A cold so dry that the doors squeak.
    Frost on the inside of the kitchen window, {degrees} degrees outside.
    Clear and bitterly cold; the puddles had lids on.
    Scraped the frost off the bicycle saddle with a library card.
    Cold enough that my scarf froze where I breathed on it.
    Bright frost, and every twig drawn with a white pencil.
    {degrees} degrees this morning. I wore both coats.
    # sky.fog
    Came out of the door into cotton wool.
    You could taste the fog, something between iron and bread.
    The lamps along the water had haloes like bad saints.
    Fog. I followed a red scarf for a whole street, and it knew the way.
    The fog lifted at two, looked round, and came down again.
    Fog so thick that the ships were only voices.
    Fog until noon; I heard the bus before I saw it.
    The other side of the street had gone this morning.
    Fog on the river, and the cranes standing in it up to the waist.
    Everything damp and soft-edged.
    Foghorns all night, a big one and a small one, like a couple.
    # sky.heat
    The trams smell of hot rubber and sun cream.
    We ate dinner with our feet in the washing-up bowl.
    No one in this city owns a fan until the third day.
    {degrees} degrees; the butter has given up.
    The fountain on the square was full of children, and one bank clerk.
    Every window in the street open, every radio on.
    {degrees} degrees. We drew the curtains and lived like moles.
    Too hot to sleep, too hot to complain about it properly.
    The asphalt took an impression of my heel.
    {degrees} degrees in the shade, and no shade.
    Cold {soup} for everyone, I decided at noon, and then ate ice cream.
    Slept on the kitchen floor, on the tiles.
    Everybody walks on the same side of the street, the dark one.
    Hot. Even the gulls had their mouths open.
    # sky.wind
    The wind is from the east and has teeth.
    Chimneys moaning, washing line singing.
    A newspaper followed me home.
    The gulls flew backwards past the window.
    My umbrella has been promoted to sculpture.
    Windy enough to have opinions about.
    A west wind that turned every umbrella into a flower.
    Wind all day; my hair arrived before I did.
    The laundry went round the line like an acrobat.
    Gusty, {degrees} degrees, flags out flat.
    The wind came round the corner with somebody's hat in it.
    # tripsky.fine
    Sun again in {city}, {degrees} degrees, not a cloud.
    Woke to a blue sky and the sound of somebody else's street.
    {degrees} degrees, so we walked on the shady side.
    The sort of morning one travels for.
    Light through strange curtains, and for a second I had no idea where I was.
    Bright and warm; I've got a stripe on each foot from the sandals.
    Fine weather, and a breeze with salt or diesel in it.
    # tripsky.wet
    Rain in {city}, which I hadn't packed for.
    It rained, so we saw more of the cafés than of the sights.
    Wet all morning; bought an umbrella I'll leave on a train.
    Rain on a foreign roof sounds just the same.
    {degrees} degrees and raining, and the street sellers changed from fans to umbrellas in a minute.
    # tripsky.plain
    Grey sky over {city}, good for walking.
    Cloudy and {degrees} degrees, so no hats needed.
    A mild grey day; all the colours of the houses came forward.
    No sun today, and the photographs are better for it.
    Slept well in spite of the pillow.
    # season
    <spring> The swifts aren't back yet. I've started looking up anyway.
    <spring> Everyone is selling tulips, and I fall for it each week.
    <spring> The evenings are longer, and I notice it when I lay the table.
    <spring> The chestnut in the yard has sticky buds the size of thumbs.
    <spring> Somebody has put the benches back out along the canal.
    <spring> I put the winter boots away, so it'll freeze.
    <summer> The ice-cream queue reaches round the corner and has regulars.
    <summer> Windows open, so we know what everyone on our side is cooking.
    <summer> Half the city is away, and there are seats on the bus.
    <summer> The lime trees are dripping on everything that stands still.
    <summer> Swifts screaming round the roof at nine in the evening.
    <summer> Barefoot on the kitchen tiles, my favourite thing about this month.
    <autumn> The first spider has moved into the bathroom for the season.
    <autumn> Conkers in every coat pocket again.
    <autumn> The heating came on with a bang and a smell of dust.
    <autumn> We have reached the time of year when I light candles at five.
    <autumn> Leaves in the hall, leaves in the bed.
    <autumn> The swimming lake is closed, and the last swimmers stood there in their bathrobes, arguing.
    <winter> The neighbours' window star is up.
    <winter> Dark when I left and dark when I came home.
    <winter> I have reached the third layer of jumpers.
    <winter> There's ice on the small canal, thin as a watch glass.
    <winter> The days are getting longer, they say; by a cock's stride.
    <winter> Everybody on the train has the same cough in a different key.
    <advent> Advent, and the smell of burnt almonds on every square.
    <advent> Opened the next door of the calendar: a trumpet, made of chocolate, tasting of cupboard.
    <advent> Christmas cards, sixteen done, the difficult ones left.
    <advent> The star in the window has lost a ray, and we turned that side to the wall.
    # open.free
    Slept in, by our standards.
    A {weekday} without a plan, which is the plan.
    Woke at six from sheer habit and lay there, rich.
    Church bells, coffee, no hurry.
    We had meant to do so much today.
    A slow start, slippers until noon.
    The whole day free, and I spent the first hour looking for my glasses.
    Woke up to @jonas sharpening a chisel in the kitchen, which is love, I suppose.
    A day with holes in it, the good kind.
    Nobody rang, nobody came before eleven.
    Pottered about until it was nearly lunch.
    A quiet {weekday}, on the whole.
    # tripclose
    To bed with sore feet.
    Hung the wet things over every chair we have.
    Counted our money and had another coffee on the strength of it.
    The day was exactly long enough.
    Tomorrow early, if we hear the alarm.
    Wrote the day down before it could run into the others.
    Ate far too well.
    Bed with the shutters open.
    The notebook is half full, and so am I.
    I keep a ticket from each day in the back of this book.
    My notebook smells of oranges.
    I'm writing this at the window, with the street still going on below.
    Tomorrow nothing, we've said, and we both know it isn't true.
    Spent too much and regret none of it.
    Ears full of somebody else's language.
    I could live here, I said, as I do everywhere, and {companion} nodded, as always.
    Postcards written, stamps forgotten.
    The pillow is a roll of something; I sleep like a stone on it.
    Wrote this on the balcony till the ink gave out.
    Half asleep already.
    """

  static let homeLife = """
    # cat
    Miso has brought us a sock from another household.
    Miso slept on my clean jumper and has improved it with hair.
    Miso has decided that the bath is hers.
    The cat knocked my glass off the table while looking me in the eye.
    Miso sat in the window all afternoon, at war with one particular blackbird.
    Miso was sick in @jonas's slipper, the left, as ever.
    Woke with the cat across my throat like a warm scarf.
    Miso has found the one sunny square in the flat and moves with it, hour by hour.
    I opened a tin of tuna in secret, and Miso was there before the lid was off.
    Miso won't eat the expensive food, nor, out of principle, the cheap one any more.
    Found Miso in the linen cupboard, between the good sheets, purring at nothing.
    Miso caught a moth and was as surprised as the moth.
    The cat chewed through a charging cable, and it served us right for having so many.
    Miso followed @jonas all round the flat, complaining, like a foreman.
    <winter> Miso lives on the radiator now, one leg hanging down.
    <summer> Miso lies on the tiles like something spilled.
    <newflat> Miso came home with a burr behind each ear and wouldn't say where she'd been.
    <newflat> The neighbours say they have a cat called Princess who looks exactly like Miso, between two and four.
    Miso watched the washing machine to the end, including the spin.
    Miso has learned to open the bread bin.
    # jonas
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
    The plastic owl wears a hat now; nobody has confessed.
    Gerald is leaning towards the neighbours.
    One of Gerald's children has been seen in the window of the chemist's.
    The man on the number 15 has moved on to Vivaldi.
    Somebody has taken in the left-hand gloves and hung up a right.
    There's a new sign on the lift across the road: "Out of order again". The "again" is printed.
    Gerald, the spider plant, has another child; that makes nine.
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
    Somewhere in this flat is my good pen.
    I miss Whitby most when it smells of tar here.
    # close
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
    Lights out; somebody downstairs is still laughing.
    Wrote this at the kitchen table with the radio on low.
    Tea, teeth, bed.
    Nothing else worth ink.
    More tomorrow, I hope, or less.
    And so to bed, as the man said.
    Ten past eleven, and I'm the last one up.
    Quiet now.
    Going to read one more chapter.
    I can hear the ships, so the wind's turned.
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
    # list.todo heading
    For tomorrow:
    To remember:
    Still to do:
    On the list:
    # list.todo item
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

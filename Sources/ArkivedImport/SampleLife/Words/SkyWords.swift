extension SampleWords {
  static let skies = """
    # sky.sun
    Sun on the breakfast table, on the butter, on @jonas.
    A blue {weekday}, {degrees} degrees.
    {degrees} degrees and sun; I moved my chair {w3-6} times to stay in it.
    The whole [yard|street|harbour] hung out its washing.
    Bright enough to see [the dust|every fingerprint on the windows|what I've been calling clean].
    <spring> Sat on the [step|bench by the canal|wall] with my face up for ten whole minutes.
    <spring> Sun, {degrees} degrees, and {bird} over the yard.
    <summer> A sky like a poster for somewhere else.
    <summer> The evening sun came right through to the hall.
    <autumn> Sun through yellow leaves, so the kitchen is the colour of beer.
    <autumn> {degrees} degrees and golden; everybody on the street walked slower.
    <winter> Sun for an hour at noon, and we all stood in it like cattle.
    <winter> Low sun straight down our street, everyone walking with a hand up.
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
    Not a cloud until [four|three|after lunch|the evening].
    # sky.cloud
    White sky, [no shadows|flat light|nothing to say about it].
    It brightened up at [five|half past four|noon], briefly, like somebody remembering a name.
    [Cloudy|Overcast|Grey] and [still|mild for {month}|windless], {degrees} degrees.
    You couldn't have said [what time|which month] it was by the light.
    Grey over the river, a yellow strip at the bottom, as if someone had left a door open.
    The weather has taken the day off.
    A grey {weekday}.
    Clouds like [dishwater|unironed sheets|porridge|old snow].
    <summer> Thick warm clouds, everyone waiting for a storm that didn't come.
    <winter> The lamps in the street never really went off.
    <autumn> Grey, damp, the first [scarf|gloves|woollen tights] of the season.
    Grey, but [a friendly grey|a soft grey|only as far as the river|dry].
    The clouds sat on [the roofs|the cranes|the church tower|the river] all day and did nothing.
    {degrees} degrees and no weather to speak of.
    The sky was the colour of the river, or the other way round.
    A dull day outside[, a bright one at the desk|; I hardly noticed|, lamp on by three|, and just as well].
    <winter> Dark at eight, dark at four, and grey in between.
    <winter> Lamp on all day.
    <spring> Cloudy, with a smell of earth.
    <spring> It wanted to be sunny and couldn't quite.
    <summer> Grey and mild, {degrees} degrees; nobody sweating, nobody complaining.
    <summer> A cloudy day in summer is a gift to pale people.
    <autumn> Grey sky, and leaves stuck to everything.
    <autumn> Overcast, and chestnuts drumming on the parked cars.
    [No sun, no rain|Neither sun nor rain], {degrees} degrees.
    # sky.drizzle
    Drizzle on and off, {degrees} degrees; coat on, coat off.
    A wet sort of {weekday}.
    It rained just enough to [ruin the washing|make the stairs slippery|wet the bread|cancel the ice-cream man].
    Rain so fine that it hung there.
    The [canal|river|street] and the sky met somewhere in the middle today.
    Three showers, one rainbow, [nobody looked up|a child pointed|gone before I found the camera].
    Damp, {degrees} degrees, [my hair twice its size|everything smelling of dog|matches won't strike].
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
    Rain on the [tin roof|skylight|bins|balcony] from {w4-7} o'clock on.
    {degrees} degrees and pouring.
    Rain. The [gutter|cellar|bus shelter] is overflowing again.
    Rained [all day|without a break|sideways], and I was out in most of it.
    A {weekday} under water.
    We ran from the [stop|bakery|station] to the door and still had to wring ourselves out.
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
    <spring> {springveg} everywhere, and the sauce to go with it.
    <spring> The clocks, the birds, the neighbours' drill: everything starts earlier.
    <spring> Pulled {w2-5} coats off the hook and found last year's gloves behind them.
    <summer> {summerveg} for dinner, because that's what there is.
    <summer> Heard {bird} before I heard the traffic.
    <summer> The harbour smells of [tar|weed|sunscreen|fried fish] again.
    <summer> Every second door in the street has a "back in two weeks" on it.
    <autumn> Cooked {autumnveg} in every form known to @ingrid.
    <autumn> Geese over the house, going the sensible way.
    <autumn> Put the [thick duvet|storm lamp|winter boots|draught excluder] back where it belongs.
    <winter> Lit a candle at [four|half past three|breakfast].
    <winter> {winterveg}, again; it's that or the freezer.
    <winter> My [hands|lips|boots] have cracked, as they do every {month}.
    <winter> I wore {w2-3} pairs of socks and regretted nothing.
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
    <winter> I have reached the third layer of jumpers.
    <winter> There's ice on the small canal, thin as a watch glass.
    <winter> The days are getting longer, they say; by a cock's stride.
    <winter> Everybody on the train has the same cough in a different key.
    <advent> Advent, and the smell of burnt almonds on every square.
    <advent> Opened the next door of the calendar: a trumpet, made of chocolate, tasting of cupboard.
    <advent> Christmas cards, sixteen done, the difficult ones left.
    <advent> The star in the window has lost a ray, and we turned that side to the wall.
    # open.free
    {breakfast} before anyone could want anything.
    @jonas let me sleep, and I let him think I was asleep.
    A {weekday} with nothing in it but {chore}, and I moved that.
    Woke up to {noise} and went straight back to sleep.
    [Slow|Late|Lazy] start; {breakfast}; the paper; then, gradually, trousers.
    The kind of {weekday} that you could do twice.
    I'd planned to do {chore} and did {paper}, or nearly.
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
}

extension SampleWords {
  static let officeLife = """
    # open.work
    <winter> Dark when I left and dark when I came home.
    Up at {w5-6}, out by seven, home by six.
    {breakfast} standing up, then straight into it.
    A {weekday} of small things.
    A headache until noon, then it was gone.
    The day got away from me at about [ten|eleven|the first phone call].
    Woke to {noise} and knew that it would be a day of that kind.
    I got more done before {w9-10} than after.
    A {weekday} like a drawer: everything in it, nothing to hand.
    My head was full of {worry}, so I made lists.
    Lists all morning, people all afternoon.
    The alarm went at six and I argued with it until half past.
    Missed the early bus by the length of my own scarf.
    A proper working day, nose down from nine to half past five.
    {weekday}, which went by in one piece.
    First in at the office, so I got to switch on the lights and feel important.
    One of those days with more tabs than thoughts.
    Slept badly, worked well; I don't understand it either.
    Woke before the alarm and lay there feeling smug.
    The day began with a lost key and never quite got over it.
    Nothing went wrong before ten, which set the tone.
    I wore odd socks all day and nobody said a word.
    Started the day with the hardest thing for once, and by eleven it was gone.
    Too many people wanted five minutes today.
    <!lockdown> Shared the lift with a man and a double bass.
    <!lockdown> The ferry was late, so I was late, and for once it was their fault and also ours.
    <!lockdown> Cycled behind a removal van all the way and read the same advertisement for two kilometres.
    <lockdown> Commute: eleven steps, one of them over the cat's mouse.
    <lockdown> Put on proper shoes for the first call, as an experiment.
    A short night, a long list.
    The sort of {weekday} that thinks it's a Monday.
    Woke up with {song} in my head and it stayed until lunch.
    Had the whole morning without a single meeting, and I spent it like money.
    # officelife
    Overheard in the corridor: {overheard}
    Overheard in the canteen: {overheard}
    Somebody has fixed the {officefault}, so now there's nothing to talk about.
    I was thanked for something I hadn't done and blamed for something nobody did, so it's even.
    Brought {cake} to work, gone by {w10-11}.
    There's {officefind} in lost property, and no one has come for it.
    Drew {w3-9} boxes and four arrows and called it a process.
    Had my back to the window all day and missed {bird}, I'm told.
    {n11-60} e-mails about the {officefault}.
    A man came to repair the {officefault} and stayed for {cake}.
    Someone has written {overheard} on the whiteboard and no one has wiped it off.
    I hummed {song} at my desk, out loud, it turns out.
    @alexkim has moved a plant in front of his desk, "for depth".
    @alexkim taught the speech program to swear in Hamburg dialect.
    @alexkim and I ate {cake} on the fire stairs and said we should do it more often.
    I said "as I said" and hated myself a little.
    For an hour this afternoon everyone was quiet at the same time, and the work came in like a tide.
    The {officefault} at work [now asks for a name before it refuses|has been given a name, Uschi|beeps in Morse|works only for @alexkim].
    Somebody has labelled every yoghurt in the office fridge, including mine, with their own name.
    The {officefault} is out again; there's a notice, and under the notice a drawing.
    The office plant has put out a leaf, and there was a mail about it.
    A pigeon walked through the front door of the office, looked round, and left.
    The window on our side opens now. It took eleven months and a form.
    The new [chairs|mugs|headphones|calendars] have arrived, and everybody has quietly gone back to the old ones.
    They are drilling next door again, in B flat.
    The printer printed somebody's whole novel, and no one has claimed it. It isn't bad.
    Fire drill at three. We stood in the car park and got to know each other.
    The biscuit tin was empty by ten; an enquiry has been opened.
    Somebody left {officefind} under my desk.
    The heating at work has two settings, Finland and bakery.
    Found my umbrella at the office, the one I lost in the spring.
    The cleaner told me which of us is the tidiest. It's not who you'd think.
    The whole floor smelled of somebody's fish, and he knows we know.
    The clock in the meeting room is eight minutes fast and has been obeyed for years.
    A visitor took my desk for an exhibit.
    From my window I counted {w4-11} tugs, and called it thinking.
    The kettle has a note on it, and the note has a reply.
    A child on a school visit asked me whether I draw all day. I said yes.
    My chair has sunk again, and I worked the afternoon at chin height.
    # homeoffice
    @alexkim has named his three background pictures, and I am fond of "fjord".
    We held the whole meeting without a single "you're muted", and someone pointed it out, muted.
    The postman and I now know each other's dressing gowns.
    Had a call in the bedroom, one in the hall, one in the yard; I call it travelling.
    @jonas's saw came through in every meeting today, in the same place as the applause.
    I ironed a shirt for the top half.
    @jonas made a sign for the kitchen door that says "on air" on both sides.
    Half the team froze mid-sentence, and one of them was only thinking.
    Saw @alexkim's kitchen, @alexkim's brother and @alexkim's brother's bicycle, all in one call.
    I've started saying goodbye to the table at six.
    My desk is the ironing board, set to its highest rung, and I recommend it.
    Nobody has seen my shoes since March, I told @alexkim. Nor have I.
    Waved at the end of every call, at everyone, like a ship leaving.
    <cat> Miso sat on the keyboard and sent a single "ü" to the whole company.
    The neighbour's child practises times tables through the wall; we are at seven.
    Wore the good earrings to a call with the camera off.
    The internet went at eleven, and we all read books until it was back.
    Three people apologised for their own doorbells today.
    """
}

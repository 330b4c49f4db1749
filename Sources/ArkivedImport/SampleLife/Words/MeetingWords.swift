extension SampleWords {
  /// The contents of minutes; `{p}` is a participant.
  static let minutes = """
    # minutes.standup
    Nobody is stuck today, which has been written down as an event.
    {p} is stuck on {bug}; we look at it together after lunch.
    # minutes.planning
    {feature} first, then the rest of {project}.
    We have {w2-4} free days this week, and all of them are spoken for.
    {p} is away from {weekday} on, so {feature} waits.
    Everything for {project} that has no name on it goes back on the pile.
    The estimate for {feature} is {w3-9} days, said {p}, and meant it.
    Open question: who tells {client} about {bug}?
    # minutes.boss
    {p} asked how the load is. Honest answer: full, not overflowing.
    Training budget: {n300-900} euros are left for this year.
    {p} wants a short written plan for {project}, one page at most.
    We talked about who could stand in for me in the summer.
    {p} has heard good things about {feature} from upstairs.
    My wish for four days a week is noted, says {p}.
    # minutes.mentee
    {p} would like to try user tests alone; good.
    Went through {feature} and found that the second step can go.
    {p} asked how to say no to a client. Short answer: early.
    Reading for next time: the chapter on error messages.
    # minutes.review
    {feature}: the contrast is too low on the dark screen.
    {feature}: people look for the back button at the top left.
    {bug} turned up again, this time with a witness.
    The order of the stops is right, the order of the words isn't.
    {w2-5} small remarks on {feature}, all of them on the board.
    # minutes.client
    {p} is happy with {feature} and worried about the date.
    {p} asks for the numbers of passengers per pier, by hour.
    The pricing of the second phase is open; {p} will ask inside.
    {p} showed photos of the new piers; the signs are blue now.
    They want {feature} in Danish as well.
    # minutes.team
    The tidy-up list has {n8-30} lines; we took the top three.
    Everybody would like fewer notifications.
    The workshop room is booked for the whole of {month}.
    # minutes.retro
    Good: {feature} was ready a day early.
    Good: nobody worked on the weekend.
    Bad: we heard of {bug} from outside first.
    Bad: two meetings about one button.
    Try: an hour without messages in the morning.
    # minutes.other
    {p} thinks in boxes, I think in arrows; the drawing has both.
    The numbers for {project} add up now.
    Half of {feature} can be taken from the old version.
    We listed what we don't know yet: {w3-7} points.
    # minutes.launch
    {project} is live; first visitor at {w10-11} minutes past ten.
    No alarm in the first hour, one in the second, false.
    # minutes
    {p} took the hardest part, unasked.
    The next step is small and clear.
    We ran over by {n5-20} minutes.
    Everyone had read the papers, for once.
    We come back to {feature} in two weeks.
    The risk is time, not money.
    {p} brought an example that settled it.
    There was no agenda, and one could tell.
    {bug} is not urgent and not forgotten.
    It would help to see it on a telephone.
    Long silence after the question of who writes it down. I do.
    {p} will be away around the {n10-20}th.
    # minutes.decision
    {feature} stays as it is until the summer.
    {feature} is cut from the first version of {project}.
    The pricing of {project} is by pier, not by passenger.
    The pricing stays flat for the pilot.
    We test {feature} with {w4-8} people before anybody builds it.
    We keep the blue, and stop talking about it.
    {p} decides about {feature} alone.
    {bug} is repaired before anything new is begun.
    The launch of {project} moves back by {w2-4} weeks.
    Reports go out on Fridays, in two paragraphs.
    The old timetable page goes when the new one has run for a month.
    We buy the font instead of arguing about it.
    No meetings on Wednesday mornings.
    The German text is the master, the others follow it.
    {project} gets its own telephone number for trouble.
    We write the help texts ourselves.
    Screen readers are tested before each release, not after.
    The trainee leads the next one.
    The map shows north at the top, always.
    We ask for half the budget now and half in the autumn.
    # promise.me
    send {p} the sketches of {feature}
    send {p} the notes by {weekday}
    write up the numbers for {project} by the end of the month
    ask {client} about the new piers
    book a room for the next one
    find out who owns {bug}
    show {p} the old version of {feature}
    draw {feature} once more, without the frame
    rewrite the error message for {bug} by Friday
    give {p} the names of the people we tested with
    ring {p} about the date by Wednesday
    read the chapter that {p} lent me
    order the paper for the workshop
    put the photos of the board in the folder
    tell the team about the new date by tomorrow
    check {feature} on the small screen
    make a one-page plan for {project} by Monday
    # promise.them
    send the passenger numbers by Friday
    send the contract draft
    check {feature} with the screen reader
    ask the harbour office about the signs
    find a date for the next round
    repair {bug} by {weekday}
    bring the figures for {project} next time
    write to the translator
    talk to purchasing about the font by the end of the month
    test {feature} on the slow line by Thursday
    invite the captain to the next review
    look up what the old contract says
    send the photos of the piers
    send a price for the second phase by Tuesday
    """
}

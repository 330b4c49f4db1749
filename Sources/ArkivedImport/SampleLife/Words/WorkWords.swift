extension SampleWords {
  static let meetings = """
    = meet.standup | work | 15-15 | work,meeting | 0 | offices | calendarImport
    a Standup
    a Standup: {project}
    a Daily standup
    a Team standup
    a Standup ({project})
    a Standup, {weekday}
    a Standup with guests
    = meet.planning | work | 45-75 | work,meeting,planning | 3 | offices | calendarImport
    a Planning for the {project} launch
    a Planning: {project}
    a Weekly planning, {project}
    a {project} planning: {feature}
    a Planning round: who does what
    a Planning {month}: {project}
    n We planned the week for {project} in half the usual time, which I take as progress.
    n Planning took an hour and produced eleven cards, of which {w2-5} are mine.
    n In planning we moved {feature} to the front again, because somebody important asked.
    n The plan for {project} now fits on one page, if you write small.
    n Planning. I said two days for {feature} and heard myself mean four.
    n We planned around the holidays, the dentist and @alexkim's hay fever.
    n We cut {feature} in half in planning, and nobody cried.
    n The planning meeting ended early for once, and we all sat there, not trusting it.
    n In planning I volunteered for {feature} before my brain had joined the call.
    n Somebody asked in planning what {project} is for, and it was a good question for a Monday.
    n Half of Monday's planning went on the word "done".
    n We finally wrote down who decides about {feature}: it is me, it turns out.
    a Planning
    a Monday planning
    a Planning round
    a Planning and holidays
    n In planning everyone looked at their hands when it came to the archive.
    = meet.boss | work | 30-45 | work,meeting,1:1 | 3 | offices | calendarImport
    a 1:1 with {p}
    a 1:1 {p} / Nell
    a Catch-up with {p}
    a {p} and Nell, every other Tuesday
    n My 1:1 with {p} was mostly about {project} and a little about sleep.
    n {p} asked what I need, and I said fewer meetings, in a meeting.
    n {p} thinks {feature} will be the part people remember, and I half agree.
    n Told {p} plainly that we are {w2-5} weeks late with {feature}. {he} nodded and made tea.
    n {p} said "leave it with me", which in {his} case is a promise.
    n In the 1:1 I asked for a trainee and got a maybe.
    n {p} and I talked about who could take over {feature} while I'm away.
    n Good talk with {p}; I went in with four worries and came out with two.
    n {p} had read my notes beforehand, all of them, and it saved us twenty minutes.
    n {p} wants me to present {project} in the autumn, and I said yes before I had checked the date.
    n I complained to {p} about the meeting room with no window, and we laughed about it in the room with no window.
    n {p} praised the work on {feature} and then moved the deadline.
    = meet.mentee | work | 30-45 | work,meeting,1:1 | 2 | offices | calendarImport
    a 1:1 with {p}
    a {p}: half an hour on {feature}
    a Walk through {project} with {p}
    a Questions from {p}
    n {p} and I went through {feature} line by line, and {he} found two mistakes of mine.
    n I showed {p} how we test {feature}, and explaining it made me see the hole in it.
    n {p} asked why we do it like this, and I had no better answer than habit.
    n Half an hour with {p} on {project}. {he} takes notes by hand, like me.
    n {p} is stuck on {feature}, so we drew it on the window with the wipeable pen.
    n {p} has a better idea for {feature} than mine, and I told {him} so.
    n Spent my half hour with {p} talking about holidays instead of work, and that was right too.
    n {p} will take {feature} from me next week, and I feel lighter already.
    = meet.review | work | 45-60 | work,meeting,review | 3 | offices | calendarImport
    a Review: {project}
    a Design review: {feature}
    a {project} review
    a Review of {feature}
    a Demo and review, {project}
    n In the review @alexkim broke {feature} within a minute, which is what reviews are for.
    n The review went well until somebody mentioned {bug}.
    n We reviewed {feature}; three remarks, all fair, one of them annoying.
    n <!lockdown> The review was short because the projector died, and it was better for it.
    n Showed {feature} in the review. Silence, then one "nice" from the back.
    n In the review we argued about a single button for twenty-five minutes.
    n I had prepared for every question about {feature} except the first one.
    n The {project} review brought {w2-6} new wishes, and I wrote down two.
    n People in the review liked {feature} best in the version I had thrown away.
    n Review done. I was nervous for no reason, as usual.
    n We decided in the review to live with {bug} until spring cleaning, whenever that is.
    n The demo worked on the first try, and now nobody believes it was live.
    = meet.client | work | 45-60 | work,meeting,client | 4 | offices | calendarImport
    a Call with {P}: {project}
    a {project}: weekly call with {p}
    a {p} and team, {project}
    a Client call: {feature}
    n {p} rang in from a pier, with gulls, and approved {feature} over the noise.
    n The call with {p} was brisk; {he} wants {feature} first and everything else later.
    n {p} has shown {feature} to {his} people, and they want it in yellow.
    n {p} asked about {bug}, so word has travelled.
    n I told {p} the honest date for {project}, and {he} thanked me for not being polite.
    n {p} sent forty pages before the call and had changed {his} mind by page three.
    n With {p} we agreed on {feature}, shook hands on it, and I wrote it down this time.
    n {p} laughed at my drawing of {feature}, and then asked to keep it.
    n {p} cancelled half the wish list {him}self; I only had to wait.
    n {p}'s people tried out {feature} last week, and one of them cried, in a good way, she says.
    n Long call with {p}. {he} is worried about the budget, and now so am I.
    n {p} explained to me how it really works out there, and I have to redo {feature}.
    n {p} put us on loudspeaker in the canteen, so lunch heard about {bug} too.
    = meet.team | work | 30-45 | work,meeting | 1 | offices | calendarImport
    a Team hour
    a Team hour: what next?
    a Team: ideas for the spring
    a Team: tidy-up list
    n In the team hour we made a list of things to repair before the next big job, and it has two pages.
    n We talked about what comes next, and everybody looked at the ceiling.
    n The team hour was gossip, honestly, and useful.
    n We split the tidy-up list by drawing straws; I got the error messages.
    = meet.retro | work | 60-60 | work,meeting,retro | 3 | offices | calendarImport
    a Retro
    a Retro: {project}
    a Retrospective, two weeks of {project}
    a Retro with biscuits
    n In the retro everybody wrote "fewer surprises" on their card.
    n The retro was kinder than the last one; @alexkim had baked.
    n We spent the retro on {bug} and how it got past all of us.
    n Retro. I said out loud that I had been short with people this week, and it helped.
    n The best card in the retro said only "windows, please".
    n <!lockdown> For the retro we went outside and stood in a circle like a very dull sect.
    n The retro gave us two things to try, and one of them is to have shorter retros.
    n Nobody wanted to start in the retro, so the trainee did, and was right.
    n In the retro we found out that two of us had repaired {bug} twice.
    n We ended the retro with thanks, one for each person, and I got mine for the soup.
    = meet.other | work | 30-60 | work,meeting | 2 | offices | calendarImport
    a {feature}: sketching with {p}
    a {p}: numbers for {project}
    a Workshop on {feature}
    a {p} / Nell: {bug} => With {p} I went hunting for {bug}; we found its nest but not the animal. // An hour with {p} on {bug}, door shut, phones off: more done than in the whole week.
    a Interview for the open post, with {p} => We interviewed someone together, {p} and I, and both liked her within a minute. // In the interview {p} asked about failure, and the man told us about a soufflé. // {p} and I interviewed somebody who had printed out our whole website.
    a Working session with {p}
    a Accessibility check with {p} => {p} and I went through {feature} with the screen off, by ear alone. // {p} used {feature} with one thumb and a blindfold, and we fixed eleven things.
    a Budget round with {p} => {p} explained the budget to me for the third time, and I believe it has taken. // Budget with {p}: everything costs what it costs, and then a bit. // {p} found four hundred euros in a column where nobody had looked.
    a Handover with {p} => Handed the notes on {feature} over to {p} and felt rather generous. // {p} is taking over {feature}, and I gave {him} my good pencil along with it.
    n {p} and I sketched {feature} on the back of an agenda, and that is the version we'll keep.
    n {p} had the numbers, I had the pen, and between us we had a slide.
    n {p} said something about {feature} that I keep turning over.
    n {p} was late, then apologised with a pretzel.
    n {p} and I disagree about {feature}, and we agreed to sleep on it.
    a Half an hour with {p}
    a {p}: how we write things down
    n {p} drew everything as a river, with me as one of the rocks.
    n With {p} I cleared up something that had been annoying us both since spring.
    = meet.launch | work | 60-60 | work,meeting,launch | 9 | offices | calendarImport
    a {project} goes live
    n {project} is live. Ten past ten, one click, and then nothing happened, which is what you want.
    n We launched {project} today, and by noon the first strangers were using it.
    n Launch day. @alexkim pressed the button, I watched the numbers, somebody cried into the cake.
    n {project} is out in the world: {what}, done, after all these months.
    n The launch went so quietly that @alexkim checked twice whether it had happened.
    = work.kickoff | work | 60-120 | work | 3 | offices
    a {project}: reading the brief
    a notes for {what}
    a {project}, list of open questions
    a first sketches for {project}
    a {project}: who needs what
    a read everything {client} sent
    a {project}: a name for every screen
    n We've started on {project}: {what}. I like it already and distrust that.
    n The brief for {project} is eleven pages long and says it should be simple on each of them.
    n {project} is new enough that every idea is still good.
    n Read {client}'s papers all morning. There is one sentence in there that matters, on page nine.
    n I filled a notebook with questions about {project}, mostly ones beginning with "but".
    n The first sketches for {project} are on the wall. They look like a child's map.
    n {client} talks about {project} with both hands, even on the telephone.
    n I walked along the route with {client} in my head, trying to be a person who needs {what}.
    n New project, new folder, new pencil.
    n Everybody at work has an opinion on {project} and nobody has read the brief.
    = work.research | work | 60-150 | work,research | 3 | offices
    a {project}: interviews, day {w2-6}
    a typed up interviews for {project}
    a <!lockdown> rode the line with a clipboard for {project} => Stood in the wind with a clipboard for two hours for {project} and was taken for an inspector. // Rode up and down the line with a clipboard, and by noon the driver was saving me a seat. // On board with the clipboard for {project}; a child asked if I was counting people. I was.
    a {project}: sorting the answers
    a <!lockdown> paper test of {feature} => The paper version of {feature} works; now we have to make the real one as good as paper. // Tested {feature} with paper and scissors; a retired teacher cut off the wrong half and was right.
    a <!lockdown> watched people use {feature}
    a {project}: summary of what we heard
    a <!lockdown> counted people for {project} => Counted people for {project} from seven to ten, in fives, on my fingers, in gloves. // Counting people is like counting sheep, only they look back.
    a drew {feature}, version {n2-9}
    a {project}: desk research
    n Spent the morning asking people about {feature}, and a man with a ladder gave the best answer.
    n {w3-9} interviews for {project}. Everyone says it's fine, and then they show you how they do it.
    n <!lockdown> Watching strangers try {feature} is the most humbling hour of the week.
    n One of the people I asked about {project} talked for forty minutes about her late husband's boat, and I let her.
    n I typed up the interviews, and the same complaint turns up {w4-9} times.
    n Nobody reads the instructions for {feature}. Nobody ever has, anywhere.
    n A boy of about ten explained {feature} to his mother better than our page does.
    n My notes for {project} have coffee on them, but they say what I need.
    n Sorted two hundred yellow notes about {project} into six heaps, and one heap is called "oh dear".
    n We know now what {project} has to do first. It isn't what we were asked for.
    n Version {n2-9} of {feature} is the first one I'd show my mother.
    n <!lockdown> {client} came along to watch the tests and went very quiet.
    = work.build | work | 60-150 | work | 3 | offices
    a {feature}, all morning
    a {project}: {feature}
    a worked on {feature}
    a {feature}: words and buttons
    a {project}: drew {feature} for every screen size
    a built a first version of {feature} with @alexkim
    a {project}: error messages
    a rewrote the help page for {feature}
    a {feature}, the awkward cases
    a two quiet hours on {feature}
    a {project}: cleared the small stuff
    a {feature}: took out a step
    n Got {feature} to work on the old phone from the drawer, so now it works anywhere.
    n I took a whole step out of {feature}, and nobody will ever notice, which is the point.
    n {feature} is growing a personality.
    n @alexkim and I sat over {feature} till it made sense, then till it made sense the next morning.
    n All day on {feature}. I could draw it in my sleep, and last night I did.
    n The words for {feature} took longer than the thing itself.
    n We have a version of {feature} that you can click, if you click kindly.
    n I wrote forty error messages for {project} and tried to make none of them sound like a teacher.
    n {feature} looks simple at last. It took {w3-8} tries.
    n Somebody wants {feature} to be blue. It is already blue.
    n A good day for {project}: quiet, headphones on, one thing finished.
    n Halfway through {feature} I noticed I was solving last year's problem.
    n I deleted a week of my own work on {feature}, and it is better without it.
    n @alexkim says {feature} is done; I say it is done on his machine.
    n Found a way to do {feature} with half the words.
    n {project} has reached the stage where it's easier to build things than to talk about them.
    n Nothing to show for today on {feature}, except that I know now how not to do it.
    = work.testing | work | 45-120 | work,testing | 3 | offices
    a {project}: test day
    a tested {feature} on nine phones
    a wrote up {bug}
    a chased {bug}
    a {project}: {bug}, again
    a {project}: checked every text
    a {feature}: last wrinkles
    a tests with the people from the pier
    a {project}: list of known faults
    a read {project} aloud to find the bad sentences
    n Today's mystery was {bug}.
    n {bug} is back; I had already written its obituary.
    n We found {bug} at four o'clock, and it was one wrong letter.
    n Tested {feature} with my eyes shut, in the rain, and with gloves on. Gloves won.
    n {w3-9} faults closed on {project}, {w2-5} new ones opened; we are winning slowly.
    n I read every text in {project} aloud to the empty meeting room.
    n @alexkim has named {bug} after a former landlord.
    n An old man tested {feature} for us, found nothing wrong, and then asked what it was.
    n The list for {project} is down to one page. I printed it just to see that.
    n It turns out {bug} only happens on Thursdays.
    n We tested {project} on the slowest phone in the building, which is mine.
    n Nobody can repeat {bug} except me, so I am now a test device.
    n I laughed out loud at {bug}, and then I had to explain it.
    = work.crunch | work | 90-180 | work,deadline | 4 | offices
    a {project}: the long list
    a late at the office for {project}
    a {project}: last fixes before the launch
    a {bug}, hopefully for the last time
    a {project}: rehearsed the launch
    a {project}: went through the list with @alexkim
    a {feature}: final check
    a {project}: wrote the announcement
    n {project} goes live soon, and my to-do list has its own to-do list.
    n Stayed late for {project}. The cleaner and I are on first-name terms.
    n We rehearsed the launch of {project}, and it went badly, so that's done.
    n Everybody is polite in a way that means tired.
    n {bug} is closed, with witnesses.
    n Dinner at my desk: crackers, an apple and a mint from @alexkim.
    n I dreamed about {feature}. It was talking, and it had a point.
    n {client} rings every day now, just to hear us breathe.
    n The announcement for {project} is written. It took four people and has five sentences.
    n We cut {feature} from the first version. I went for a walk round the block and then agreed.
    n If {project} holds together until the launch, I'll sleep for a week.
    n The whiteboard says "no new ideas", underlined twice.
    n I promised @jonas that this stops when {project} is out, and I meant it when I said it.
    = work.launch | work | 60-120 | work,launch | 2 | offices
    a watched the numbers for {project}
    a {project}: answered the first letters
    a {project} live, kept an eye on it
    n The first letter about {project} came after forty minutes and was about the colour.
    n <!lockdown> We stood round one screen all afternoon like people round a fire.
    n Cake at three, a speech at four, and nobody fixed anything till five.
    = work.after | work | 45-90 | work | 3 | offices
    a {project}: letters from users
    a {project}: small repairs
    a {project}: lessons for next time
    a tidied the {project} folder
    a {project}: numbers of the first week
    a wrote a thank-you to {client}
    n A woman wrote to say that {project} got her home, and I've pinned it over my desk.
    n {project} has been out for a while now, and people use it in ways we never drew.
    n Small repairs on {project}, the pleasant kind.
    n The numbers for {project} are good, and suspiciously round.
    n {client} sent a crate of apples for {what}. A crate.
    n Somebody on the bus was using {project}. I looked over his shoulder for two stops and missed mine.
    n Took down the {project} wall. There are pale squares where it hung.
    n I tidied the folder for {project} and found three plans that were better than the one we followed.
    = work.between | work | 60-120 | work | 1 | offices
    a tidied the shared drive
    a wrote an offer for a tender
    a read the pile of reports
    a drawing practice, unpaid
    a prepared a talk
    a <!lockdown> visited a pier that nobody has mapped
    a sorted old sketches
    a helped @alexkim with the archive
    n No big job at the moment, and I keep looking for it like a lost glove.
    n Wrote an offer for a thing we probably won't get.
    n Between two projects the office is almost a nice place.
    n I read three reports about how nobody reads reports.
    n Sorted old sketches. Some were good, and I had forgotten all of them.
    n A slow day of the sort you miss in the busy months.
    n Drew for an hour without any purpose, and told nobody.
    n Cleared out the drawer: eleven pens, no caps.
    = work.small | work | 30-75 | work | 0 | offices
    a mail, down to {n4-30}
    a answered letters
    a timesheet
    a mail and small things
    a slides for {project}
    a wrote the minutes
    a phone calls, {n3-7} of them
    a expenses
    a notes for tomorrow
    a {project}: status for everybody
    a booked the room for the workshop
    a read {client}'s comments
    a cleaned my desk, more or less
    = office | work | 15-25 | work,coffee | 2 | offices
    a coffee with {p}
    a tea break with {p}
    a coffee and complaints with {p}
    a coffee with {p}, out on the stairs
    a {cake} from {p} => {p} brought {cake}, and the whole floor found a reason to come by. // {p} had baked {cake}, "by accident". // {p}'s {cake} was gone before the second kettle.
    a ten minutes on the roof with {p} => {p} and I stood on the roof for ten minutes and looked at ships. // On the roof with {p}; you can see three of our piers from up there, and all their queues.
    a {p}'s leftover {cake} => Ate {p}'s leftover {cake} at the window, both of us pretending it was a meeting. // The rest of {p}'s {cake} didn't see four o'clock.
    n Coffee with {p}, who is thinking about {subject}.
    n {p} told me over coffee that {he}'s looking at a flat, and made me promise not to say where.
    n Over tea {p} did an impression of the printer. It was very good.
    n {p} has given up sugar and is telling everyone.
    n {p} was low today, so I made the coffee and we didn't talk much.
    n {p} taught me a word in dialect that I can't write down.
    n {p} showed me pictures of {his} garden, bed by bed.
    n Coffee with {p}: {subject}, then the weather, then {subject} again.
    n {p} and I have started a list of sentences nobody should say in meetings.
    n {p} has a theory about the lift.
    n {p} asked if I'd swap desks, because of the draught, and I said I'd think about it, because of the draught.
    n I lent {p} an umbrella and will never see it again.
    """
}

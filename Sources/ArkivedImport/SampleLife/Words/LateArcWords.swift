extension SampleWords {
  /// The stories of 2022 to 2026.
  static let lateArcs = """
    * priyaleaves 2022-11-07
    3 | -1 | social 19:00 120 friends,priya | @priya is moving to London | @priya has a post in London, from January. She told me on the ferry, so that I could look at the water. // I said "wonderful" and meant it about sixty per cent. | Priya goes
    40 | 0 | social 18:00 240 friends,priya | @priya's farewell | @priya's farewell: she gave away her plants, one each, with instructions. Mine is called Geraldine.
    * taps 2023-02-06
    1 | 0 | social 18:15 40 friends,priya | video call with @priya in London | @priya on video from London: her room is the size of our bath, and she's happy.
    43 | 1 | social 18:30 45 friends,priya | video call with @priya, new job | Rang @priya. She has already changed how they count people at two stations.
    * mumhip 2023-09-11
    2 | 0 | personal 19:00 30 family,mum | call with @mum about her hip | @mum finally said it: the hip has to be done. November, and could I come.
    65 | 0 | personal 20:30 30 family,mum | packed for Whitby, rang @tom | @tom has drawn up a rota for @mum's hip. I'm the first shift.
    71 | 0 | personal 21:00 30 family,mum | home from nursing @mum | Home. @mum walks to the gate and back with two sticks and beats @dad at cards lying down. // On the third day she asked me to stop hovering.
    101 | 1 | personal 18:30 30 family,mum | @mum walks without sticks | @mum rang: no sticks, all the way to the library and back, and a row with the new librarian about the biographies.
    * mice 2023-01-30
    2 | 0 | personal 22:00 20 home,mice | something behind the skirting board | There's something behind the skirting board. Miso watched it like a film, lying down.
    4 | -1 | personal 07:00 30 home,mice | mice in the bread bin | Mice. In the bread bin. We own a cat.
    9 | 0 | personal 19:30 60 home,mice | live traps with @jonas | @jonas has built a mousetrap with a ramp and a little door, finer than our flat.
    13 | 1 | personal 10:00 60 home,mice | let two mice go by the canal | Took two mice to the canal in the small oak house and wished them luck. Miso slept.
    * wisdomtooth 2024-01-22
    0 | -1 | health 16:00 30 dentist | toothache, @dentist | Toothache all weekend; @dentist hummed, looked, and stopped humming.
    4 | -1 | health 10:30 60 dentist | wisdom tooth out | The tooth is out. It sounded like somebody moving a piano in my head. // @jonas made soup and looked away while I ate. | One tooth fewer
    7 | 0 | personal 19:00 30 dentist | first solid food | I chewed a noodle.
    * jumper 2023-11-06
    2 | 0 | learning 19:30 90 knitting | @clara teaches me to knit | @clara taught me to knit in the back of the shop. I've made a square, more or less, of air.
    24 | 0 | personal 20:30 60 knitting | cast on the blue jumper | Cast on a jumper, blue, for @jonas. Everyone says never to knit for a man before the wedding; I'm safe.
    76 | -1 | personal 21:00 45 knitting | unpicked the front | I've unpicked the whole front of the blue jumper. There's a moral in it, and I don't want to hear it.
    130 | 2 | personal 19:00 30 knitting | the blue jumper is finished | The blue jumper is finished. One sleeve is for somebody taller. // He wore it all evening, in a heated room. | The jumper
    * sailingstart 2024-04-29
    2 | 1 | learning 18:15 150 sailing | first sailing lesson | First lesson on the Alster. A boat builder's daughter, a ferry planner, and I've never held a tiller. // I held one today. It's like leading a cow. | Tiller
    100 | 0 | learning 18:15 140 sailing | capsized | We went over, slowly, all three of us, like a cupboard. The water is warmer than it looks and tastes worse.
    136 | 2 | learning 15:00 120 sailing,exam | passed the sailing exam | I've passed. Rang @dad from the jetty in wet trousers. He asked which knot they gave me, and was silent, and then said "well, then". | Well, then
    * balconyleak 2024-11-11
    1 | 0 | personal 19:00 40 neighbours | @ella's concert at school | @ella played a solo at the school concert, and we, who know every wrong note of it, stood up and roared.
    * heating 2025-01-13
    1 | -1 | personal 07:00 30 home | the heating in the house is off | No heating in the whole house. We sat at @nermin's gas stove with all the children and the trumpet.
    3 | 1 | personal 17:00 30 home | heating back | The heating came back with a groan at five. We all stood in the stairwell and cheered the pipes.
    * potterystart 2025-01-13
    0 | 1 | learning 19:00 120 pottery | first evening at @juliah's pottery | First evening at @juliah's pottery course. I've made an ashtray; no one I know smokes.
    56 | 1 | personal 18:00 20 pottery | my first bowls from the kiln | My first bowls came out of the kiln. @jonas eats his porridge from the least round one and says it has character.
    * workaward 2025-02-17
    9 | 1 | work 10:30 60 work | Lamplight has gone live in two districts | Two districts at once, and @frank switched on a street lamp by telephone for the press. It was noon, but still.
    * dadboat 2025-06-02
    1 | 0 | personal 19:00 40 family,dad | call with @dad about the boat | @dad has finished the boat. After eleven years. He says it as if he'd lost something.
    20 | 1 | personal 18:00 40 family,dad | @dad names the boat | The boat is called Edith. He wanted me to hear it before the others.
    46 | 2 | social 14:00 60 family,dad | the launch of the Edith, on video | They put the Edith in the water in Whitby today, @tom holding up the phone. // She floats level. @dad stood up to his knees in the harbour with his cap off. | Edith
    * katrinpractice 2025-09-01
    4 | 1 | social 19:00 180 family | @katrin's own practice opens | @katrin has her own practice now, and Miso was patient number one, under protest.
    * tablefair 2026-01-12
    2 | 0 | personal 20:00 45 jonas,workshop | @jonas and the craft prize | @jonas has been put up for the craft prize, by someone who won't say who. It was @ingrid.
    26 | 0 | personal 20:30 60 jonas,workshop | polished the long table with @jonas | We polished the wedding table for the jury until midnight; there's still a ring from @alex's glass, and it stays.
    39 | 2 | social 18:00 180 jonas,workshop | @jonas wins the craft prize | He won. He said "thank you" and "it's oak", and that was the speech. | It's oak
    * misoill 2026-03-02
    0 | -2 | personal 18:30 60 cat,vet | Miso won't eat, to @katrin | Miso hasn't eaten since Saturday. @katrin kept her in, and the flat is unbearably tidy.
    2 | -1 | personal 17:30 40 cat,vet | visited Miso | Visited Miso at the practice. It's the kidneys, and manageable, says @katrin, who had been crying too.
    5 | 2 | personal 12:00 60 cat,home | Miso comes home | Miso is home, shaved on one leg, like half a poodle. She ate, drank, and slapped Gerald. | Half a poodle
    * alexlyon 2026-05-25
    2 | 0 | social 19:00 150 alex,friends | @alex thinks about Lyon | @alex may go back to Lyon for half a year, for her aunt's house. // I was generous for as long as the wine lasted.
    22 | 1 | social 19:30 120 alex,friends | @alex stays | @alex isn't going. The aunt has sold the house to a dentist and is moving to the sea with a friend called Yvette.
    * tenconcert 2026-06-08
    5 | 2 | personal 19:30 150 choir,music,concert | summer concert, my tenth | Summer concert, my tenth with them. @renate gave me the eight bars in the middle, alone. // I thought of the first evening and the pencil. | Eight bars
    * siren 2026-09-07
    3 | 0 | work 11:00 60 work | siren test with @matthias | The siren test: @matthias pressed the button, nothing; pressed it again, and every dog in the district answered.
    * pearjam 2026-09-14
    5 | 1 | personal 11:00 180 home,garden | pear jam with @nermin and @ella | The pear tree has gone mad; made {n14-22} jars of jam with @nermin while @ella played for the workers.
    * flood 2026-10-19
    2 | -1 | work 07:30 480 work,estuary | storm tide, the first real warning | A storm tide in the night, and our warnings went out for the first time, half finished, on the test system, because they were needed. // @alexkim and I sat there till four in the morning reading gauges. // Nobody was hurt. A man wrote that he'd got his mother's piano upstairs in time. | Storm tide
    4 | 1 | social 12:30 60 work,estuary | lunch for everyone with @agnes | @agnes bought lunch for everybody and said that she'd never been so tired or so proud.
    """
}

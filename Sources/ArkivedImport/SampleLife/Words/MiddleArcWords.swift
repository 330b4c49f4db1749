extension SampleWords {
  /// The stories of 2019 to 2022.
  static let middleArcs = """
    * move 2019-01-14
    2 | 0 | admin 19:00 60 home,moving | letter from the landlord | A letter from the landlord: he needs the flat for his daughter. // We read it standing up, coats on.
    6 | -1 | personal 20:00 90 home,moving | looked at flats online with @jonas | Flats: too dear, too far, too dark. One had the bath in the kitchen, "for short distances".
    19 | 0 | admin 10:00 60 home,moving | viewing with forty others | Viewed a flat with forty other people and @jonas, who knocked on all the walls.
    33 | -1 | personal 21:00 60 home,jonas | quarrelled with @jonas about the flat | We quarrelled, properly. He wants outskirts with a garden, I want the river. // He slept on the famous sofa.
    34 | 0 | personal 08:00 40 home,jonas | breakfast and a truce with @jonas | He made coffee, I said sorry for the word "suburb". We've agreed to look at everything.
    50 | 1 | admin 17:30 60 home,moving | the ground-floor flat in Eimsbüttel | We saw it: ground floor, two and a half rooms, a yard with a pear tree, eight minutes to the workshop. // Neither of us spoke on the way home, in case it heard us.
    59 | 2 | admin 11:30 30 home,moving | signed the lease | It's ours! From May. // @alex brought a bottle, and we drank it out of the tooth mugs. | Pear tree
    84 | 0 | personal 10:00 240 home,moving | packed books with @priya | Packed books with @priya, who reads every one of them first. Eleven boxes, nine to go.
    102 | -1 | personal 19:00 60 home,moving | last notice from @schroeder | @schroeder has put up a last notice: "The third floor leaves us. Mind the banister." // I took it down and kept it.
    110 | 1 | personal 08:00 600 home,moving | moving day with @nils, @alex, @priya and @marek | Moving day. Fourteen people, one van, and the sofa went down feet first. // @alex labelled the boxes in three languages, and now nobody can find the cups. // Slept on the mattress on the floor, the pear tree scratching at the window. | We moved
    112 | 0 | personal 19:00 120 home,moving | unpacked the kitchen | Found the cups. They were in "varia/divers/sonstiges".
    117 | 1 | social 18:00 90 home,neighbours | @nermin brought soup | @nermin from upstairs came down with soup and three children and stayed until the pot was empty.
    * gran90 2019-08-12
    7 | 2 | social 15:00 60 family,gran | @gran is ninety, video from Whitby | @gran is ninety today. They propped me up against the teapot, on the screen, and I sang with everyone. // She said that I looked well for someone so flat. | Ninety
    * knee 2019-08-19
    5 | -2 | health 10:00 30 running,knee | knee gave out at km 4 | My knee went at kilometre four, with a noise. // @annab walked me to the tram, and I cried in front of a whole football club.
    9 | -1 | health 16:30 45 knee,doctor | knee: MRI | They slid me into the tube and played me panpipes.
    11 | -1 | health 09:15 20 knee,doctor | @gp about the knee | The meniscus, says @gp. No running until spring; perhaps not then.
    17 | 0 | health 17:30 40 knee,physio | first physio with @physio | First session with @physio. His hands are like fish, and he hums.
    38 | 0 | health 17:30 40 knee,physio | physio with @physio, stairs | @physio had me walk down the stairs forwards. It took an age, and it was a triumph.
    66 | -1 | health 08:00 30 knee | tried to run, 400 m | I tried to run for the bus. The bus won, the knee lost.
    73 | 0 | health 17:30 40 knee,physio | physio with @physio, last prescription | @physio says to get a bicycle and stop looking at runners like that.
    * anniversary 2019-11-25
    4 | 1 | social 18:00 180 choir,music | choir: thirty years, party | The choir is thirty years old. @renate made a speech of eleven words, and everyone wept.
    * pandemic 2020-03-09
    3 | -1 | work 15:00 45 work | packed up the desk | We're all to work from home from Monday. I carried my screen home on the tram like a baby.
    7 | 0 | work 09:00 30 work,home | first day at the ironing board | First day of working from home. The desk is the ironing board, and the colleague opposite is a pear tree. | Ironing board
    11 | -1 | personal 19:30 60 choir | choir cancelled | @renate has cancelled the choir "until we may breathe at each other again".
    14 | 0 | personal 21:00 10 neighbours | clapping from the windows | At nine the whole yard clapped out of the windows, and @ella played the trumpet, a long high note that nearly held.
    18 | -1 | social 20:00 40 friends,call | call with @leyla after her shift | @leyla rang after a double shift, and we didn't talk about it. I told her what Miso had broken.
    21 | 1 | personal 10:00 120 baking,bread | sourdough, loaf number 1 | I've made a sourdough starter like everybody else. @jonas calls it the lodger.
    26 | 1 | health 14:00 70 cycling | second-hand bicycle, first ride | Bought a bicycle from the shop on the corner, green, older than my marriage would be. // My knee likes it, and so do I. | The green bicycle
    35 | 0 | personal 17:00 60 family,easter | Easter on video | Easter on the screen: @mum hid eggs in the garden for the camera and forgot where.
    46 | -1 | personal 20:00 45 jonas,workshop | @jonas and the empty order book | Two orders cancelled. @jonas has swept the workshop so often that it echoes.
    60 | 1 | personal 18:00 40 jonas,workshop | @jonas: nine desks | Everyone suddenly needs a desk at home, and @jonas has nine orders and no sleep.
    69 | 1 | social 15:00 120 friends | @alex in the yard | @alex came into the yard, chair at the far wall, and we had cake like two embassies. | Two metres
    76 | 1 | work 09:00 420 work | one day at the office again | Went to the office for the first time since March. My mug had grown something.
    * bikestolen 2020-09-07
    1 | -2 | admin 08:00 30 cycling | the green bicycle is gone | Somebody has stolen the green bicycle. There's only the lock left, neatly closed. // I stood there with the pump in my hand.
    2 | 0 | admin 17:15 30 cycling,police | reported the bicycle | Reported it. The policeman asked for distinguishing marks, and I said "mine".
    19 | 2 | social 16:00 60 cycling,friends | @jano found the green bicycle | @jano saw the green bicycle outside a chip shop in Altona, sat down on it, and waited. // A boy of about twelve came out, saw him, and handed over the key and half of the chips. | Found
    * leak 2020-10-12
    2 | -1 | personal 06:30 60 home,repairs | water under the sink | Woke up to a wet sock: water under the sink, across the floor, into the hall.
    3 | 0 | admin 13:00 60 home,repairs | the plumber, under the sink | The plumber lay under our sink and told me about his divorce from there.
    10 | 1 | personal 14:00 180 home,repairs | new kitchen floor with @jonas | The floor had to come out, so @jonas is laying oak offcuts in a pattern he calls "what we've got".
    * jobchange 2020-10-26
    1 | 0 | work 18:15 45 work,job | call about a job | A woman called @agnes rang about a post in her planning studio. I took the call in the cellar.
    17 | 0 | work 17:00 60 work,job | interview with @agnes | The interview with @agnes was on video, with her dog; she asked what I'd do with a rainy bus stop.
    29 | 1 | work 12:00 30 work,job | the offer | They want me. // I rang @jonas, @alex, Mum, in that order, and told none of them that I was frightened.
    32 | -1 | work 16:00 45 work,job | told @henning I'm leaving | Told @henning. He looked out at the river that wasn't there, said "slack water", and then that he's glad for me.
    93 | 0 | work 15:30 60 work,job | farewell from the ferries on video | Farewell on video. @ruben had made a film, @mei a tide table of my moods, and @priya simply cried. // Eight years of ferries.
    98 | 1 | work 09:00 420 work,job | first day at the planning studio | First day at the studio, masked, windows open, everyone in coats. // @alexkim has come over with me, so there are two of us who don't know where the spoons are. | New desk
    * roof 2021-01-18
    2 | -1 | personal 19:00 40 family,roof | call with @mum about the roof | The storm took slates off my parents' roof. @mum has three buckets in the attic and has named them.
    12 | 0 | personal 18:30 30 family,roof | call with @dad about the roofer | @dad wants to go up the ladder himself. He is seventy-one. We had a frank talk about ladders.
    36 | -1 | personal 19:15 35 family,roof | call with @mum about the roof, again | The roofer came, sucked his teeth, and named a sum. @mum had to sit down on bucket two.
    51 | 0 | admin 20:00 50 family,roof | call with @tom about the roof money | @tom and I will share the roof between us and not tell @dad until it's on.
    86 | 1 | personal 19:00 30 family,roof | @mum: the roof is done | The roof is done. @mum says the house is so quiet in the rain that she can't sleep. | The roof
    * vaccination 2021-05-10
    3 | 1 | health 14:20 30 health | first jab | Jab in the old trade-fair hall, in and out like a well-run ferry. I wanted to hug the boy with the clipboard.
    45 | 1 | health 14:40 30 health | second jab | Second jab; arm like wood, mood like May.
    * choirback 2021-08-30
    1 | 2 | personal 19:30 110 choir,music | choir in person again | Choir, in one room, windows open, a chair between each of us. // @renate gave the first chord, and we couldn't go on for a bit, and then we did. | The first chord
    * alexbook 2021-08-30
    10 | 2 | social 19:30 150 alex,books | launch of @alex's translation at @clara's shop | @alex's translation came out tonight, at @clara's shop, with forty folding chairs and warm wine. // Her name is on the cover. She kept touching it. // She'd dedicated it "to N., who asked for the next page". | To N.
    * grandies 2022-02-07
    1 | -2 | personal 06:40 30 family,gran | @gran died | @dad rang before seven, so I knew. // @gran died in her sleep, with the radio on. // I went to work because I couldn't think of what else one does, and @agnes sent me home. | Gran
    2 | -2 | personal 20:00 60 family,gran | sat with @jonas | @jonas took the day off and we walked along the river, hardly talking. I keep composing letters to her, in large print.
    12 | -1 | personal 15:00 60 family,gran | home from the funeral | Home again. At the funeral the new organist played all her hymns, slightly too fast, and I could hear what she'd have said. // @dad held his hat the whole time. // I have the dominoes. | The dominoes
    35 | 0 | personal 20:30 30 family | wrote for the first time since | I haven't been able to write. Today I found one of @mum's letters about the spoons, laughed, and here I am.
    * italianstart 2022-02-28
    14 | 1 | learning 18:45 90 italian,course | first Italian lesson with @silvia | New course: Italian, with @silvia, who made us shout our names. It was just what I needed.
    * marry 2022-04-18
    6 | 2 | personal 16:00 120 jonas,wedding | @jonas asked | We were at the allotment, tying up the peas, when @jonas said that a shared pension would be sensible. // I asked if that was a proposal, and he took a box out of the seed tin. // Oak, with a ring inside it. I said yes; @anneliese had seen everything and brought plum brandy over the fence. | Peas
    7 | 2 | personal 18:30 60 family,wedding | rang @mum and @dad with the news | Rang Whitby. @mum screamed so that @dad came running in from the shed with a plane in his hand.
    45 | 0 | admin 10:00 40 wedding | registry office, papers | The registry office wants my birth certificate, translated, stamped and no older than half a year. I'm older than that myself.
    94 | 1 | social 14:00 120 wedding,alex | dress with @alex | Found a dress with @alex, dark green, with pockets. She turned round to the wall for a moment.
    143 | -1 | personal 21:30 30 wedding,work | too many lists | The launch and the wedding in the same fortnight: whoever planned this is a planner by trade, and it was me.
    150 | 1 | social 17:00 150 wedding,family | @mum and @dad arrive | My parents are here, with a fruit cake in the hand luggage. Dad was stopped for it.
    152 | 2 | social 11:00 600 wedding,family | our wedding | We're married. // Eleven o'clock, the small room at the registry, twenty people and a ship's horn at exactly the right moment. // Then the workshop, swept, with one long table that @jonas built for the day, and everyone we love down both sides of it. // The choir had hidden in the wood store and came out singing. I'm still crying a bit. | 17 September
    153 | 2 | personal 11:00 120 wedding,family | breakfast at the long table | Sat at the end of the long table in the morning with @jonas, @alex, cold potatoes and all the flowers.
    """
}

extension SampleWords {
  static let arcs = [earlyArcs, middleArcs, lateArcs]

  /// The stories of 2016 to 2019; each begins on a Monday.
  private static let earlyArcs = """
    * sofa 2016-02-08
    0 | 0 | personal 18:30 60 home | measured the stairwell for the new sofa | We have ordered a sofa, and I've measured the stairwell twice. // It should fit, says the tape; it won't, says @jonas.
    12 | -1 | personal 10:00 150 home | the sofa arrives | The sofa came at ten and got as far as the second landing. // It lived there for three hours, and @schroeder sat down on it to supervise. // In the end @jonas took its feet off, and it went up like a lamb. | The sofa on the stairs
    14 | 0 | personal 20:00 40 home | sofa, first evening | First evening on the new sofa. We each fell asleep at our own end.
    * plant 2016-03-07
    3 | 1 | personal 17:40 20 home | brought home a spider plant | Brought home the spider plant that the office was throwing out. @jonas asked for its name, so now it's called Gerald. | Gerald
    * talkhamburg 2016-04-04
    1 | 0 | work 15:00 60 work,talk | rehearsed the harbour talk with @priya | @priya has talked me into speaking at the ferry conference. // She listened to the rehearsal with her eyes closed, which she says is attention.
    9 | -1 | work 20:30 90 work,talk | cut the talk to twelve minutes | My talk is twenty minutes long, and I've got twelve.
    10 | 2 | work 11:00 30 work,talk | my talk on the harbour ferries | Gave the talk. I forgot the ending and made up a better one. // @priya waited at the back with two coffees and a thumb up. | Twelve minutes
    * summerparty 2016-06-13
    4 | 1 | social 18:00 240 work,party | summer party on the old ferry | The summer party was on the old ferry, moored, but @henning steered it anyway. // @mei turned out to be a demon at table football, and @oskar danced, once.
    5 | -1 | personal 11:00 60 home | headache, pancakes | Head like a buoy. Pancakes helped.
    * dadretires 2016-11-28
    2 | 0 | personal 19:30 40 family,call | call with @dad about stopping work | @dad says that he'll stop at Easter, if nothing comes up. // Something always comes up at low water, @mum says.
    * boiler 2016-11-07
    0 | -1 | personal 07:15 30 home,boiler | cold shower, boiler out | No hot water this morning, only a cough from the boiler. // I washed in the sink with the kettle like somebody in a novel. | The boiler, part one
    1 | 0 | admin 12:15 20 home,boiler | rang about the boiler | Rang the boiler firm: Thursday, between eight and four.
    3 | -1 | admin 08:00 90 home,boiler | the boiler man, first visit | The boiler man came at ten to four, tapped it, sighed, and ordered a part. // @schroeder has put up a notice: "Showers are not a right."
    5 | 0 | social 11:00 60 friends,boiler | shower at @leyla's | We showered at @leyla's, in turns, and stayed for soup.
    8 | -1 | admin 16:00 45 home,boiler | wrong part for the boiler | The part has come and it's for another boiler. // I said a word in English that he knew.
    11 | 2 | personal 19:00 40 home,boiler | hot bath | Hot water! // I sat in the bath until it was cold and then ran another. // Eleven days. We have become people who speak of the boiler before and the boiler after. | Hot water
    * choirstart 2016-09-05
    1 | 1 | personal 19:30 120 choir,music | first evening at the choir | Went to the choir that rehearses behind St Johannis, only to listen. // @renate put me between two altos, gave me a pencil and said "we begin on page three". // I'm in a choir, it seems. | Second alto
    * japanesestart 2016-09-12
    0 | 1 | learning 18:45 90 japanese,course | first Japanese lesson with @yuki | First Japanese lesson at the evening school. // There are eleven of us, and @yuki knows every name already. // I can say that I am Nell and that this is a pen. | This is a pen
    * concertone 2016-12-05
    5 | 2 | personal 19:00 150 choir,music,concert | Christmas concert with the choir | Our Christmas concert. The church was full, and my knees were water until the first chord. // @jonas says he could hear me; I hope that's a compliment. | First concert
    * tandem 2017-01-16
    2 | 1 | learning 18:30 75 japanese,tandem | tandem with @haruka | Met my tandem partner @haruka: an hour of German, an hour of Japanese, and {cake} in no language.
    16 | 1 | learning 18:30 75 japanese,tandem | tandem with @haruka: ordering food | @haruka made me order a whole dinner in Japanese from an imaginary waiter, who was rude.
    44 | 0 | learning 18:30 75 japanese,tandem | tandem with @haruka, train words | Ten weeks ago I couldn't read a menu; today @haruka gave me a train map, and I got us to Kyoto with one change.
    * runningstart 2017-01-09
    0 | 0 | health 06:45 35 running | first run in years, 2.1 km | I've started running, and it nearly ended me. // Two kilometres, with a break to admire a wall.
    5 | 1 | health 09:30 30 running | ran 2.6 km without stopping | Ran to the lock without stopping. A dog looked proud of me.
    * leylawedding 2017-05-22
    1 | 2 | social 19:00 120 friends,wedding | @leyla tells us | @leyla and @marek are getting married in September, and I'm to read something. // I cried into the hummus. | News from Leyla
    25 | 1 | social 14:00 150 friends,wedding | dress shopping with @leyla | Dress shopping with @leyla: nine dresses, one right one, four women in tears, none of them her.
    71 | 0 | personal 20:00 60 wedding | looked for a poem | Looking for something to read at @leyla's wedding. Everything about love is either too long or about death.
    105 | -1 | social 20:00 90 wedding | seating plan with @leyla | @leyla's seating plan has two aunts who haven't spoken since 1998. We've put the band between them.
    110 | 2 | social 14:00 540 friends,wedding | @leyla and @marek's wedding | @leyla and @marek are married. // I read my poem, and my voice held until the last line but one. // @marek played the double bass at his own wedding, in shirtsleeves, with his eyes on her the whole time. // The two aunts danced. With each other. | The wedding
    111 | 0 | personal 12:00 60 home | breakfast at noon | My feet are the size of boats. @alex found my other shoe in the punch.
    * catcomes 2017-09-25
    3 | 0 | social 18:30 60 cat | @katrin tells about a kitten | @katrin rang from the practice: somebody left a box at the door with three kittens in it. // I said that we can't. I said it twice.
    8 | 0 | personal 19:00 45 cat,home | argued about a cat with @jonas | @jonas has drawn up reasons against a cat, and the last one is "she would love me more".
    13 | 1 | social 15:00 90 cat,family | met the kittens at @katrin's | We went only to look. One of them climbed into @jonas's sleeve and slept there, so that was that.
    19 | 2 | personal 14:00 180 cat,home | Miso moves in | Miso is here. She is grey, with white socks, and weighs as much as a loaf. // She spent the afternoon behind the washing machine and the evening on @jonas's neck. | Miso
    20 | 1 | personal 09:00 60 cat,home | Miso's first night | Nobody slept, except Miso, on my face, from five onwards.
    24 | 0 | admin 17:30 40 cat,vet | Miso at @katrin's for her jabs | Miso's jabs; she forgave @katrin at once and me not at all.
    * dadretired 2017-05-01
    4 | 1 | personal 18:00 40 family,call | call with @dad, retired since noon | @dad locked the yard at noon today, after forty-six years, and gave @mum the key. // She says that he had another one in his sock.
    * plotstart 2018-02-26
    4 | 1 | admin 17:00 45 garden,allotment | letter from the allotment society | A letter: after two years on the waiting list there's a plot for us. Number 47, "in need of love".
    12 | 2 | personal 10:00 240 garden,allotment | took over plot 47 | We have an allotment. It's all brambles, a shed without a door and a plum tree that somebody once cared about. // The neighbour, @anneliese, eighty, looked at my shoes and lent me her boots. | Plot 47
    19 | 0 | personal 10:00 210 garden,allotment | cut brambles with @nils and @jonas | Cut brambles all day with @nils; under them we found a bench.
    43 | 1 | personal 13:00 180 garden,allotment | first potatoes in | The first potatoes are in the ground. @anneliese has moved each one four centimetres to the left.
    * workshop 2018-03-19
    2 | 0 | personal 20:00 60 jonas,workshop | @jonas and the spreadsheet | @jonas wants to open his own workshop, and he's told me with a spreadsheet, so it's serious.
    23 | 0 | admin 16:00 90 jonas,workshop | saw the workshop with @jonas | We looked at the old coach house: dry, north light, a hoist. @jonas stood in the middle and said nothing for a long while.
    31 | -1 | admin 11:00 60 jonas,workshop | bank with @jonas | The bank was kind and slow. @jonas wore the funeral shirt.
    61 | 2 | social 15:00 300 jonas,workshop | @jonas opens the workshop | Opening day at the workshop: sixty people, forty chairs, all of them made by him. // @uwe cried and blamed the sawdust. | Brandt, cabinet maker
    * halfmarathon 2018-01-29
    0 | 0 | health 20:00 20 running,training | signed up for the half marathon | I've signed up for the half marathon in June, because of a bet with @amara. // Twenty-one kilometres. I looked it up on the map, and it goes off the edge.
    13 | 1 | health 09:00 62 running,training | ran 10 km for the first time | Ten kilometres, my first, at the speed of a brass band.
    34 | 0 | health 09:00 80 running,training | 12.5 km in sleet | Twelve and a half in sleet, with @amara singing hymns to keep us going.
    76 | -1 | health 07:00 20 running,training | blister, stopped at 3 km | A blister the size of a coin; limped home with my shoe in my hand.
    90 | 1 | health 08:30 105 running,training | ran 16 km with @amara | Sixteen with @amara, past the point where the map ends. // We ate a whole loaf afterwards, standing.
    125 | 1 | health 09:00 118 running,training | 18 km, last long one | Eighteen. I know now that I can, so of course I've got a sore throat.
    143 | 0 | personal 21:00 20 running | race bag packed | Number pinned on, four safety pins, none of them straight.
    146 | 2 | health 09:30 148 running,race | half marathon, 21.1 km with @amara | 21.1 kilometres in two hours and twenty-eight minutes. // @jonas stood at kilometre six, twelve and nineteen with the same sign and a different sandwich. // @amara won the bet by four minutes and bought dinner anyway. // At the end I met @annab, who was looking for her coat, as was I. | Twenty-one
    147 | 0 | work 10:00 20 running | took the lift | I came down the stairs backwards this morning, one step at a time, with dignity.
    * granill 2018-10-08
    1 | -2 | personal 21:15 45 family,gran | @mum rang about @gran | @mum rang late: @gran fell in the kitchen and lay there for an hour. // She's in hospital in Scarborough and has complained about the tea, which I take as a sign. | Gran
    4 | -1 | personal 19:00 30 family,gran | call with @tom about @gran | @tom says it's the hip and something on the lung as well. We talked like people carrying a wardrobe.
    11 | -1 | travel 20:15 60 family,gran | to @mum's kitchen, from the station | @mum at the station in her good coat; she hugged me too long.
    15 | -1 | personal 20:30 40 family,gran | home from Whitby, rang @gran's ward | I'm back home, and @gran is still there. // I held her hand on Sunday for two hours, and she told me where the good spoons are, in case.
    29 | -1 | personal 19:30 30 family,gran | call with @dad about @gran | @dad says that @gran is "no worse", and I can hear how little he's sleeping.
    43 | -2 | personal 21:00 30 family,gran | @gran has pneumonia | Pneumonia. They've told us to wait. // I don't want to write for a while.
    70 | 1 | personal 18:30 40 family,gran | @gran came home today | I haven't written for nearly a month. // @gran came home today, thin as a pencil, and asked for the dominoes. // I sat on the stairs and howled with relief, and Miso came to see. | Home
    72 | 1 | personal 20:00 60 gran,choir | sent @gran the concert recording | Sent @gran the recording of the choir. She has marked us, bar by bar, in the post.
    """
}

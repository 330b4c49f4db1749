import ArkivedCore
import Testing

/// Lines typed on Saturday, 21 November 2026, 10:00 in Berlin.
///
/// A line, `=>`, and what becomes of it: the text, then the day if it is not today, time, minutes,
/// kind, tags, people, amounts, place.
@Suite struct QuickAddTableTests {
  @Test func takesDaysTimesAndDurationsOutOfTheText() throws {
    try QuickAddTable.check(
      """
      yesterday at 7am: ran 5 km => ran 5 km | day 2026-11-20 | at 07:00 | 5 km
      yesterday: dentist => dentist | day 2026-11-20
      last sunday: long run 12 km => long run 12 km | day 2026-11-15 | 12 km
      on 3 march: dentist => dentist | day 2026-03-03
      2026-03-14: moved house => moved house | day 2026-03-14
      ran 5 km yesterday => ran 5 km | day 2026-11-20 | 5 km
      yesterday ran 5 km => ran 5 km | day 2026-11-20 | 5 km
      dentist on 3 march => dentist | day 2026-03-03
      standup 9-10am => standup | at 09:00-10:00
      at 3am woke up => woke up | at 03:00
      worked from 9 to 10:30 => worked | at 09:00-10:30
      dinner at 19:00 => dinner | at 19:00
      12:30 lunch => lunch | at 12:30
      lunch 12:30 => lunch | at 12:30
      call with Anna 9:30am (late) => call with Anna (late) | at 09:30
      supper 18:15 [cold] => supper [cold] | at 18:15
      train 9:04 (to Ulm) 2 h late => train 9:04 (to Ulm) 2 h late
      party 23:30-00:30 => party | at 23:30-00:30+1
      yoga for 45 min => yoga | for 45
      yoga at 7am for 45 min => yoga | at 07:00-07:45 | for 45
      on 28 march 2026 at 23:00 for 8 hours slept => slept | day 2026-03-28 | at 23:00-08:00+1 | for 480
      on 24 october 2026 at 23:00 for 8 hours slept => slept | day 2026-10-24 | at 23:00-06:00+1 | for 480
      on 25 october 2026 at 2:10 for 55 min wake => wake | day 2026-10-25 | at 02:10-03:05 | for 55
      read for 2 h => read | for 120
      walk for an hour and a half => walk | for 90
      walk for 1h30 => walk | for 90
      nap for half an hour => nap | for 30
      yesterday evening: dinner at 7 => dinner | day 2026-11-20 | at 19:00
      yesterday, ran 10 km => ran 10 km | day 2026-11-20 | 10 km
      yesterday - ran 10 km => ran 10 km | day 2026-11-20 | 10 km
      this morning ran 5 km => ran 5 km | at 06:00 | 5 km
      2 hours ago: coffee => coffee | at 08:00
      coffee 2 hours ago => coffee | at 08:00
      the day before yesterday went swimming => went swimming | day 2026-11-19
      12:30: lunch => lunch | at 12:30
      lunch 12:30-1:15 => lunch | at 12:30-13:15
      lunch at 12 => lunch | at 12:00
      call at 9am about tomorrow => call about tomorrow | at 09:00
      (yesterday) picnic => picnic | day 2026-11-20
      standup (9:00-9:15) => standup | at 09:00-09:15
      overnight flight 22:00-06:00 => overnight flight | at 22:00-06:00+1
      yesterday 23:30-00:30 party => party | day 2026-11-20 | at 23:30-00:30+1
      deep work for 90 minutes from 9:00 => deep work from 9:00 | at 09:00-10:30 | for 90
      9:00 deep work for 90 minutes => deep work | at 09:00-10:30 | for 90
      29 february: leap => leap | day 2024-02-29
      from 10pm until 2am party => party | at 22:00-02:00+1
      between 3 and 5 pm cleaned => cleaned | at 15:00-17:00
      christmas eve: church => church | day 2026-12-24
      dinner on christmas eve => dinner | day 2026-12-24
      in the evening read a book => read a book | at 18:00
      read a book in the evening => read a book | at 18:00
      wrote 500 words this morning => wrote 500 words | at 06:00 | 500 words
      tomorrow at 9: dentist => dentist | day 2026-11-22 | at 09:00
      3/4/2026: ran => ran | day 2026-04-03
      March 3, 2026 dentist => dentist | day 2026-03-03
      dentist March 3 => dentist | day 2026-03-03
      slept 23:00-07:00 => slept | day 2026-11-20 | at 23:00-07:00+1
      yesterday slept 23:00-07:00 => slept | day 2026-11-20 | at 23:00-07:00+1
      coffee at 3.30pm => coffee | at 15:30
      dentist last tuesday at 10:15 => dentist | day 2026-11-17 | at 10:15
      on friday at 8pm: concert => concert | day 2026-11-20 | at 20:00
      at noon: lunch => lunch | at 12:00
      midnight: fireworks => fireworks | at 00:00
      7am: run => run | at 07:00
      7:30 run => run | at 07:30
      run 7:30 => run | at 07:30
      from 9:00 to 10:00: planning => planning | at 09:00-10:00
      half past seven: breakfast => breakfast | at 07:30
      the first of may: parade => parade | day 2026-05-01
      last night: concert => concert | day 2026-11-20 | at 18:00
      tonight: cinema => cinema | at 18:00
      this afternoon: nap for 20 min => nap | at 12:00 | for 20
      bought milk (yesterday) => bought milk | day 2026-11-20
      piano practice for 30 minutes yesterday => piano practice | day 2026-11-20 | for 30
      yesterday piano practice for 30 minutes => piano practice | day 2026-11-20 | for 30
      meditated for 600 seconds => meditated | for 10
      fasted for 16 hours => fasted | for 960
      held plank for 90 sec => held plank | for 1.5
      """)
  }

  @Test func readsTagsPeopleKindsAndPlaces() throws {
    try QuickAddTable.check(
      """
      lunch with Sam at Joe's 12:30-13:15 #friends #food @Sam => lunch with Sam at Joe's | at 12:30-13:15 | tags friends,food | people Sam Lee | place Joe's
      lunch at noon with Priya => lunch with Priya | at 12:00 | people Priya Nair
      at 3pm: call mum => call mum | at 15:00 | people Mum
      cake for Priya => cake for Priya | people Priya Nair
      Standup (Work) => Standup | kind work
      standup kind:work => standup | kind work
      standup #work => standup | kind work | tags work
      met @Sam.Lee and @"Anna Smith" @Sam_Lee => met Sam Lee and Anna Smith | people Sam Lee,Anna Smith
      dinner in Rome at the Blue Note => dinner in Rome at the Blue Note | place Rome
      coffee at Café Central with Sam => coffee at Café Central with Sam | people Sam Lee | place Café Central
      at home => at home | place home
      cooked at home => cooked at home | place home
      worked at the office 9:00-17:00 => worked at the office | at 09:00-17:00 | place office
      at Sam's wedding danced => at Sam's wedding danced | people Sam Lee
      dinner at Sam's => dinner at Sam's | people Sam Lee | place Sam's
      ran 5 km yesterday with Sam => ran 5 km with Sam | day 2026-11-20 | people Sam Lee | 5 km
      dinner with Sam tonight #food => dinner with Sam | at 18:00 | tags food | people Sam Lee
      met Sam => met Sam | people Sam Lee
      sam lee came over => sam lee came over | people Sam Lee
      coffee with Pri => coffee with Pri | people Priya Nair
      dinner with Anna @Anna => dinner with Anna | people Anna
      @Sam => Sam | people Sam Lee
      @Sam: lunch => Sam: lunch | people Sam Lee
      dinner at 7 with Sam => dinner with Sam | at 19:00 | people Sam Lee
      👨‍👩‍👧 picnic 12:00–14:00 #family => 👨‍👩‍👧 picnic | at 12:00-14:00 | tags family
      #family picnic yesterday => picnic | day 2026-11-20 | tags family
      yesterday #family picnic => picnic | day 2026-11-20 | tags family
      kind:travel flight to Rome => flight to Rome | kind travel
      kind:reading book => book | kind reading
      Sprint review (Work) #scrum => Sprint review | kind work | tags scrum
      lunch in the garden => lunch in the garden | place garden
      lunch in Paris with Priya Nair => lunch in Paris with Priya Nair | people Priya Nair | place Paris
      last friday evening cinema with Sam => cinema with Sam | day 2026-11-20 | at 18:00 | people Sam Lee
      met Alex Kim for tea => met Alex Kim for tea | people Alex Kim
      tea with @Alex => tea with Alex | people Alex
      tea with @Alex.Moss => tea with Alex Moss | people Alex Moss
      lunch with Will => lunch with Will | people Will Stone
      called Mum => called Mum | people Mum
      phoned mum => phoned mum | people Mum
      ran 5 km #run #RUN #Run => ran 5 km | tags run | 5 km
      fixed a bug #café #日本 #x/y #2024-goals => fixed a bug | tags café,日本,x/y,2024-goals
      email (a@b.co) #mail => email (a@b.co) | tags mail
      @home cooking => @home cooking | place home
      lunch,12:30-13:15,#food => lunch | at 12:30-13:15 | tags food
      standup 9:00 to 9:15 #work => standup | at 09:00-09:15 | kind work | tags work
      standup from 9 to 9:15 kind:Work => standup | at 09:00-09:15 | kind work
      gym 7-8am #health => gym | at 07:00-08:00 | kind health | tags health
      3pm coffee with Sam => coffee with Sam | at 15:00 | people Sam Lee
      swim 1,5 km at the pool => swim 1,5 km at the pool | 1.5 km | place pool
      lunch at 12:30 in Vienna on monday with Priya => lunch in Vienna with Priya | day 2026-11-23 | at 12:30 | people Priya Nair | place Vienna
      watched Sunday in the park => watched Sunday in the park | place park
      flight to Berlin 10:00-12:30 at BER => flight to Berlin at BER | at 10:00-12:30 | place BER
      45 min call with Mum at 19:00 #family => 45 min call with Mum | at 19:00 | tags family | people Mum | 45 minutes
      """)
  }

  @Test func readsMeasures() throws {
    try QuickAddTable.check(
      """
      ran for 3 km => ran for 3 km | 3 km
      8,000 steps and 5,2 km => 8,000 steps and 5,2 km | 5.2 km | 8000 steps
      10k steps => 10k steps | 10000 steps
      10 000 steps => 10 000 steps | 10000 steps
      70 kg weigh-in => 70 kg weigh-in | 70 kg
      read 20 pages, then 10 pages more => read 20 pages, then 10 pages more | 30 pages
      45 min swim => 45 min swim | 45 minutes
      1 h 20 min cycling, 30 km/h => 1 h 20 min cycling, 30 km/h | 30 km/h | 80 minutes
      ran 5km in 25:30 => ran 5km in 25:30 | for 25.5 | 5 km
      ran 5 km at 5:30/km => ran 5 km at 5:30/km | 5 km
      dentist (30 min) => dentist (30 min) | 30 minutes
      swam 40 laps, 2 sets of 10 reps => swam 40 laps, 2 sets of 10 reps | 40 laps | 10 reps | 2 sets
      drank 2 glasses of water and one beer => drank 2 glasses of water and one beer | 1 beers | 2 glasses
      weighed 70,5 kg => weighed 70,5 kg | 70.5 kg
      walked 8.000 steps => walked 8.000 steps | 8000 steps
      walked 1,234.5 m => walked 1,234.5 m | 1234.5 m
      ran five miles => ran five miles | 5 miles
      20 push-ups => 20 push-ups | 20 push-ups
      half marathon 21.1km => half marathon 21.1km | 21.1 km
      walk 2 h => walk 2 h | 2 hours
      cycling 25 km in 1h15 => cycling 25 km in 1h15 | 25 km | 75 minutes
      waited for 2 hours of rain => waited for 2 hours of rain | 2 hours
      """)
  }

  @Test func leavesTalkAloneAsItIs() throws {
    try QuickAddTable.check(
      """
      plan trip for next friday => plan trip for next friday
      plan for tomorrow => plan for tomorrow
      work until friday => work until friday
      report due by monday => report due by monday
      talked about last week => talked about last week
      talked about yesterday's party => talked about yesterday's party
      dinner for 2 people => dinner for 2 people
      trip for 2 weeks => trip for 2 weeks
      fixed C# bug #1 https://x/#a => fixed C# bug #1 https://x/#a
      mail sam@example.com => mail sam@example.com
      learned Italian in English => learned Italian in English
      walk in March => walk in March
      Sam's wedding => Sam's wedding
      last month: moved => last month: moved
      in 2019 bought a car => in 2019 bought a car | day 2019-01-01
      monday meeting with Ben => monday meeting with Ben
      the sunday paper => the sunday paper
      booked table for 19:00 => booked table for 19:00
      moved call to 15:00 => moved call to 15:00
      last night was fun => last night was fun
      Sam came over => Sam came over
      lunch @ Joe's => lunch @ Joe's | place Joe's
      took 3 pills at 8:30 and 20:00 => took 3 pills at 8:30 and 20:00
      watched Blade Runner 2049 => watched Blade Runner 2049
      read 1984 => read 1984
      played at 3 Arena => played at 3 Arena
      score was 12:30 => score was 12:30
      John 3:16 sermon => John 3:16 sermon
      bought Rammstein 31 February album => bought Rammstein 31 February album
      3-5 km run => 3-5 km run
      -5 km => -5 km
      5 min/km => 5 min/km
      1e9 km => 1e9 km
      note (private) => note (private)
      believe in Summer => believe in Summer
      at last done => at last done
      in time for tea => in time for tea
      at 3 went home => at 3 went home
      today I learned Swift => I learned Swift
      next week: holiday => next week: holiday
      meeting with April => meeting with April
      called June => called June
      met Alex for tea => met Alex for tea
      Will I ever learn => Will I ever learn
      #1 priority => #1 priority
      I think tomorrow is fine => I think tomorrow is fine
      read about the march on Rome => read about the march on Rome
      may go to Rome => may go to Rome
      saw Good Friday agreement film => saw Good Friday agreement film
      Tuesdays with Morrie => Tuesdays with Morrie
      paid 45 euros for 2 tickets => paid 45 euros for 2 tickets | 45 €
      """)
  }

  @Test func keepsTheDayBesideHoursOfAnyKind() throws {
    try QuickAddTable.check(
      """
      yesterday from 9 to 10 meeting => meeting | day 2026-11-20 | at 09:00-10:00
      from 9 to 10 meeting yesterday => meeting | day 2026-11-20 | at 09:00-10:00
      monday from 9 to 11 workshop => workshop | day 2026-11-16 | at 09:00-11:00
      yesterday between 3 and 5 gardening => gardening | day 2026-11-20 | at 15:00-17:00
      yesterday evening from 7 to 9 chess club => chess club | day 2026-11-20 | at 19:00-21:00
      from 9 until 10 call => call | at 09:00-10:00
      9:00-10 call => call | at 09:00-10:00
      9:00-10 people => 9:00-10 people
      yesterday from 5 to 7 people came => from 5 to 7 people came | day 2026-11-20
      moved from 2 to 3 bedroom flat => moved from 2 to 3 bedroom flat
      on a scale from 1 to 10 it was 7 => on a scale from 1 to 10 it was 7
      slept until 10 yesterday => slept until 10 | day 2026-11-20 | until 10:00
      yesterday until noon slept => until noon slept | day 2026-11-20 | until 12:00
      worked yesterday from 9 => worked from 9 | day 2026-11-20 | at 09:00
      yesterday after 8 pm wine => after 8 pm wine | day 2026-11-20
      two days ago dentist => dentist | day 2026-11-19
      a decade ago I was slim => a decade ago I was slim
      a couple of weeks ago met Ada => a couple of weeks ago met Ada
      ate two days ago with Sam => ate with Sam | day 2026-11-19 | people Sam Lee
      yesterday evening at 8 cinema => cinema | day 2026-11-20 | at 20:00
      this afternoon at 4 coffee => coffee | at 16:00
      this afternoon at 4 different shops => at 4 different shops | at 12:00
      at 4 coffee with Sam => coffee with Sam | at 16:00 | people Sam Lee
      last night at 2 woke up => woke up | at 02:00
      last night at 11 fell asleep => fell asleep | day 2026-11-20 | at 23:00
      last night from 1 to 3 awake => awake | at 01:00-03:00
      thursday night at 1am got home => got home | day 2026-11-20 | at 01:00
      woke at 6 => woke | at 06:00
      woke up at 5 in the afternoon => woke up | at 17:00
      woke from nap at 3 => woke from nap | at 15:00
      breakfast at 6 => breakfast | at 06:00
      noon to 1 lunch => lunch | at 12:00-13:00
      9am to 10 standup => standup | at 09:00-10:00
      9am to 10 people => to 10 people | at 09:00
      20:00-dinner => dinner | at 20:00
      at 9 or 10 call => at 9 or 10 call
      at 9 and 10 call => at 9 and 10 call
      breakfast at 9 and 3 eggs => breakfast and 3 eggs | at 09:00
      tomorrow at 9 dentist => dentist | day 2026-11-22 | at 09:00
      yesterday at 7 ran 5 km => ran 5 km | day 2026-11-20 | at 07:00 | 5 km
      yesterday at 12 Main Street => at 12 Main Street | day 2026-11-20
      yesterday at 3 shops => at 3 shops | day 2026-11-20
      next monday at 10 dentist => dentist | day 2026-11-23 | at 10:00
      yesterday in Rome: museum => in Rome: museum | day 2026-11-20 | place Rome
      yesterday in Rome museum => in Rome museum | day 2026-11-20 | place Rome
      3 days ago in Rome => in Rome | day 2026-11-18 | place Rome
      watched Sunday in the park => watched Sunday in the park | place park
      last night in Rome => last night in Rome | place Rome
      9am-5pm work => work | at 09:00-17:00
      yesterday at one point cried => at one point cried | day 2026-11-20
      yesterday at 2 other shops => at 2 other shops | day 2026-11-20
      yesterday at 8 mile road => at 8 mile road | day 2026-11-20 | 8 miles
      """)
  }

  @Test func leavesTitlesQuotationsAndSignsWhole() throws {
    try QuickAddTable.check(
      """
      “yesterday” by the beatles => “yesterday” by the beatles
      watched "Up" at 8pm => watched "Up" | at 20:00
      watched "A" and "B" yesterday => watched "A" and "B" | day 2026-11-20
      watched The Day After Tomorrow yesterday => watched The Day After Tomorrow | day 2026-11-20
      watched Friday the 13th => watched Friday the 13th
      5" pizza yesterday => 5" pizza | day 2026-11-20
      fixed parse() yesterday => fixed parse() | day 2026-11-20
      learned about [] in swift #code => learned about [] in swift | tags code
      yesterday :) had fun => :) had fun | day 2026-11-20
      #party :D great => :D great | tags party
      great #party :) => great :) | tags party
      great yesterday :) => great :) | day 2026-11-20
      great yesterday ;-) => great ;-) | day 2026-11-20
      great yesterday! => great! | day 2026-11-20
      #done: cleaned => cleaned | tags done
      #done:cleaned => cleaned | tags done
      #food,lunch => lunch | tags food
      9:00 -> walk => -> walk | at 09:00
      9:00 - walk => walk | at 09:00
      9:00 -walk => walk | at 09:00
      9:00 : walk => walk | at 09:00
      9:00 :walk => walk | at 09:00
      9:00 :tada: shipped => :tada: shipped | at 09:00
      :tada: shipped 9:00 => :tada: shipped | at 09:00
      shipped :tada: 9:00 => shipped :tada: | at 09:00
      walk (#a) => walk | tags a
      walk [#a] => walk | tags a
      (yesterday) picnic => picnic | day 2026-11-20
      [ ] buy milk #a => [ ] buy milk | tags a
      """)
  }

  @Test func readsAmountsOfSeveralNumbers() throws {
    try QuickAddTable.check(
      """
      3 x 10 push-ups => 3 x 10 push-ups | 30 push-ups
      3x10 pushups => 3x10 pushups | 30 push-ups
      3 × 1.5 km => 3 × 1.5 km | 4.5 km
      3 times 10 push-ups => 3 times 10 push-ups | 30 push-ups
      bench press 3 x 8 x 60 kg => bench press 3 x 8 x 60 kg | 60 kg
      coded for 3h 30m => coded | for 210
      call mum for 1 hour 15 => call mum | for 75 | people Mum
      1h 30 yoga => 1h 30 yoga | 90 minutes
      1h 30 pages => 1h 30 pages | 1 hours | 30 pages
      weighed 11 st 4 lb => weighed 11 st 4 lb | 158 lb
      ran .5 km => ran .5 km | 0.5 km
      .5 l water => .5 l water | 0.5 l
      done.5 km more => done.5 km more | 5 km
      ran 1'200 m => ran 1'200 m | 1200 m
      ran 1’200 m => ran 1’200 m | 1200 m
      10 500 steps => 10 500 steps | 10500 steps
      8 250 steps => 8 250 steps | 8250 steps
      watched Dune 2 166 min => watched Dune 2 166 min | 166 minutes
      dentist moved from 9 to 10 => dentist moved from 9 to 10
      5'30 pace => 5'30 pace
      ran 5 to 6 km => ran 5 to 6 km
      5 or 6 km => 5 or 6 km
      between 80 and 90 kg => between 80 and 90 kg
      slept from eleven to seven => slept | day 2026-11-20 | at 23:00-07:00+1
      slept from 11 to 7 => slept | day 2026-11-20 | at 23:00-07:00+1
      slept from 11 am to 7 pm => slept | at 11:00-19:00
      yesterday slept from 10 to 6 => slept | day 2026-11-20 | at 22:00-06:00+1
      worked from 9 to 5 => worked | at 09:00-17:00
      walked for a few minutes => walked for a few minutes
      walked for a couple of hours => walked | for 120
      one hundred and fifty steps => one hundred and fifty steps | 150 steps
      one hundred fifty steps => one hundred fifty steps | 150 steps
      three thousand steps => three thousand steps | 3000 steps
      three thousand five hundred steps => three thousand five hundred steps
      ran three point five miles => ran three point five miles | 3.5 miles
      two hundred push-ups => two hundred push-ups | 200 push-ups
      read twenty five pages => read twenty five pages | 25 pages
      slept from 12 to 8 => slept | at 00:00-08:00
      weight from 80 to 79 kg => weight from 80 to 79 kg | 79 kg
      drove to 5 km point => drove to 5 km point | 5 km
      """)
  }

  @Test func saysWhatIsWrong() throws {
    try QuickAddTable.check(
      """
      meeting 13:15-12:30 => error: The end 12:30 is before the start 13:15. Write the earlier \
      time first.
      on 31 february: x => error: “31 february” isn’t a valid date. Enter a different one.
      #tag => error: The line only has tags. Add what you did.
      today => error: The line only has a day. Add what you did.
      meeting 10:00-9:00 => error: The end 9:00 is before the start 10:00. Write the earlier time \
      first.
      30.2.2026: x => error: “30.2.2026” isn’t a valid date. Enter a different one.
      on 30 february went out => error: “30 february” isn’t a valid date. Enter a different one.
      """)
  }
}

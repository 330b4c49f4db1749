import ArkivedCore
import Testing

/// Readings on Saturday, 21 November 2026, 10:00 in Berlin.
///
/// A line is a text, `=>`, and what is found in it: the words, start, end (excluded; a day alone is
/// its midnight) and grain.
@Suite struct TimeReaderCalendarTests {
  @Test func findsDays() throws {
    try TimeTable.check(
      """
      today => [today] 2026-11-21 .. 2026-11-22 day
      yesterday => [yesterday] 2026-11-20 .. 2026-11-21 day
      the day before yesterday => [the day before yesterday] 2026-11-19 .. 2026-11-20 day
      3rd of march => [3rd of march] 2026-03-03 .. 2026-03-04 day
      29 february => [29 february] 2024-02-29 .. 2024-03-01 day
      the first three days of march => [the first three days of march] 2026-03-01 .. 2026-03-04 day
      on the 3rd => [on the 3rd] 2026-11-03 .. 2026-11-04 day
      on the 21st => [on the 21st] 2026-11-21 .. 2026-11-22 day
      on the 25th => [on the 25th] 2026-10-25 .. 2026-10-26 day
      the 15th of last month => [the 15th of last month] 2026-10-15 .. 2026-10-16 day
      mid last week => [mid last week] 2026-11-11 .. 2026-11-13 day
      day after tomorrow => [day after tomorrow] 2026-11-23 .. 2026-11-24 day
      may 5 => [may 5] 2026-05-05 .. 2026-05-06 day
      5 May => [5 May] 2026-05-05 .. 2026-05-06 day
      5th of May 2019 => [5th of May 2019] 2019-05-05 .. 2019-05-06 day
      May 5th => [May 5th] 2026-05-05 .. 2026-05-06 day
      first of may => [first of may] 2026-05-01 .. 2026-05-02 day
      the third of march => [the third of march] 2026-03-03 .. 2026-03-04 day
      march the third => [march the third] 2026-03-03 .. 2026-03-04 day
      Mar 3 - Mar 5 => [Mar 3 - Mar 5] 2026-03-03 .. 2026-03-06 day
      last year on 3 march => [last year on 3 march] 2025-03-03 .. 2025-03-04 day
      the second of may => [the second of may] 2026-05-02 .. 2026-05-03 day
      second of May => [second of May] 2026-05-02 .. 2026-05-03 day
      may the 4th => [may the 4th] 2026-05-04 .. 2026-05-05 day
      May the fourth be with you => [May the fourth] 2026-05-04 .. 2026-05-05 day
      June 5 => [June 5] 2026-06-05 .. 2026-06-06 day
      Jan 5 => [Jan 5] 2026-01-05 .. 2026-01-06 day
      the last day of last month => [the last day of last month] 2026-10-31 .. 2026-11-01 day
      1 January 2000 => [1 January 2000] 2000-01-01 .. 2000-01-02 day
      31 December => [31 December] 2025-12-31 .. 2026-01-01 day
      12 june 1985 => [12 june 1985] 1985-06-12 .. 1985-06-13 day
      Nov. 3 => [Nov. 3] 2026-11-03 .. 2026-11-04 day
      20 May '98 => [20 May '98] 1998-05-20 .. 1998-05-21 day
      the 1st of January 2024 => [the 1st of January 2024] 2024-01-01 .. 2024-01-02 day
      Corpus Christi => [Corpus Christi] 2026-06-04 .. 2026-06-05 day
      Epiphany => [Epiphany] 2026-01-06 .. 2026-01-07 day
      All Saints' Day => [All Saints' Day] 2026-11-01 .. 2026-11-02 day
      Father's Day 2020 => [Father's Day 2020] 2020-06-21 .. 2020-06-22 day
      Martin Luther King Day 2025 => [Martin Luther King Day 2025] 2025-01-20 .. 2025-01-21 day
      Memorial Day 2025 => [Memorial Day 2025] 2025-05-26 .. 2025-05-27 day
      Labor Day 2025 => [Labor Day 2025] 2025-09-01 .. 2025-09-02 day
      Guy Fawkes Night => [Guy Fawkes Night] 2026-11-05 .. 2026-11-06 day
      in 10 days => [in 10 days] 2026-12-01 .. 2026-12-02 day
      """)
  }

  @Test func findsWeekdays() throws {
    try TimeTable.check(
      """
      monday => [monday] 2026-11-16 .. 2026-11-17 day
      on monday => [on monday] 2026-11-16 .. 2026-11-17 day
      last monday => [last monday] 2026-11-16 .. 2026-11-17 day
      saturday => [saturday] 2026-11-21 .. 2026-11-22 day
      last saturday => [last saturday] 2026-11-14 .. 2026-11-15 day
      on tuesday => [on tuesday] 2026-11-17 .. 2026-11-18 day
      this friday => [this friday] 2026-11-20 .. 2026-11-21 day
      next friday => [next friday] 2026-11-27 .. 2026-11-28 day
      friday last week => [friday last week] 2026-11-13 .. 2026-11-14 day
      monday of last week => [monday of last week] 2026-11-09 .. 2026-11-10 day
      the last Friday of 2019 => [the last Friday of 2019] 2019-12-27 .. 2019-12-28 day
      Monday 16 November => [Monday 16 November] 2026-11-16 .. 2026-11-17 day
      Friday 13 March => [Friday 13 March] 2026-03-13 .. 2026-03-14 day
      Friday, 13 March 2026 => [Friday, 13 March 2026] 2026-03-13 .. 2026-03-14 day
      on Sat => [on Sat] 2026-11-21 .. 2026-11-22 day
      Sat 21 Nov => [Sat 21 Nov] 2026-11-21 .. 2026-11-22 day
      on wed => [on wed] 2026-11-18 .. 2026-11-19 day
      a week on monday => [a week on monday] 2026-11-30 .. 2026-12-01 day
      monday week => [monday week] 2026-11-30 .. 2026-12-01 day
      on Monday, 16 November 2026 => [on Monday, 16 November 2026] 2026-11-16 .. 2026-11-17 day
      tue => [tue] 2026-11-17 .. 2026-11-18 day
      friday 13th march => [friday 13th march] 2026-03-13 .. 2026-03-14 day
      Monday of this week => [Monday of this week] 2026-11-16 .. 2026-11-17 day
      the first Sunday of last month => [the first Sunday of last month] 2026-10-04 .. 2026-10-05 day
      the third Thursday in November 2025 => [the third Thursday in November 2025] 2025-11-20 .. 2025-11-21 day
      Whit Monday 2025 => [Whit Monday 2025] 2025-06-09 .. 2025-06-10 day
      Palm Sunday => [Palm Sunday] 2026-03-29 .. 2026-03-30 day
      Maundy Thursday => [Maundy Thursday] 2026-04-02 .. 2026-04-03 day
      Black Friday => [Black Friday] 2025-11-28 .. 2025-11-29 day
      Cyber Monday 2025 => [Cyber Monday 2025] 2025-12-01 .. 2025-12-02 day
      """)
  }

  @Test func findsWeeksMonthsAndYears() throws {
    try TimeTable.check(
      """
      last week => [last week] 2026-11-09 .. 2026-11-16 week
      this week => [this week] 2026-11-16 .. 2026-11-23 week
      next week => [next week] 2026-11-23 .. 2026-11-30 week
      the week before last => [the week before last] 2026-11-02 .. 2026-11-09 week
      last weekend => [last weekend] 2026-11-14 .. 2026-11-16 weekend
      this weekend => [this weekend] 2026-11-21 .. 2026-11-23 weekend
      last month => [last month] 2026-10-01 .. 2026-11-01 month
      this month => [this month] 2026-11-01 .. 2026-12-01 month
      march => [march] 2026-03-01 .. 2026-04-01 month
      in march => [in march] 2026-03-01 .. 2026-04-01 month
      in March 2019 => [in March 2019] 2019-03-01 .. 2019-04-01 month
      march last year => [march last year] 2025-03-01 .. 2025-04-01 month
      last march => [last march] 2026-03-01 .. 2026-04-01 month
      last november => [last november] 2025-11-01 .. 2025-12-01 month
      Q3 2019 => [Q3 2019] 2019-07-01 .. 2019-10-01 quarter
      last quarter => [last quarter] 2026-07-01 .. 2026-10-01 quarter
      third quarter of 2019 => [third quarter of 2019] 2019-07-01 .. 2019-10-01 quarter
      2019 Q3 => [2019 Q3] 2019-07-01 .. 2019-10-01 quarter
      last year => [last year] 2025-01-01 .. 2026-01-01 year
      in 2019 => [in 2019] 2019-01-01 .. 2020-01-01 year
      2019 => [2019] 2019-01-01 .. 2020-01-01 year
      the 90s => [the 90s] 1990-01-01 .. 2000-01-01 decade
      the 2010s => [the 2010s] 2010-01-01 .. 2020-01-01 decade
      the 1990s => [the 1990s] 1990-01-01 .. 2000-01-01 decade
      last summer => [last summer] 2026-06-01 .. 2026-09-01 season
      winter 2018 => [winter 2018] 2018-12-01 .. 2019-03-01 season
      in the summer of 2019 => [in the summer of 2019] 2019-06-01 .. 2019-09-01 season
      the second week of March => [the second week of March] 2026-03-09 .. 2026-03-16 week
      the first weekend in May => [the first weekend in May] 2026-05-02 .. 2026-05-04 weekend
      the last week => [the last week] 2026-11-15 .. 2026-11-22 week
      lunch with April in May => [in May] 2026-05-01 .. 2026-06-01 month
      early march => [early march] 2026-03-01 .. 2026-03-11 week
      mid-2019 => [mid-2019] 2019-05-01 .. 2019-09-01 month
      the end of last year => [the end of last year] 2025-09-01 .. 2026-01-01 month
      late 2019 => [late 2019] 2019-09-01 .. 2020-01-01 month
      the beginning of march 2020 => [the beginning of march 2020] 2020-03-01 .. 2020-03-11 week
      first half of 2019 => [first half of 2019] 2019-01-01 .. 2019-07-01 quarter
      the last two weeks of 2019 => [the last two weeks of 2019] 2019-12-16 .. 2019-12-30 week
      the week of 3 march => [the week of 3 march] 2026-03-02 .. 2026-03-09 week
      week 11 of 2026 => [week 11 of 2026] 2026-03-09 .. 2026-03-16 week
      in winter => [in winter] 2025-12-01 .. 2026-03-01 season
      during the summer => [during the summer] 2026-06-01 .. 2026-09-01 season
      last winter => [last winter] 2025-12-01 .. 2026-03-01 season
      this winter => [this winter] 2026-12-01 .. 2027-03-01 season
      next summer => [next summer] 2027-06-01 .. 2027-09-01 season
      this summer => [this summer] 2026-06-01 .. 2026-09-01 season
      in the fall => [in the fall] 2026-09-01 .. 2026-12-01 season
      in the 19th century => [in the 19th century] 1801-01-01 .. 1901-01-01 century
      in early 2019 => [in early 2019] 2019-01-01 .. 2019-05-01 month
      next weekend => [next weekend] 2026-11-28 .. 2026-11-30 weekend
      the weekend => [the weekend] 2026-11-21 .. 2026-11-23 weekend
      over the weekend => [over the weekend] 2026-11-21 .. 2026-11-23 weekend
      at the weekend => [at the weekend] 2026-11-21 .. 2026-11-23 weekend
      last decade => [last decade] 2010-01-01 .. 2020-01-01 decade
      this century => [this century] 2001-01-01 .. 2101-01-01 century
      May 2019 => [May 2019] 2019-05-01 .. 2019-06-01 month
      in May => [in May] 2026-05-01 .. 2026-06-01 month
      last May => [last May] 2026-05-01 .. 2026-06-01 month
      next May => [next May] 2027-05-01 .. 2027-06-01 month
      the year 2019 => [the year 2019] 2019-01-01 .. 2020-01-01 year
      in the year 1999 => [in the year 1999] 1999-01-01 .. 2000-01-01 year
      in '19 => [in '19] 2019-01-01 .. 2020-01-01 year
      Mar '19 => [Mar '19] 2019-03-01 .. 2019-04-01 month
      summer '19 => [summer '19] 2019-06-01 .. 2019-09-01 season
      in the last week of march => [in the last week of march] 2026-03-23 .. 2026-03-30 week
      last week of march => [last week of march] 2026-03-23 .. 2026-03-30 week
      the last weekend of 2025 => [the last weekend of 2025] 2025-12-27 .. 2025-12-29 weekend
      weekend of 3 march => [weekend of 3 march] 2026-03-07 .. 2026-03-09 weekend
      end of the month => [end of the month] 2026-11-21 .. 2026-12-01 week
      at the end of last month => [at the end of last month] 2026-10-21 .. 2026-11-01 week
      this year so far => [this year] 2026-01-01 .. 2027-01-01 year
      first time in 2019 => [in 2019] 2019-01-01 .. 2020-01-01 year
      late 90s => [late 90s] 1997-01-01 .. 2000-01-01 year
      early 2000s => [early 2000s] 2000-01-01 .. 2004-01-01 year
      mid 1990s => [mid 1990s] 1994-01-01 .. 1997-01-01 year
      the nineties => [the nineties] 1990-01-01 .. 2000-01-01 decade
      the seventies => [the seventies] 1970-01-01 .. 1980-01-01 decade
      last year in march => [last year in march] 2025-03-01 .. 2025-04-01 month
      this time last year => [this time last year] 2025-11-21 .. 2025-11-22 day
      the summer before last => [the summer before last] 2025-06-01 .. 2025-09-01 season
      march before last => [march before last] 2025-03-01 .. 2025-04-01 month
      June 2019 => [June 2019] 2019-06-01 .. 2019-07-01 month
      in june => [in june] 2026-06-01 .. 2026-07-01 month
      Dec 2019 => [Dec 2019] 2019-12-01 .. 2020-01-01 month
      sept 2020 => [sept 2020] 2020-09-01 .. 2020-10-01 month
      in week 11 => [in week 11] 2026-03-09 .. 2026-03-16 week
      calendar week 11 2026 => [calendar week 11 2026] 2026-03-09 .. 2026-03-16 week
      year 2019 => [year 2019] 2019-01-01 .. 2020-01-01 year
      in 1066 => [in 1066] 1066-01-01 .. 1067-01-01 year
      1999 => [1999] 1999-01-01 .. 2000-01-01 year
      next year => [next year] 2027-01-01 .. 2028-01-01 year
      next month => [next month] 2026-12-01 .. 2027-01-01 month
      next quarter => [next quarter] 2027-01-01 .. 2027-04-01 quarter
      this year => [this year] 2026-01-01 .. 2027-01-01 year
      this quarter => [this quarter] 2026-10-01 .. 2027-01-01 quarter
      this decade => [this decade] 2020-01-01 .. 2030-01-01 decade
      the month of March => [the month of March] 2026-03-01 .. 2026-04-01 month
      month before last => [month before last] 2026-09-01 .. 2026-10-01 month
      the year before last => [the year before last] 2024-01-01 .. 2025-01-01 year
      the year after next => [the year after next] 2028-01-01 .. 2029-01-01 year
      second quarter of 2020 => [second quarter of 2020] 2020-04-01 .. 2020-07-01 quarter
      H1 2020 => [H1 2020] 2020-01-01 .. 2020-07-01 quarter
      Q3 => [Q3] 2026-07-01 .. 2026-10-01 quarter
      q2 2021 => [q2 2021] 2021-04-01 .. 2021-07-01 quarter
      spring 2017 => [spring 2017] 2017-03-01 .. 2017-06-01 season
      autumn 2019 => [autumn 2019] 2019-09-01 .. 2019-12-01 season
      fall 2019 => [fall 2019] 2019-09-01 .. 2019-12-01 season
      in January => [in January] 2026-01-01 .. 2026-02-01 month
      July => [July] 2026-07-01 .. 2026-08-01 month
      in December => [in December] 2025-12-01 .. 2026-01-01 month
      end of march => [end of march] 2026-03-21 .. 2026-04-01 week
      end of 2019 => [end of 2019] 2019-09-01 .. 2020-01-01 month
      beginning of last month => [beginning of last month] 2026-10-01 .. 2026-10-11 week
      the second half of 2019 => [the second half of 2019] 2019-07-01 .. 2020-01-01 quarter
      the first quarter of last year => [the first quarter of last year] 2025-01-01 .. 2025-04-01 quarter
      last half year => [last half year] 2026-05-22 .. 2026-11-22 year
      last two weekends => [last two weekends] 2026-11-14 .. 2026-11-23 weekend
      next two weeks => [next two weeks] 2026-11-22 .. 2026-12-06 week
      Jan-Mar 2020 => [Jan-Mar 2020] 2020-01-01 .. 2020-04-01 month
      this decade and the last => [this decade] 2020-01-01 .. 2030-01-01 decade
      Nov 2025 - Feb 2026 => [Nov 2025 - Feb 2026] 2025-11-01 .. 2026-03-01 month
      """)
  }

  @Test func findsPartsOfTheDay() throws {
    try TimeTable.check(
      """
      tonight => [tonight] 2026-11-21T18:00 .. 2026-11-22 partOfDay
      this morning => [this morning] 2026-11-21T06:00 .. 2026-11-21T12:00 partOfDay
      yesterday morning => [yesterday morning] 2026-11-20T06:00 .. 2026-11-20T12:00 partOfDay
      on 3 march in the evening => [on 3 march in the evening] 2026-03-03T18:00 .. 2026-03-04 partOfDay
      last friday evening => [last friday evening] 2026-11-20T18:00 .. 2026-11-21 partOfDay
      the evening of 3 march => [the evening of 3 march] 2026-03-03T18:00 .. 2026-03-04 partOfDay
      on the morning of christmas => [on the morning of christmas] 2025-12-25T06:00 .. 2025-12-25T12:00 partOfDay
      in the morning => [in the morning] 2026-11-21T06:00 .. 2026-11-21T12:00 partOfDay
      at night => [at night] 2026-11-21T18:00 .. 2026-11-22 partOfDay
      7 in the evening => [7 in the evening] 2026-11-21T19:00 .. 2026-11-21T19:01 minute
      half past seven in the evening => [half past seven in the evening] 2026-11-21T19:30 .. 2026-11-21T19:31 minute
      late last night => [late last night] 2026-11-20T21:00 .. 2026-11-21 partOfDay
      early yesterday morning => [early yesterday morning] 2026-11-20T06:00 .. 2026-11-20T09:00 partOfDay
      sat morning => [sat morning] 2026-11-21T06:00 .. 2026-11-21T12:00 partOfDay
      tomorrow morning => [tomorrow morning] 2026-11-22T06:00 .. 2026-11-22T12:00 partOfDay
      tuesday night => [tuesday night] 2026-11-17T18:00 .. 2026-11-18 partOfDay
      last tuesday night => [last tuesday night] 2026-11-17T18:00 .. 2026-11-18 partOfDay
      this evening => [this evening] 2026-11-21T18:00 .. 2026-11-22 partOfDay
      last evening => [last evening] 2026-11-20T18:00 .. 2026-11-21 partOfDay
      on christmas eve in the evening => [on christmas eve in the evening] 2025-12-24T18:00 .. 2025-12-25 partOfDay
      on the evening of christmas eve => [on the evening of christmas eve] 2025-12-24T18:00 .. 2025-12-25 partOfDay
      the night before christmas => [the night before christmas] 2025-12-24T18:00 .. 2025-12-25 partOfDay
      8 in the morning => [8 in the morning] 2026-11-21T08:00 .. 2026-11-21T08:01 minute
      """)
  }

  @Test func findsHolidays() throws {
    try TimeTable.check(
      """
      Christmas => [Christmas] 2025-12-25 .. 2025-12-26 day
      Christmas Eve => [Christmas Eve] 2025-12-24 .. 2025-12-25 day
      on Boxing Day => [on Boxing Day] 2025-12-26 .. 2025-12-27 day
      New Year's Eve 2019 => [New Year's Eve 2019] 2019-12-31 .. 2020-01-01 day
      Good Friday => [Good Friday] 2026-04-03 .. 2026-04-04 day
      Easter Monday 2019 => [Easter Monday 2019] 2019-04-22 .. 2019-04-23 day
      Pentecost => [Pentecost] 2026-05-24 .. 2026-05-25 day
      Halloween => [Halloween] 2026-10-31 .. 2026-11-01 day
      Valentine's Day => [Valentine's Day] 2026-02-14 .. 2026-02-15 day
      Thanksgiving => [Thanksgiving] 2025-11-27 .. 2025-11-28 day
      Mother's Day => [Mother's Day] 2026-05-10 .. 2026-05-11 day
      two days before christmas => [two days before christmas] 2025-12-23 .. 2025-12-24 day
      the day after easter => [the day after easter] 2026-04-06 .. 2026-04-07 day
      the week before christmas => [the week before christmas] 2025-12-18 .. 2025-12-25 week
      the friday before christmas => [the friday before christmas] 2025-12-19 .. 2025-12-20 day
      the first monday after easter => [the first monday after easter] 2026-04-06 .. 2026-04-07 day
      christmas 2019 => [christmas 2019] 2019-12-25 .. 2019-12-26 day
      last year's christmas => [last year's christmas] 2025-12-25 .. 2025-12-26 day
      christmas last year => [christmas last year] 2025-12-25 .. 2025-12-26 day
      easter two years ago => [easter two years ago] 2024-03-31 .. 2024-04-01 day
      at Christmas => [at Christmas] 2025-12-25 .. 2025-12-26 day
      over Easter => [over Easter] 2026-04-05 .. 2026-04-06 day
      easter weekend => [easter weekend] 2026-04-03 .. 2026-04-07 weekend
      July 4th => [July 4th] 2026-07-04 .. 2026-07-05 day
      4th of July => [4th of July] 2026-07-04 .. 2026-07-05 day
      the 4th of july 2020 => [the 4th of july 2020] 2020-07-04 .. 2020-07-05 day
      around Christmas => [around Christmas] 2025-12-25 .. 2025-12-26 day
      christmas eve 2019 at 18:00 => [christmas eve 2019 at 18:00] 2019-12-24T18:00 .. 2019-12-24T18:01 minute
      the christmas before last => [the christmas before last] 2024-12-25 .. 2024-12-26 day
      Thanksgiving 2020 => [Thanksgiving 2020] 2020-11-26 .. 2020-11-27 day
      Christmas Day => [Christmas Day] 2025-12-25 .. 2025-12-26 day
      Xmas => [Xmas] 2025-12-25 .. 2025-12-26 day
      NYE => [NYE] 2025-12-31 .. 2026-01-01 day
      st patrick's day => [st patrick's day] 2026-03-17 .. 2026-03-18 day
      ash wednesday 2024 => [ash wednesday 2024] 2024-02-14 .. 2024-02-15 day
      first advent => [first advent] 2025-11-30 .. 2025-12-01 day
      Friday the 13th => [Friday the 13th] 2026-11-13 .. 2026-11-14 day
      Easter 2000 => [Easter 2000] 2000-04-23 .. 2000-04-24 day
      Easter 2024 => [Easter 2024] 2024-03-31 .. 2024-04-01 day
      Easter 1961 => [Easter 1961] 1961-04-02 .. 1961-04-03 day
      Easter 2285 => [Easter 2285] 2285-03-22 .. 2285-03-23 day
      Met Will on Friday the 13th. => [on Friday the 13th] 2026-11-13 .. 2026-11-14 day
      in the week before Easter => [in the week before Easter] 2026-03-29 .. 2026-04-05 week
      """)
  }
}

import ArkivedCore
import Testing

/// Readings on Saturday, 21 November 2026, 10:00 in Berlin.
///
/// A line is a text, `=>`, and what is found in it: the words, start, end (excluded; a day alone is
/// its midnight) and grain.
@Suite struct TimeReaderExpressionTests {
  @Test func findsDistancesFromNow() throws {
    try TimeTable.check(
      """
      two weekends ago => [two weekends ago] 2026-11-07 .. 2026-11-09 weekend
      two weeks ago => [two weeks ago] 2026-11-07 .. 2026-11-08 week
      a month ago => [a month ago] 2026-10-21 .. 2026-10-22 month
      three days earlier => [three days earlier] 2026-11-18 .. 2026-11-19 day
      in two weeks => [in two weeks] 2026-12-05 .. 2026-12-06 week
      in 3 days => [in 3 days] 2026-11-24 .. 2026-11-25 day
      last 10 days => [last 10 days] 2026-11-12 .. 2026-11-22 day
      past year and a half => [past year and a half] 2025-05-22 .. 2026-11-22 year
      the last 3 months => [the last 3 months] 2026-08-22 .. 2026-11-22 month
      past week => [past week] 2026-11-15 .. 2026-11-22 week
      two mondays ago => [two mondays ago] 2026-11-09 .. 2026-11-10 day
      a year and a half ago => [a year and a half ago] 2025-05-21 .. 2025-05-22 year
      half a year ago => [half a year ago] 2026-05-21 .. 2026-05-22 year
      half an hour ago => [half an hour ago] 2026-11-21T09:30 .. 2026-11-21T09:31 minute
      an hour ago => [an hour ago] 2026-11-21T09:00 .. 2026-11-21T09:01 minute
      2 hours ago => [2 hours ago] 2026-11-21T08:00 .. 2026-11-21T08:01 minute
      last 24 hours => [last 24 hours] 2026-11-20T10:00 .. 2026-11-21T10:00 minute
      in the last hour => [in the last hour] 2026-11-21T09:00 .. 2026-11-21T10:00 minute
      the past 2 hours => [the past 2 hours] 2026-11-21T08:00 .. 2026-11-21T10:00 minute
      for the last 10 days => [for the last 10 days] 2026-11-12 .. 2026-11-22 day
      over the last few months => [over the last few months] 2026-08-22 .. 2026-11-22 month
      in the past couple of weeks => [in the past couple of weeks] 2026-11-08 .. 2026-11-22 week
      the last couple of days => [the last couple of days] 2026-11-20 .. 2026-11-22 day
      next 3 days => [next 3 days] 2026-11-22 .. 2026-11-25 day
      a few days ago => [a few days ago] 2026-11-18 .. 2026-11-19 day
      past decade => [past decade] 2016-11-22 .. 2026-11-22 decade
      3 weeks from now => [3 weeks from now] 2026-12-12 .. 2026-12-13 week
      in a month => [in a month] 2026-12-21 .. 2026-12-22 month
      in two weeks' time => [in two weeks' time] 2026-12-05 .. 2026-12-06 week
      earlier this year => [earlier this year] 2026-01-01 .. 2026-11-22 year
      later today => [later today] 2026-11-21 .. 2026-11-22 day
      2 years ago in march => [2 years ago in march] 2024-03-01 .. 2024-04-01 month
      in march two years ago => [in march two years ago] 2024-03-01 .. 2024-04-01 month
      in summer two years ago => [in summer two years ago] 2024-06-01 .. 2024-09-01 season
      a week from today => [a week from today] 2026-11-28 .. 2026-11-29 week
      a week ago today => [a week ago today] 2026-11-14 .. 2026-11-15 week
      a fortnight ago => [a fortnight ago] 2026-11-07 .. 2026-11-08 week
      a decade ago => [a decade ago] 2016-11-21 .. 2016-11-22 decade
      10 years ago => [10 years ago] 2016-11-21 .. 2016-11-22 year
      couple of weeks ago => [couple of weeks ago] 2026-11-07 .. 2026-11-08 week
      about two weeks ago => [two weeks ago] 2026-11-07 .. 2026-11-08 week
      the last 5 days of 2019 => [the last 5 days of 2019] 2019-12-27 .. 2020-01-01 day
      3 days ago => [3 days ago] 2026-11-18 .. 2026-11-19 day
      10 days ago => [10 days ago] 2026-11-11 .. 2026-11-12 day
      six months ago => [six months ago] 2026-05-21 .. 2026-05-22 month
      the last 30 days => [the last 30 days] 2026-10-23 .. 2026-11-22 day
      the past 3 years => [the past 3 years] 2023-11-22 .. 2026-11-22 year
      three months from now => [three months from now] 2027-02-21 .. 2027-02-22 month
      45 minutes ago => [45 minutes ago] 2026-11-21T09:15 .. 2026-11-21T09:16 minute
      3 hours ago => [3 hours ago] 2026-11-21T07:00 .. 2026-11-21T07:01 minute
      three Fridays ago => [three Fridays ago] 2026-11-06 .. 2026-11-07 day
      """)
  }

  @Test func findsTimesOfDay() throws {
    try TimeTable.check(
      """
      at 3am => [at 3am] 2026-11-21T03:00 .. 2026-11-21T03:01 minute
      15:30 => [15:30] 2026-11-21T15:30 .. 2026-11-21T15:31 minute
      3.30pm => [3.30pm] 2026-11-21T15:30 .. 2026-11-21T15:31 minute
      noon => [noon] 2026-11-21T12:00 .. 2026-11-21T12:01 minute
      midnight => [midnight] 2026-11-21 .. 2026-11-21T00:01 minute
      half past seven => [half past seven] 2026-11-21T07:30 .. 2026-11-21T07:31 minute
      quarter to nine => [quarter to nine] 2026-11-21T08:45 .. 2026-11-21T08:46 minute
      7 o'clock => [7 o'clock] 2026-11-21T07:00 .. 2026-11-21T07:01 minute
      15:00 UTC => [15:00 UTC] 2026-11-21T16:00 .. 2026-11-21T16:01 minute
      3pm Europe/Rome => [3pm Europe/Rome] 2026-11-21T15:00 .. 2026-11-21T15:01 minute
      yesterday at 7am => [yesterday at 7am] 2026-11-20T07:00 .. 2026-11-20T07:01 minute
      3 march at noon => [3 march at noon] 2026-03-03T12:00 .. 2026-03-03T12:01 minute
      at 3pm on monday => [at 3pm on monday] 2026-11-16T15:00 .. 2026-11-16T15:01 minute
      3pm yesterday => [3pm yesterday] 2026-11-20T15:00 .. 2026-11-20T15:01 minute
      at 7 yesterday evening => [at 7 yesterday evening] 2026-11-20T19:00 .. 2026-11-20T19:01 minute
      seven thirty pm => [seven thirty pm] 2026-11-21T19:30 .. 2026-11-21T19:31 minute
      yesterday after 3pm => [yesterday after 3pm] 2026-11-20T15:00 .. 2026-11-21 minute
      yesterday before noon => [yesterday before noon] 2026-11-20 .. 2026-11-20T12:00 minute
      March 3, 2019 at 3:00 PM => [March 3, 2019 at 3:00 PM] 2019-03-03T15:00 .. 2019-03-03T15:01 minute
      quarter past 3 => [quarter past 3] 2026-11-21T15:15 .. 2026-11-21T15:16 minute
      ten to nine => [ten to nine] 2026-11-21T08:50 .. 2026-11-21T08:51 minute
      twenty past five => [twenty past five] 2026-11-21T17:20 .. 2026-11-21T17:21 minute
      10pm-2am => [10pm-2am] 2026-11-21T22:00 .. 2026-11-22T02:00 minute
      around noon => [around noon] 2026-11-21T12:00 .. 2026-11-21T12:01 minute
      15h30 => [15h30] 2026-11-21T15:30 .. 2026-11-21T15:31 minute
      at 15h => [at 15h] 2026-11-21T15:00 .. 2026-11-21T15:01 minute
      yesterday at midnight => [yesterday at midnight] 2026-11-20 .. 2026-11-20T00:01 minute
      20 March at 9 => [20 March at 9] 2026-03-20T09:00 .. 2026-03-20T09:01 minute
      at 9 => [at 9] 2026-11-21T09:00 .. 2026-11-21T09:01 minute
      at nine => [at nine] 2026-11-21T09:00 .. 2026-11-21T09:01 minute
      at 9:15am => [at 9:15am] 2026-11-21T09:15 .. 2026-11-21T09:16 minute
      this afternoon at 3 => [this afternoon at 3] 2026-11-21T15:00 .. 2026-11-21T15:01 minute
      yesterday, 15:30 => [yesterday, 15:30] 2026-11-20T15:30 .. 2026-11-20T15:31 minute
      train 9:15 => [9:15] 2026-11-21T09:15 .. 2026-11-21T09:16 minute
      around 3pm => [around 3pm] 2026-11-21T15:00 .. 2026-11-21T15:01 minute
      about 3pm => [3pm] 2026-11-21T15:00 .. 2026-11-21T15:01 minute
      approximately noon => [noon] 2026-11-21T12:00 .. 2026-11-21T12:01 minute
      12am => [12am] 2026-11-21 .. 2026-11-21T00:01 minute
      12pm => [12pm] 2026-11-21T12:00 .. 2026-11-21T12:01 minute
      12:00 am => [12:00 am] 2026-11-21 .. 2026-11-21T00:01 minute
      00:00 => [00:00] 2026-11-21 .. 2026-11-21T00:01 minute
      24:00 => [24:00] 2026-11-22 .. 2026-11-22T00:01 minute
      noon today => [noon today] 2026-11-21T12:00 .. 2026-11-21T12:01 minute
      noon on friday => [noon on friday] 2026-11-20T12:00 .. 2026-11-20T12:01 minute
      midnight yesterday => [midnight yesterday] 2026-11-20 .. 2026-11-20T00:01 minute
      7 p.m. => [7 p.m.] 2026-11-21T19:00 .. 2026-11-21T19:01 minute
      at 7 p.m. on friday => [at 7 p.m. on friday] 2026-11-20T19:00 .. 2026-11-20T19:01 minute
      7:30 p.m. yesterday => [7:30 p.m. yesterday] 2026-11-20T19:30 .. 2026-11-20T19:31 minute
      2 at night => [2 at night] 2026-11-21T02:00 .. 2026-11-21T02:01 minute
      half past 12 => [half past 12] 2026-11-21T12:30 .. 2026-11-21T12:31 minute
      quarter past midnight => [quarter past midnight] 2026-11-21T00:15 .. 2026-11-21T00:16 minute
      a quarter to one => [a quarter to one] 2026-11-21T12:45 .. 2026-11-21T12:46 minute
      five to twelve => [five to twelve] 2026-11-21T11:55 .. 2026-11-21T11:56 minute
      twenty-five to six => [twenty-five to six] 2026-11-21T17:35 .. 2026-11-21T17:36 minute
      at half seven => [at half seven] 2026-11-21T07:30 .. 2026-11-21T07:31 minute
      Mon, 16 Nov 2026 09:00 => [Mon, 16 Nov 2026 09:00] 2026-11-16T09:00 .. 2026-11-16T09:01 minute
      thu 3pm => [thu 3pm] 2026-11-19T15:00 .. 2026-11-19T15:01 minute
      11 pm => [11 pm] 2026-11-21T23:00 .. 2026-11-21T23:01 minute
      5:45 => [5:45] 2026-11-21T05:45 .. 2026-11-21T05:46 minute
      05:45 => [05:45] 2026-11-21T05:45 .. 2026-11-21T05:46 minute
      17h15 => [17h15] 2026-11-21T17:15 .. 2026-11-21T17:16 minute
      ten past four => [ten past four] 2026-11-21T16:10 .. 2026-11-21T16:11 minute
      9.15 am => [9.15 am] 2026-11-21T09:15 .. 2026-11-21T09:16 minute
      6 o'clock => [6 o'clock] 2026-11-21T18:00 .. 2026-11-21T18:01 minute
      at 10 o'clock => [at 10 o'clock] 2026-11-21T10:00 .. 2026-11-21T10:01 minute
      eight pm => [eight pm] 2026-11-21T20:00 .. 2026-11-21T20:01 minute
      12 noon => [12 noon] 2026-11-21T12:00 .. 2026-11-21T12:01 minute
      at 21:00 => [at 21:00] 2026-11-21T21:00 .. 2026-11-21T21:01 minute
      Sat 9am - Sun 5pm => [Sat 9am - Sun 5pm] 2026-11-14T09:00 .. 2026-11-15T17:00 minute
      """)
  }

  @Test func findsDatesInFigures() throws {
    try TimeTable.check(
      """
      2026-03-14 => [2026-03-14] 2026-03-14 .. 2026-03-15 day
      2026-03-14T15:00 => [2026-03-14T15:00] 2026-03-14T15:00 .. 2026-03-14T15:01 minute
      2026-03-14T15:00:00Z => [2026-03-14T15:00:00Z] 2026-03-14T16:00 .. 2026-03-14T16:01 minute
      2026-03 => [2026-03] 2026-03-01 .. 2026-04-01 month
      2026-W11 => [2026-W11] 2026-03-09 .. 2026-03-16 week
      3/4/2026 => [3/4/2026] 2026-04-03 .. 2026-04-04 day
      14.3.2026 => [14.3.2026] 2026-03-14 .. 2026-03-15 day
      03/14/2026 => [03/14/2026] 2026-03-14 .. 2026-03-15 day
      winter 2018/19 => [winter 2018/19] 2018-12-01 .. 2019-03-01 season
      14-Mar-2026 => [14-Mar-2026] 2026-03-14 .. 2026-03-15 day
      3/4/26 => [3/4/26] 2026-04-03 .. 2026-04-04 day
      14.3. => [14.3.] 2026-03-14 .. 2026-03-15 day
      on 14.3. => [on 14.3.] 2026-03-14 .. 2026-03-15 day
      on 3/4 => [on 3/4] 2026-04-03 .. 2026-04-04 day
      2026-03-14 15:00 => [2026-03-14 15:00] 2026-03-14T15:00 .. 2026-03-14T15:01 minute
      2026-03-14 at 3pm => [2026-03-14 at 3pm] 2026-03-14T15:00 .. 2026-03-14T15:01 minute
      2026-03-03 to 2026-03-05 => [2026-03-03 to 2026-03-05] 2026-03-03 .. 2026-03-06 day
      3.3.2026 - 5.3.2026 => [3.3.2026 - 5.3.2026] 2026-03-03 .. 2026-03-06 day
      in 2026-W11 => [in 2026-W11] 2026-03-09 .. 2026-03-16 week
      Paid invoice 2019-004 on 12 May. => [on 12 May] 2026-05-12 .. 2026-05-13 day
      10-11 March => [10-11 March] 2026-03-10 .. 2026-03-12 day
      """)
  }

  @Test func findsSpans() throws {
    try TimeTable.check(
      """
      from May to July => [from May to July] 2026-05-01 .. 2026-08-01 month
      between 3 and 5 pm => [between 3 and 5 pm] 2026-11-21T15:00 .. 2026-11-21T17:00 minute
      2019–2021 => [2019–2021] 2019-01-01 .. 2022-01-01 year
      3–5 March 2020 => [3–5 March 2020] 2020-03-03 .. 2020-03-06 day
      march to may 2019 => [march to may 2019] 2019-03-01 .. 2019-06-01 month
      from monday to wednesday => [from monday to wednesday] 2026-11-16 .. 2026-11-19 day
      monday 9:00-10:30 => [monday 9:00-10:30] 2026-11-16T09:00 .. 2026-11-16T10:30 minute
      between May and April 2019 => [between May and April 2019] 2018-05-01 .. 2019-05-01 month
      yesterday between 3 and 5 pm => [yesterday between 3 and 5 pm] 2026-11-20T15:00 .. 2026-11-20T17:00 minute
      on monday from 9 to 10:30 => [on monday from 9 to 10:30] 2026-11-16T09:00 .. 2026-11-16T10:30 minute
      monday until 3pm => [monday until 3pm] 2026-11-16 .. 2026-11-16T15:00 minute
      from yesterday 3pm to today 5pm => [from yesterday 3pm to today 5pm] 2026-11-20T15:00 .. 2026-11-21T17:00 minute
      from 22:00 to 02:00 => [from 22:00 to 02:00] 2026-11-21T22:00 .. 2026-11-22T02:00 minute
      from yesterday 22:00 to 02:00 => [from yesterday 22:00 to 02:00] 2026-11-20T22:00 .. 2026-11-21T02:00 minute
      from 3 march to 5 april => [from 3 march to 5 april] 2026-03-03 .. 2026-04-06 day
      from 3 to 5 march => [from 3 to 5 march] 2026-03-03 .. 2026-03-06 day
      March 3–5, 2020 => [March 3–5, 2020] 2020-03-03 .. 2020-03-06 day
      from November to February => [from November to February] 2025-11-01 .. 2026-03-01 month
      november to february 2019 => [november to february 2019] 2018-11-01 .. 2019-03-01 month
      from October to December => [from October to December] 2025-10-01 .. 2026-01-01 month
      from December 2019 to February => [from December 2019 to February] 2019-12-01 .. 2020-03-01 month
      from 9 to 5 => [from 9 to 5] 2026-11-21T09:00 .. 2026-11-21T17:00 minute
      9-10am => [9-10am] 2026-11-21T09:00 .. 2026-11-21T10:00 minute
      11-1pm => [11-1pm] 2026-11-21T11:00 .. 2026-11-21T13:00 minute
      12:30-1:15 => [12:30-1:15] 2026-11-21T12:30 .. 2026-11-21T13:15 minute
      23:30-00:30 => [23:30-00:30] 2026-11-21T23:30 .. 2026-11-22T00:30 minute
      from 2018 until 2020 => [from 2018 until 2020] 2018-01-01 .. 2021-01-01 year
      between 2018 and 2020 => [between 2018 and 2020] 2018-01-01 .. 2021-01-01 year
      between monday and friday => [between monday and friday] 2026-11-16 .. 2026-11-21 day
      monday to friday => [monday to friday] 2026-11-16 .. 2026-11-21 day
      Mon-Fri => [Mon-Fri] 2026-11-16 .. 2026-11-21 day
      between christmas and new year => [between christmas and new year] 2025-12-25 .. 2026-01-02 day
      14 March 2026, 15:00–16:00 => [14 March 2026, 15:00–16:00] 2026-03-14T15:00 .. 2026-03-14T16:00 minute
      from 3am => [3am] 2026-11-21T03:00 .. 2026-11-21T03:01 minute
      from 10pm until midnight => [from 10pm until midnight] 2026-11-21T22:00 .. 2026-11-22 minute
      overnight flight 22:00-06:00 => [22:00-06:00] 2026-11-21T22:00 .. 2026-11-22T06:00 minute
      from 3pm to 5pm yesterday => [from 3pm to 5pm yesterday] 2026-11-20T15:00 .. 2026-11-20T17:00 minute
      3pm to 5pm on 3 march => [3pm to 5pm on 3 march] 2026-03-03T15:00 .. 2026-03-03T17:00 minute
      tuesday to thursday last week => [tuesday to thursday last week] 2026-11-10 .. 2026-11-13 day
      1–15 March => [1–15 March] 2026-03-01 .. 2026-03-16 day
      from 3/3/2026 to 5/3/2026 => [from 3/3/2026 to 5/3/2026] 2026-03-03 .. 2026-03-06 day
      from 2026-03 to 2026-05 => [from 2026-03 to 2026-05] 2026-03-01 .. 2026-06-01 month
      Q1 to Q3 2019 => [Q1 to Q3 2019] 2019-01-01 .. 2019-10-01 quarter
      9:00–17:00 => [9:00–17:00] 2026-11-21T09:00 .. 2026-11-21T17:00 minute
      from 8:30 to 12 => [from 8:30 to 12] 2026-11-21T08:30 .. 2026-11-21T12:00 minute
      between 10 and 11am => [between 10 and 11am] 2026-11-21T10:00 .. 2026-11-21T11:00 minute
      from 1 to 2 pm => [from 1 to 2 pm] 2026-11-21T13:00 .. 2026-11-21T14:00 minute
      from 8 am until noon => [from 8 am until noon] 2026-11-21T08:00 .. 2026-11-21T12:00 minute
      from January to March 2020 => [from January to March 2020] 2020-01-01 .. 2020-04-01 month
      between 2010 and 2015 => [between 2010 and 2015] 2010-01-01 .. 2016-01-01 year
      from 2018-12-24 to 2019-01-02 => [from 2018-12-24 to 2019-01-02] 2018-12-24 .. 2019-01-03 day
      from Christmas to New Year's Eve => [from Christmas to New Year's Eve] 2025-12-25 .. 2026-01-01 day
      from June 2018 to May 2019 => [from June 2018 to May 2019] 2018-06-01 .. 2019-06-01 month
      from summer 2018 to spring 2019 => [from summer 2018 to spring 2019] 2018-06-01 .. 2019-06-01 season
      from Q1 2018 to Q3 2018 => [from Q1 2018 to Q3 2018] 2018-01-01 .. 2018-10-01 quarter
      I was born on 1986-05-03T05:40:00+02:00. => [on 1986-05-03T05:40:00+02:00] 1986-05-03T05:40 .. 1986-05-03T05:41 minute
      3:30 pm – 5 pm => [3:30 pm – 5 pm] 2026-11-21T15:30 .. 2026-11-21T17:00 minute
      from Friday evening to Sunday noon => [from Friday evening to Sunday noon] 2026-11-13T18:00 .. 2026-11-15T12:00 minute
      """)
  }

  @Test func findsOpenEnds() throws {
    try TimeTable.check(
      """
      after 2017 => [after 2017] 2018-01-01 .. open year
      since 2018 => [since 2018] 2018-01-01 .. 2026-11-22 year
      until noon => [until noon] open .. 2026-11-21T12:00 minute
      before last christmas => [before last christmas] open .. 2025-12-25 day
      since Easter => [since Easter] 2026-04-05 .. 2026-11-22 day
      since my birthday in March I ran => [in March] 2026-03-01 .. 2026-04-01 month
      from 2019 on => [from 2019 on] 2019-01-01 .. open year
      from 2019 onwards => [from 2019 onwards] 2019-01-01 .. open year
      up to 2017 => [up to 2017] open .. 2017-01-01 year
      by friday => [by friday] open .. 2026-11-21 day
      through 2017 => [through 2017] open .. 2018-01-01 year
      until friday => [until friday] open .. 2026-11-21 day
      until 10 March => [until 10 March] open .. 2026-03-11 day
      until 2026-03-10 => [until 2026-03-10] open .. 2026-03-11 day
      until yesterday => [until yesterday] open .. 2026-11-21 day
      until today => [until today] open .. 2026-11-22 day
      till 3 days ago => [till 3 days ago] open .. 2026-11-19 day
      up to 10 March => [up to 10 March] open .. 2026-03-11 day
      up to and including 10 March => [up to and including 10 March] open .. 2026-03-11 day
      by 10 March => [by 10 March] open .. 2026-03-11 day
      through 10 March => [through 10 March] open .. 2026-03-11 day
      before 10 March => [before 10 March] open .. 2026-03-10 day
      not before 10 March => [not before 10 March] 2026-03-10 .. open day
      not until 10 March => [not until 10 March] 2026-03-10 .. open day
      not after 10 March => [not after 10 March] open .. 2026-03-11 day
      since last monday => [since last monday] 2026-11-16 .. 2026-11-22 day
      since yesterday 3pm => [since yesterday 3pm] 2026-11-20T15:00 .. 2026-11-22 minute
      since 3pm => [since 3pm] 2026-11-21T15:00 .. 2026-11-22 minute
      after 3pm => [after 3pm] 2026-11-21T15:00 .. open minute
      after Easter => [after Easter] 2026-04-06 .. open day
      before Easter => [before Easter] open .. 2026-04-05 day
      until last christmas => [until last christmas] open .. 2025-12-26 day
      since May => [since May] 2026-05-01 .. 2026-11-22 month
      until March => [until March] open .. 2026-03-01 month
      since christmas until easter => [since christmas until easter] 2025-12-25 .. 2026-04-06 day
      since march until june => [since march until june] 2026-03-01 .. 2026-07-01 month
      until midnight => [until midnight] open .. 2026-11-22 minute
      until the end of march => [until the end of march] open .. 2026-04-01 week
      by the end of 2019 => [by the end of 2019] open .. 2020-01-01 month
      since the beginning of the year => [since the beginning of the year] 2026-01-01 .. 2026-11-22 month
      since the start of this year => [since the start of this year] 2026-01-01 .. 2026-11-22 month
      since 1999 => [since 1999] 1999-01-01 .. 2026-11-22 year
      since January => [since January] 2026-01-01 .. 2026-11-22 month
      since 3 march => [since 3 march] 2026-03-03 .. 2026-11-22 day
      since last summer => [since last summer] 2026-06-01 .. 2026-11-22 season
      since 2026-01-01 => [since 2026-01-01] 2026-01-01 .. 2026-11-22 day
      after last christmas => [after last christmas] 2025-12-26 .. open day
      after 3 march 2020 => [after 3 march 2020] 2020-03-04 .. open day
      before 2000 => [before 2000] open .. 2000-01-01 year
      before monday => [before monday] open .. 2026-11-16 day
      until 3pm => [until 3pm] open .. 2026-11-21T15:00 minute
      by the end of March => [by the end of March] open .. 2026-04-01 week
      In the spring of 1999 we moved to Lyon, and by the fall of 2001 I had started school there. => [In the spring of 1999] 1999-03-01 .. 1999-06-01 season; [by the fall of 2001] open .. 2001-12-01 season
      """)
  }

  @Test func findsTimesInSentences() throws {
    try TimeTable.check(
      """
      compare march and april => [march] 2026-03-01 .. 2026-04-01 month; [april] 2026-04-01 .. 2026-05-01 month
      in 2018 and 2019 => [in 2018] 2018-01-01 .. 2019-01-01 year; [2019] 2019-01-01 .. 2020-01-01 year
      how many runs in 2018 vs 2019 => [in 2018] 2018-01-01 .. 2019-01-01 year; [2019] 2019-01-01 .. 2020-01-01 year
      what did I do with Alex last month? => [last month] 2026-10-01 .. 2026-11-01 month
      What did I do on monday and tuesday? => [on monday] 2026-11-16 .. 2026-11-17 day; [tuesday] 2026-11-17 .. 2026-11-18 day
      this week and last week => [this week] 2026-11-16 .. 2026-11-23 week; [last week] 2026-11-09 .. 2026-11-16 week
      yesterday and today => [yesterday] 2026-11-20 .. 2026-11-21 day; [today] 2026-11-21 .. 2026-11-22 day
      between Christmas 2019 and New Year's Day 2020 => [between Christmas 2019 and New Year's Day 2020] 2019-12-25 .. 2020-01-02 day
      what happened in Rome in spring 2017 with Sam? => [in spring 2017] 2017-03-01 .. 2017-06-01 season
      in January and February => [in January] 2026-01-01 .. 2026-02-01 month; [February] 2026-02-01 .. 2026-03-01 month
      in March or April => [in March] 2026-03-01 .. 2026-04-01 month; [April] 2026-04-01 .. 2026-05-01 month
      what did we do in Rome last summer? => [last summer] 2026-06-01 .. 2026-09-01 season
      how often did I run in the last 3 months => [in the last 3 months] 2026-08-22 .. 2026-11-22 month
      who did I meet between 1 and 15 March 2020? => [between 1 and 15 March 2020] 2020-03-01 .. 2020-03-16 day
      between the 1st and the 15th of March 2020 => [between the 1st and the 15th of March 2020] 2020-03-01 .. 2020-03-16 day
      from the 3rd to the 5th of march => [from the 3rd to the 5th of march] 2026-03-03 .. 2026-03-06 day
      in the 1990s and 2000s => [in the 1990s] 1990-01-01 .. 2000-01-01 decade; [2000s] 2000-01-01 .. 2010-01-01 decade
      2019? => [2019] 2019-01-01 .. 2020-01-01 year
      2018, 2019 and 2020 => [2018] 2018-01-01 .. 2019-01-01 year; [2019] 2019-01-01 .. 2020-01-01 year; [2020] 2020-01-01 .. 2021-01-01 year
      Woke up at 6:30, ran 10 km along the river, then breakfast with Anna at Café Nero. => [at 6:30] 2026-11-21T06:30 .. 2026-11-21T06:31 minute
      Second day of the conference; the first talk was at nine and the last one ended at half past five. => [at nine] 2026-11-21T09:00 .. 2026-11-21T09:01 minute; [at half past five] 2026-11-21T17:30 .. 2026-11-21T17:31 minute
      Felt great this morning, less so in the afternoon. Slept 7 hours. => [this morning] 2026-11-21T06:00 .. 2026-11-21T12:00 partOfDay; [in the afternoon] 2026-11-21T12:00 .. 2026-11-21T18:00 partOfDay
      Mark said the march on Washington was in 1963. => [in 1963] 1963-01-01 .. 1964-01-01 year
      Call Dr. May about the results next Tuesday. => [next Tuesday] 2026-11-24 .. 2026-11-25 day
      Summer and June came to dinner on Sunday. => [on Sunday] 2026-11-15 .. 2026-11-16 day
      Read 1984 for the second time; the last time was in 2012. => [in 2012] 2012-01-01 .. 2013-01-01 year
      The meeting with August lasted from 10 to 11:30. => [from 10 to 11:30] 2026-11-21T10:00 .. 2026-11-21T11:30 minute
      He won 6-4 6-3 in the second round last weekend. => [last weekend] 2026-11-14 .. 2026-11-16 weekend
      I'll be 40 in May. Born in 1986, on the 3rd of May at 5:40 in the morning. => [in May] 2026-05-01 .. 2026-06-01 month; [in 1986] 1986-01-01 .. 1987-01-01 year; [on the 3rd of May at 5:40 in the morning] 2026-05-03T05:40 .. 2026-05-03T05:41 minute
      Worked 9-5 all week, Mon to Fri. => [Mon to Fri] 2026-11-16 .. 2026-11-21 day
      Tax deadline: 31/05/2026; submitted 3 days before. => [31/05/2026] 2026-05-31 .. 2026-06-01 day
      See you at 8 tonight or at ten tomorrow => [at 8 tonight] 2026-11-21T20:00 .. 2026-11-21T20:01 minute; [at ten tomorrow] 2026-11-22T10:00 .. 2026-11-22T10:01 minute
      The 3 o'clock train, the 10:15 bus. => [3 o'clock] 2026-11-21T15:00 .. 2026-11-21T15:01 minute; [10:15] 2026-11-21T10:15 .. 2026-11-21T10:16 minute
      Sept. 11, 2001 and Oct. 3rd => [Sept. 11, 2001] 2001-09-11 .. 2001-09-12 day; [Oct. 3rd] 2026-10-03 .. 2026-10-04 day
      in the last century, in the 21st century => [in the last century] 1901-01-01 .. 2001-01-01 century; [in the 21st century] 2001-01-01 .. 2101-01-01 century
      12/24/2025 vs 24/12/2025 => [12/24/2025] 2025-12-24 .. 2025-12-25 day; [24/12/2025] 2025-12-24 .. 2025-12-25 day
      Friday night and Saturday morning => [Friday night] 2026-11-20T18:00 .. 2026-11-21 partOfDay; [Saturday morning] 2026-11-21T06:00 .. 2026-11-21T12:00 partOfDay
      """)
  }
}

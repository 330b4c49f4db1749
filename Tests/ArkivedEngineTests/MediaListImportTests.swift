import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Lists of books, films and music, with the columns and members of the services' exports.
@Suite("Books, films and music in the archive")
struct MediaListImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var job: ImportJob { ImportJob(archive: test.archive, homeZone: test.zone) }

  private func only(_ day: String) throws -> Activity {
    let activities = try test.day(day).activities
    return try #require(activities.count == 1 ? activities.first : nil, "\(activities.map(\.text))")
  }

  @Test func booksComeInOnTheDayTheyWereRead() throws {
    let header =
      "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
      + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
      + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n"
    func table(_ rating: Int) -> String {
      header
        + "11,\"Dune, the first\",Frank Herbert,\"Herbert, Frank\",,\"=\"\"0441172717\"\"\",\"=\"\"9780441172719\"\"\",\(rating),4.2,"
        + "Ace,Paperback,604,1990,1965,2026/03/10,2026/01/02,\"sf, read\",sf (#1),read,\"Sand<br/><b>and</b> more\",,,2,1\n"
        + "12,Later,Ann,,,,,0,4.2,,,,,,,2026/01/02,to-read,,to-read,,,,0,0\n"
        + "13,Once,Ann,,,,,0,4.2,,,,,,,2026/01/02,,,read,,,,1,0\n"
    }
    let run = try #require(try job.run(try test.folder.file("a/library.csv", table(5))).first)
    #expect(run.format == "goodreads" && run.created["activity"] == 1, "\(run.warnings)")
    let dune = try only("2026-03-10")
    #expect(dune.text == "Read Dune, the first by Frank Herbert" && dune.tags == ["sf"])
    #expect(dune.notes == "Sand\n**and** more" && dune.measurements == ["pages": 604])
    #expect(dune.description == "Rating: 5 of 5\nRead 2 times\nISBN 9780441172719")
    #expect(
      run.warnings.contains { $0.message.contains("1 without a date, 1 unread") })
    let again = try #require(try job.run(try test.folder.file("b/library.csv", table(4))).first)
    #expect(again.created.isEmpty && again.updated == 1)
  }

  @Test func aBookReadAgainKeepsItsFirstReading() throws {
    func table(_ day: String, _ count: Int) -> String {
      "Book Id,Title,Author,My Rating,Date Read,Date Added,Exclusive Shelf,Read Count\n"
        + "11,Dune,Frank Herbert,5,\(day),2019/01/02,read,\(count)\n"
    }
    let first = try test.folder.file("a/library.csv", table("2020/01/05", 1))
    let second = try test.folder.file("b/library.csv", table("2024/01/05", 2))
    func bring(_ file: URL) throws -> ImportRun {
      test.clock.advance(seconds: 60)
      return try #require(
        try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true).run(file).first)
    }
    #expect(try bring(first).created == ["activity": 1])
    #expect(try bring(second).created == ["activity": 1])
    #expect(try only("2020-01-05").text == "Read Dune by Frank Herbert")
    #expect(try only("2024-01-05").description == "Rating: 5 of 5\nRead 2 times")
    for file in [first, second, first] {
      let run = try bring(file)
      #expect(run.created.isEmpty && run.updated == 0)
    }
  }

  @Test func aReadingImportedUnderItsBookAloneIsKnown() throws {
    let day = try #require(DayKey("2020-01-05"))
    _ = try run(
      test,
      ScriptedImporter(records: { context in
        [
          ImportedRecord(
            .activity(
              Activity(
                id: context.identities.next(), dayKey: day, timeZone: "Europe/Berlin",
                text: "Read Dune", source: .mediaImport,
                externalRefs: [
                  ExternalRef(provider: "goodreads", externalID: "11", fetchedAt: context.now)
                ], createdAt: context.now, updatedAt: context.now)), place: "a.script")
        ]
      }))
    let file = try test.folder.file(
      "library.csv",
      "Book Id,Title,Author,Date Read,Date Added,Exclusive Shelf\n11,Dune,Frank Herbert,2020/01/05,"
        + "2019/01/02,read\n")
    let second = try #require(try job.run(file).first)
    #expect(second.created.isEmpty && second.updated == 1)
    #expect(try only("2020-01-05").text == "Read Dune by Frank Herbert")
  }

  @Test func filmsComeInOnceThoughTwoTablesHaveThem() throws {
    let files = [
      (
        "diary.csv",
        "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
          + "2026-03-11,Heat,1995,https://boxd.it/a1,4.5,Yes,\"crime, night\",2026-03-10\n"
      ),
      (
        "reviews.csv",
        "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n"
          + "2026-03-11,Heat,1995,https://boxd.it/a1,4.5,Yes,\"Two <i>men</i>\",,2026-03-10\n"
          + "2026-03-12,Ran,1985,https://boxd.it/b2,5,,Fine,,2026-03-12\n"
      ),
      ("watched.csv", "Date,Name,Year,Letterboxd URI\n2026-03-11,Heat,1995,https://boxd.it/x\n"),
      (
        "deleted/diary.csv",
        "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
          + "2026-03-11,Gone,1995,https://boxd.it/z9,1,,,2026-03-13\n"
      ),
    ]
    let zip = TestZip(files.map { (name: $0.0, content: Data($0.1.utf8)) })
    let runs = try job.run(try test.folder.file("letterboxd.zip", try zip.data()))
    #expect(runs.map(\.format) == ["letterboxd"])
    #expect(runs.first?.created["activity"] == 2, "\(runs.first?.warnings ?? [])")
    let heat = try only("2026-03-10")
    #expect(heat.text == "Watched Heat (1995)" && heat.notes == "Two *men*")
    #expect(heat.tags == ["crime", "night"])
    #expect(heat.description == "Rating: 4.5 of 5\nWatched again\nhttps://boxd.it/a1")
    #expect(try only("2026-03-12").text == "Watched Ran (1985)")
  }

  @Test(arguments: [
    ("Great <i>film</i>\n\nsecond\nthird", "Great *film*\n\nsecond\nthird"),
    ("One<br>\ntwo<br/><br/>\n\nthree", "One\ntwo\n\nthree"),
    ("<p>One</p>\n\n<p>two</p>", "One\n\ntwo"),
    ("See:\n<blockquote>a\nb</blockquote>\nend", "See:\n\n> a\n> b\n\nend"),
  ])
  func theParagraphsOfAReviewAreKept(written: String, expected: String) throws {
    let file = try test.folder.file(
      "reviews.csv",
      "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n"
        + "2026-03-11,Heat,1995,https://boxd.it/a1,4.5,,\"\(written)\",,2026-03-10\n")
    #expect(try job.run(file).first?.created == ["activity": 1])
    #expect(try only("2026-03-10").notes == expected)
    let book = try test.folder.file(
      "library.csv",
      "Book Id,Title,Author,Date Read,Exclusive Shelf,My Review\n"
        + "11,Dune,Ann,2026/03/09,read,\"\(written)\"\n")
    #expect(try job.run(book).first?.created == ["activity": 1])
    #expect(try only("2026-03-09").notes == expected)
  }

  @Test func whatTraktSawComesIn() throws {
    let url = try test.folder.file(
      "watched-history-1.json",
      """
      [{"id":1,"watched_at":"2026-03-10T20:15:00.000Z","action":"watch","type":"episode",
      "episode":{"season":1,"number":2,"title":"The Detail","ids":{}},"show":{"title":"The Wire","year":2002}},
      {"id":2,"watched_at":"2026-03-11T20:15:00.000Z","action":"watch","type":"movie","movie":{"title":"Heat","year":1995}},
      {"id":3,"watched_at":"yesterday","type":"movie","movie":{"title":"Ran"}}]
      """)
    let run = try #require(try job.run(url).first)
    #expect(run.format == "trakt" && run.created["activity"] == 2)
    #expect(try only("2026-03-10").text == "Watched The Wire 1×02 “The Detail”")
    #expect(run.warnings.contains { $0.place.hasSuffix("entry 3 field “watched_at”") })
  }

  @Test func bothOfSpotifysDownloadsGiveADayOnce() throws {
    let account = """
      [{"endTime":"2026-03-10 09:33","artistName":"Bowie","trackName":"*Heroes*","msPlayed":200000},
      {"endTime":"2026-03-10 09:34","artistName":"Bowie","trackName":"Skipped","msPlayed":9000},
      {"endTime":"2026-03-10 23:59","artistName":"Bach","trackName":"Aria","msPlayed":60000}]
      """
    let extended = """
      [{"ts":"2026-03-10T09:33:20Z","platform":"x","ms_played":200000,"conn_country":"DE","ip_addr":"1.2.3.4",
      "master_metadata_track_name":"*Heroes*","master_metadata_album_artist_name":"Bowie","episode_name":null},
      {"ts":"2026-03-10T10:00:00Z","ms_played":600000,"master_metadata_track_name":null,"episode_name":"News",
      "episode_show_name":"Radio"},
      {"ts":"bad","ms_played":600000,"episode_name":"x"}]
      """
    _ = try test.folder.file("s/StreamingHistory_music_0.json", account)
    _ = try test.folder.file("s/Streaming_History_Audio_2026.json", extended)
    _ = try test.folder.file("s/Userdata.json", #"{"username":"a"}"#)
    let run = try #require(try job.run(test.folder.url.appendingPathComponent("s")).first)
    #expect(run.format == "spotify" && run.created["activity"] == 2, "\(run.warnings)")
    let tenth = try only("2026-03-10")
    #expect(tenth.text == "Listened to 2 tracks: Bowie, Radio")
    #expect(
      tenth.notes == "- 10:30 \\*Heroes\\*, Bowie\n- 10:50 News, Radio", "\(tenth.notes ?? "")")
    #expect(tenth.measurements == ["tracks": 2] && tenth.durationMinutes == 13)
    // In Berlin it was the next day already.
    #expect(try only("2026-03-11").text == "Listened to 1 track: Bach")
    #expect(run.warnings.contains { $0.place.hasSuffix("field “ts”") })
    let again = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
        .run(test.folder.url.appendingPathComponent("s")).first)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
  }

  @Test(arguments: [
    "uts,utc_time,artist,artist_mbid,album,album_mbid,track,track_mbid\n\"1773131400\",\"10 Mar 2026, 08:30\",\"Bowie\",\"\",\"\",\"\",\"Heroes\",\"\"\n",
    "Artist;Album;AlbumId;Track;Date#ann\n\"Bowie\";\"\";\"\";\"Heroes\";\"1773131400000\"\n",
    "Bowie,Low,Heroes,10 Mar 2026 08:30\n",
  ])
  func scrobblesOfLastFMComeInByDay(table: String) throws {
    let run = try #require(try job.run(try test.folder.file("scrobbles.csv", table)).first)
    #expect(run.format == "lastfm" && run.created["activity"] == 1, "\(run.warnings)")
    let day = try only("2026-03-10")
    #expect(day.text == "Listened to 1 track: Bowie" && day.notes == "- 09:30 Heroes, Bowie")
  }

  @Test(arguments: [
    (
      "ViewingActivity.csv",
      "Profile Name,Start Time,Duration,Title,Supplemental Video Type\n"
        + "Ann,2026-03-10 20:15:00,00:41:13,Show,\nAnn,2026-03-10 21:15:00,00:41:13,Show,\n"
    ),
    ("NetflixViewingHistory.csv", "Title,Date\nShow,2026-03-10\nShow,2026-03-10\n"),
    (
      "watch-history.json",
      """
      [{"header":"YouTube","title":"Watched Show","titleUrl":"https://www.youtube.com/watch?v=a",
      "time":"2026-03-10T20:15:00Z"},{"header":"YouTube","title":"Watched Show","titleUrl":
      "https://www.youtube.com/watch?v=a","time":"2026-03-10T21:15:00Z"}]
      """
    ),
  ])
  func viewingsComeInOnce(name: String, text: String) throws {
    let file = try test.folder.file(name, text)
    let run = try #require(try job.run(file).first)
    #expect(run.created == ["activity": 2], "\(run.warnings)")
    #expect(try test.day("2026-03-10").activities.map(\.text) == ["Watched Show", "Watched Show"])
    let again = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true).run(file).first)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
    _ = try test.archive.undo(
      try test.archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try test.day("2026-03-10").activities.isEmpty)
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Journals and notebooks of other programs, in the shapes that their exporters write.
@Suite("Journals of other programs in the archive")
struct JournalImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var job: ImportJob { ImportJob(archive: test.archive, homeZone: test.zone) }

  private func folder(_ files: [String: Data], in name: String) throws -> URL {
    for (path, content) in files { _ = try test.folder.file("\(name)/\(path)", content) }
    return test.folder.url.appendingPathComponent(name)
  }

  private func zip(_ files: [String: Data], named name: String) throws -> URL {
    let zip = TestZip(files.sorted { $0.key < $1.key }.map { (name: $0.key, content: $0.value) })
    return try test.folder.file(name, try zip.data())
  }

  private func data(_ text: String) -> Data { Data(text.utf8) }

  private func clock(_ activity: Activity) -> String? {
    activity.startAt.map { test.zone.wallTime(at: $0).description }
  }

  private func only(_ day: String) throws -> Activity {
    let activities = try test.day(day).activities
    return try #require(activities.count == 1 ? activities.first : nil, "\(activities.map(\.text))")
  }

  private let png = TestPicture.png(width: 8, height: 8)

  // MARK: X

  private func posts(_ text: String) -> [String: Data] {
    func post(_ id: String, _ text: String, _ more: String = "") -> String {
      """
      {"tweet":{"id_str":"\(id)","created_at":"Tue Mar 10 08:30:00 +0000 2026",
      "full_text":"\(text)"\(more)}}
      """
    }
    let media = """
      ,"extended_entities":{"media":[{"media_url_https":"https://pbs.twimg.com/media/Abc.png",
      "url":"https://t.co/picture001","ext_alt_text":"A square"}]}
      """
    return [
      "data/tweets.js": data(
        "window.YTD.tweets.part0 = [\(post("12", "\(text) https://t.co/picture001", media))]"),
      "data/tweets-part1.js": data("window.YTD.tweets.part1 = [\(post("13", "a second"))]"),
      "data/tweets_media/12-Abc.png": png,
      "data/tweets_media/99-Other.png": png,
      "data/like.js": data("window.YTD.like.part0 = []"),
      "data/profile_media/9-face.png": png,
      "assets/js/main.js": data("x"),
      "Your archive.html": data("<html></html>"),
    ]
  }

  @Test func postsOnXComeWithPicturesAndTwiceChangesNothing() throws {
    let runs = try job.run(try zip(posts("a square"), named: "twitter.zip"))
    let run = try #require(runs.count == 1 ? runs.first : nil, "\(runs.map(\.format))")
    #expect(run.format == "twitter" && run.created["activity"] == 2, "\(run.warnings)")
    let first = try #require(
      try test.day("2026-03-10").activities.first { $0.text == "a square" })
    #expect(first.attachments.map(\.mediaType) == ["image/png"])
    #expect(first.attachments.map(\.caption) == ["A square"])
    #expect(run.warnings.count == 1 && run.warnings.first?.message.contains("likes") == true)
    let same = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
        .run(try folder(posts("a square"), in: "twitter")).first)
    #expect(same.created.isEmpty && same.updated == 0, "\(same.warnings)")
    test.clock.advance(seconds: 60)
    let next = try #require(
      try job.run(try zip(posts("a rectangle"), named: "later.zip")).first)
    #expect(next.created.isEmpty && next.updated == 1, "\(next.warnings)")
    _ = try test.archive.undo(
      try test.archive.importRun(matching: next.id.uuidString).changeID)
    #expect(
      Set(try test.day("2026-03-10").activities.map(\.text)) == ["a square", "a second"])
  }

  // MARK: Google Keep

  /// As Takeout writes it since 2021; the picture's ending differs from the one that the note names.
  private func keep(_ text: String = "Bread\nand <b>milk</b>") -> [String: Data] {
    [
      "Takeout/Keep/Shopping.json": data(
        """
        {"attachments":[{"filePath":"15f0a3b1c2d.9f86d081884c7d65.jpeg","mimetype":"image/jpeg"}],
        "color":"DEFAULT","isTrashed":false,"isPinned":true,"isArchived":true,
        "annotations":[{"title":"A [page]","url":"https://example.org/a","source":"WEBLINK"}],
        "textContent":\(JSON.string(text).text()),"title":"Shopping",
        "userEditedTimestampUsec":1773140000000000,"createdTimestampUsec":1773131400123456,
        "labels":[{"name":"Home"}],"sharees":[{"isOwner":false,"type":"WRITER","email":"a@example.org"}],
        "reminders":[{"x":1}]}
        """),
      "Takeout/Keep/Shopping.html": data("<html><body><div class=\"note\">x</div></body></html>"),
      "Takeout/Keep/15f0a3b1c2d.9f86d081884c7d65.png": png,
      "Takeout/Keep/List.json": data(
        """
        {"color":"RED","isTrashed":false,"isPinned":false,"isArchived":false,"title":"",
        "listContent":[{"text":"tea","isChecked":true},{"text":"*cake*","isChecked":false}],
        "userEditedTimestampUsec":1773217800000000,"createdTimestampUsec":1773217800000000}
        """),
      "Takeout/Keep/Gone.json": data(
        """
        {"color":"RED","isTrashed":true,"isPinned":false,"isArchived":false,"textContent":"old",
        "userEditedTimestampUsec":1773217800000000,"createdTimestampUsec":1773217800000001}
        """),
      "Takeout/Keep/Labels.txt": data("Home\n"),
      "Takeout/archive_browser.html": data("<html></html>"),
    ]
  }

  @Test func keepsNotesComeWithLabelsListsAndPicturesAndTwiceChangesNothing() throws {
    let run = try #require(try job.run(try zip(keep(), named: "takeout.zip")).first)
    #expect(run.format == "keep" && run.created["activity"] == 2, "\(run.warnings)")
    let note = try only("2026-03-10")
    #expect(note.text == "Shopping" && note.tags == ["Home"] && note.isPinned)
    #expect(
      clock(note) == "2026-03-10T09:30:00" || clock(note)?.hasPrefix("2026-03-10T09:30") == true)
    #expect(note.notes?.contains("Bread\nand <b>milk</b>") == true, "\(note.notes ?? "")")
    #expect(note.notes?.contains("(https://example.org/a)") == true)
    #expect(note.description == "Archived in Keep\nShared with a@example.org")
    #expect(note.attachments.map(\.mediaType) == ["image/png"])
    #expect(note.source == .keepImport)
    let list = try only("2026-03-11")
    #expect(list.text == "tea, *cake*" && list.notes == "- [x] tea\n- [ ] \\*cake\\*")
    #expect(run.warnings.contains { $0.place.hasSuffix("field “reminders”") })
    #expect(run.warnings.contains { $0.message.contains("Keep’s trash") })
    let again = try #require(try job.run(try folder(keep(), in: "again")).first)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
    let edited = try #require(try job.run(try folder(keep("Other"), in: "edited")).first)
    #expect(edited.created.isEmpty && edited.updated == 1)
    _ = try test.archive.undo(
      try test.archive.importRun(matching: edited.id.uuidString).changeID)
    #expect(try only("2026-03-10").notes?.contains("Bread") == true)
  }

  /// A note as Takeout wrote it before 2022, without a creation, or later.
  private func note(
    _ text: String, edited: Int, created: Int? = nil, in folder: String, file: String = "T"
  ) throws -> ImportRun {
    let creation = created.map { ",\"createdTimestampUsec\":\($0)" } ?? ""
    let json = """
      {"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"title":"T",
      "textContent":"\(text)","userEditedTimestampUsec":\(edited)\(creation)}
      """
    return try #require(
      try job.run(try self.folder(["Keep/\(file).json": data(json)], in: folder)).first)
  }

  private func notes() throws -> [Activity] {
    try ["2020-10-29", "2020-11-04", "2024-01-05", "2024-01-06"]
      .flatMap { try test.day($0).activities }
  }

  @Test func aKeepNoteIsOneEntryWhetherItsCreationIsGivenOrNot() throws {
    #expect(
      try note("My note", edited: 1_604_445_200_000_001, in: "a").created == ["activity": 1])
    let second = try note(
      "My note", edited: 1_604_445_200_000_001, created: 1_604_000_000_000_000, in: "b")
    #expect(second.created.isEmpty && second.updated == 1, "\(second)")
    #expect(try only("2020-10-29").notes == "My note")
    let third = try note("My note, edited", edited: 1_704_445_200_000_000, in: "c")
    #expect(third.created.isEmpty && third.updated == 1, "\(third)")
    // The creation that only the second export gives is kept.
    #expect(try notes().map(\.notes) == ["My note, edited"])
    #expect(try only("2020-10-29").notes == "My note, edited")
    for (name, created) in [("d", 1_604_000_000_000_000), ("e", nil)] {
      let again = try note("My note", edited: 1_604_445_200_000_001, created: created, in: name)
      #expect(again.created.isEmpty && again.updated == 0, "\(again)")
    }
    _ = try test.archive.undo(
      try test.archive.importRun(matching: third.id.uuidString).changeID)
    #expect(try notes().map(\.notes) == ["My note"])
  }

  @Test func aKeepNoteThatWasEditedBeforeTheLaterExportIsStillOneEntry() throws {
    _ = try note("My long note", edited: 1_604_445_200_000_000, in: "a")
    let later = try note(
      "My note, edited", edited: 1_704_445_200_000_000, created: 1_604_000_000_000_000, in: "b")
    #expect(later.created.isEmpty && later.updated == 1, "\(later)")
    #expect(try notes().map(\.notes) == ["My note, edited"])
  }

  @Test func anotherKeepNoteWithTheSameFileNameIsAnotherEntry() throws {
    _ = try note("Milk and bread", edited: 1_604_445_200_000_000, in: "a")
    // Written after the first was last changed, or with other words.
    let new = try note(
      "Milk and bread", edited: 1_704_445_200_000_000, created: 1_704_445_200_000_000, in: "b")
    let other = try note("Call the plumber", edited: 1_704_531_600_000_000, in: "c")
    #expect(new.created == ["activity": 1] && other.created == ["activity": 1])
    #expect(try notes().count == 3)
  }

  @Test func aKeepNoteThatIsAPageAloneIsRead() throws {
    let page = """
      <?xml version="1.0" ?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title>
      <style>.note { x: y }</style></head><body><div class="note DEFAULT"><div class="heading"><div
      class="meta-icons"><span class="pinned" title="Note pinned"></span></div>
      Mar 10, 2026, 9:30:15 AM</div><div class="title">Trip</div>
      <div class="content"><ul class="list"><li class="listitem checked"><span class="bullet">&#9745;</span>
      <span class="text">pack &amp; go</span></li><li class="listitem"><span class="bullet">&#9744;</span><span
      class="text">rest</span></li></ul></div><div class="chips"><span class="chip label"><span
      class="label-name">Travel</span></span></div></div></body></html>
      """
    let files = [
      "Keep/Trip.html": data(page.replacing("class=\"note DEFAULT\"", with: "class=\"note\""))
    ]
    let run = try #require(try job.run(try folder(files, in: "page")).first)
    #expect(run.format == "keep" && run.created == ["activity": 1])
    let note = try only("2026-03-10")
    #expect(note.text == "Trip" && note.tags == ["Travel"] && note.isPinned)
    #expect(clock(note)?.hasPrefix("2026-03-10T09:30") == true)
    #expect(note.notes == "- [x] pack & go\n- [ ] rest")
  }

  // MARK: Journey

  /// As the programs for Android and the web write it since 2021.
  private func journey(_ text: String = "A <strong>walk</strong>") -> [String: Data] {
    [
      "1773131400000-4BbDhzcByTFSg6MW.json": data(
        """
        {"id":"1773131400000-4BbDhzcByTFSg6MW","date_modified":1773131500000,
        "date_journal":1773131400000,"timezone":"America/New_York",
        "text":"<p dir=\\"auto\\">\(text)</p>\\n<p dir=\\"auto\\">in the park</p>","preview_text":"x",
        "mood":3,"lat":40.78,"lon":-73.96,"address":"Central Park, New York","label":"","folder":"",
        "sentiment":0,"favourite":true,"music_title":"Heroes","music_artist":"Bowie",
        "photos":["1773131400000-4BbDhzcByTFSg6MW-5bkOJACgIzl36wsU.png","1773131400000-4BbDhzcByTFSg6MW-x.mp4"],
        "weather":{"id":0,"degree_c":7.46,"description":"Light rain","icon":"10d","place":"NY"},
        "tags":["walks"],"type":"html","wasureta":true}
        """),
      "1773131400000-4BbDhzcByTFSg6MW-5bkOJACgIzl36wsU.png": png,
      "1773217800000-3fe8fd2121c01e26.json": data(
        """
        {"text":"plain *text*\\nof two lines","date_modified":1773217800000,"date_journal":1773217800000,
        "id":"1773217800000-3fe8fd2121c01e26","preview_text":"","address":"","lat":1.7976931348623157e308,
        "lon":1.7976931348623157e308,"mood":0,"timezone":"","weather":{"id":-1,"degree_c":1.7976931348623157e308,
        "description":"","icon":"","place":""},"photos":[],"tags":[]}
        """),
    ]
  }

  @Test func journeysEntriesComeWithPhotosPlaceAndWeather() throws {
    let run = try #require(try job.run(try zip(journey(), named: "journey.zip")).first)
    #expect(run.format == "journey" && run.created["activity"] == 2, "\(run.warnings)")
    let walk = try only("2026-03-10")
    #expect(walk.text == "A **walk**" && walk.notes == "in the park", "\(walk.notes ?? "")")
    #expect(walk.timeZone == "America/New_York" && walk.isPinned && walk.tags == ["walks"])
    #expect(walk.locationLabel == "Central Park, New York" && walk.lat == 40.78)
    #expect(walk.weather == Weather(conditions: "Light rain", temperatureCelsius: 7.5))
    #expect(walk.description == "Mood in Journey: 3\nMusic: Heroes, Bowie")
    #expect(walk.attachments.map(\.mediaType) == ["image/png"])
    let plain = try only("2026-03-11")
    #expect(plain.text == "plain *text*" && plain.notes == "of two lines")
    #expect(plain.lat == nil && plain.weather == nil && plain.timeZone == "Europe/Berlin")
    #expect(run.warnings.contains { $0.message.contains("-x.mp4") })
    #expect(run.warnings.contains { $0.place.hasSuffix("field “wasureta”") })
    let again = try #require(try job.run(try folder(journey(), in: "again")).first)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
    let edited = try #require(try job.run(try folder(journey("Another"), in: "edited")).first)
    #expect(edited.created.isEmpty && edited.updated == 1)
  }

  @Test func entriesOfJourneysCloudKeepTheirWeatherAndPlace() throws {
    let entry = """
      {"id":"xH9WUl0f","dateOfJournal":"2026-03-10T08:30:00.000Z","text":"<p dir=\\"auto\\">Rain</p>",
      "timezone":"Asia/Tokyo","updatedAt":"2026-03-10T08:31:00.000Z","favourite":false,"sentiment":0,
      "address":"Toyama","location":{"lat":36.66,"lng":137.22},"weather":{"id":0,"degreeC":16.34,
      "description":"Light rain","icon":"10d","place":"Toyama"},"attachments":[],"tags":[],
      "version":1,"activity":0,"type":"html","schemaVersion":2}
      """
    let run = try #require(
      try job.run(try zip(["xH9WUl0f.json": data(entry)], named: "journey.zip")).first)
    #expect(run.format == "journey" && run.created["activity"] == 1, "\(run.warnings)")
    let rain = try only("2026-03-10")
    #expect(rain.timeZone == "Asia/Tokyo" && rain.locationLabel == "Toyama" && rain.lat == 36.66)
    #expect(rain.weather == Weather(conditions: "Light rain", temperatureCelsius: 16.3))
  }

  // MARK: Diarium

  private let diarium = """
    [{"date":"2026-03-10T09:30:15.48828","heading":"By the sea","html":"<p>We <i>swam</i>.</p><ul><li>a</li><li>b</li></ul>",
    "rating":4,"tags":["sea"],"people":["Sam"],"tracker":["Weight: 72.5","Sport: yes"],
    "location":[43.58,39.72],"weather":"sunny","sun":"Sunrise: 6:16 AM Sunset: 6:56 PM","lunar":"Full moon"},
    {"date":"2026-03-10T20:00:00","heading":"","html":"<p>Tired</p>","rating":1,"tags":[],"people":[],"tracker":[]},
    {"date":"2026-13-10T20:00:00","heading":"x","html":"","tags":[],"people":[],"tracker":[]}]
    """

  @Test func diariumsEntriesComeWithTrackersAndRatings() throws {
    let files = [
      "Diarium.json": data(diarium), "media/2026-03-10_093015488/IMG_1.png": png,
    ]
    let run = try #require(try job.run(try zip(files, named: "diarium.zip")).first)
    #expect(run.format == "diarium" && run.created["activity"] == 2, "\(run.warnings)")
    let day = try test.day("2026-03-10")
    #expect(day.entry?.mood == 3)
    let sea = try #require(day.activities.first { $0.text == "By the sea" })
    #expect(clock(sea)?.hasPrefix("2026-03-10T09:30:15") == true)
    #expect(sea.notes == "We *swam*.\n\n- a\n- b" && sea.tags == ["sea"])
    #expect(sea.measurements == ["Weight": 72.5] && sea.people.map(\.name) == ["Sam"])
    #expect(sea.description?.contains("Sport: yes\nRating: 4 of 5") == true)
    #expect(sea.weather?.conditions == "sunny" && sea.lat == 43.58)
    #expect(sea.attachments.count == 1)
    #expect(run.warnings.contains { $0.place.hasSuffix("entry 3 field “date”") })
    let again = try #require(try job.run(try folder(files, in: "again")).first)
    #expect(again.created.isEmpty && again.updated == 0)
  }

  @Test func diariumsPlainTextIsRead() throws {
    let text = """
      Tuesday, March 10, 2026 9:30 AM

      By the sea
      We swam.

      Tags: sea, sun
      People: Sam
      Tracker: Weight: 72.5
      Rating: ★★★★☆

      """
    let url = try test.folder.file("Diarium_2026-03-10.txt", text)
    let run = try #require(try job.run(url).first)
    #expect(run.format == "diarium" && run.created["activity"] == 1, "\(run.warnings)")
    let sea = try only("2026-03-10")
    #expect(sea.text == "By the sea" && sea.notes == "We swam." && sea.tags == ["sea", "sun"])
    #expect(sea.measurements == ["Weight": 72.5])
    #expect(try test.day("2026-03-10").entry?.mood == 4)
  }

  // MARK: Apple Journal

  /// As iOS writes it: Cocoa's writer closes the elements of title and text before what belongs to them.
  private func apple(_ body: String = "First &amp; last.") -> [String: Data] {
    [
      "AppleJournalEntries/index.html": data("<html><body><a href=\"x\">x</a></body></html>"),
      "AppleJournalEntries/Entries/2026-03-10_Evening.html": data(
        """
        <!DOCTYPE html><html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">
        span.s2 {font: 12px; font-weight: bold} span.s3 {font-style: italic}
        </style></head><body>
        <p class="p1"><span class="s1"><div class='pageContainer'>
        <div class="pageHeader">Tuesday, 10 March 2026</div>
        <div class="reflectionPrompt">What made you smile?</div>
        <div class="assetGrid">
        <div id="AAAA-1111" class="gridItem assetType_photo"><img src="../Resources/AAAA-1111.png" class="asset_image"/></div>
        <div id="BBBB-2222" class="gridItem assetType_multiPinMap"><img src="../Resources/BBBB-2222.png"/>
        <div class="gridItemOverlayHeader">2 places</div></div>
        <div id="CCCC-3333" class="gridItem assetType_stateOfMind"><div class="gridItemOverlayText">Calm</div>
        <div class="gridItemOverlayText">Family</div></div>
        <div id="DDDD-4444" class="gridItem assetType_audio"><div class="audioAssetHeader">Voice</div>
        <audio><source src="../Resources/DDDD-4444.m4a"/></audio></div>
        </div><div class='title'></div></span><span class="s2">Evening on the lake</span>
        <span class="s1"><div class='bodyText'></span></p>
        <p class="p2"><span class="s1">\(body)</span></p>
        <p class="p3"><span class="s2">Bold</span><span class="s1"> and </span><span class="s3">slanted</span></p>
        <blockquote><p>quoted</p></blockquote>
        <p class="p1"><span class="s1"></div></div></span></p></body></html>
        """),
      "AppleJournalEntries/Entries/2026-03-11.html": data(
        """
        <html><body><div class="pageHeader">mercoledì 11 marzo 2026</div>
        <div class="title">Pioggia</div><div class="bodyText"><p>Tutto il giorno &lt;script&gt;</p></div></body></html>
        """),
      "AppleJournalEntries/Entries/senza.html": data(
        """
        <html><body><div class="pageHeader">giovedì 12 marzo 2026</div>
        <div class="title"></div><div class="bodyText"><p>Sole</p></div></body></html>
        """),
      "AppleJournalEntries/Resources/AAAA-1111.png": png,
      "AppleJournalEntries/Resources/AAAA-1111.json": data(
        #"{"date":794907000,"latitude":45.98,"longitude":9.26,"placeName":"Bellagio"}"#),
      "AppleJournalEntries/Resources/BBBB-2222.png": TestPicture.png(width: 8, height: 8, seed: 2),
      "AppleJournalEntries/Resources/BBBB-2222.json": data(
        #"{"visits":[{"placeName":"Varenna","city":"Lecco"},{"placeName":"Como"}]}"#),
      "AppleJournalEntries/Resources/DDDD-4444.m4a": data("\0\0\0\u{c}ftypM4A "),
    ]
  }

  @Test func appleJournalsEntriesComeWithWhatIsInTheirGrid() throws {
    let run = try #require(try job.run(try zip(apple(), named: "AppleJournalEntries.zip")).first)
    #expect(run.format == "applejournal" && run.created["activity"] == 3, "\(run.warnings)")
    let evening = try only("2026-03-10")
    #expect(evening.text == "Evening on the lake" && evening.startAt == nil)
    #expect(
      evening.notes
        == "> What made you smile?\n\nFirst & last.\n\n**Bold** and *slanted*\n\n> quoted",
      "\(evening.notes ?? "")")
    #expect(evening.attachments.map(\.mediaType) == ["image/png", "audio/mp4"])
    #expect(
      evening.description
        == "Map: 2 places\nPlace: Varenna, Lecco; Como\nState of mind: Calm Family\nRecording: Voice"
    )
    #expect(evening.locationLabel == "Bellagio" && evening.lat == 45.98)
    #expect(try only("2026-03-11").notes?.contains("\\<script>") == true)
    #expect(try only("2026-03-12").text == "Sole")
    let again = try #require(
      try job.run(try folder(apple(), in: "again")).first)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 3)
    let edited = try #require(try job.run(try folder(apple("New"), in: "edited")).first)
    #expect(edited.created.isEmpty && edited.updated == 1)
  }

  @Test func manyPhotosDoNotHideTheEntriesOfAZip() throws {
    var files = apple()
    for number in 1...9 {
      files["AppleJournalEntries/Resources/EEEE-\(number).png"] = TestPicture.png(
        width: 8, height: 8, seed: UInt8(number + 10))
    }
    let runs = try job.run(try zip(files, named: "many.zip"))
    #expect(runs.map(\.format) == ["applejournal"])
  }

  // MARK: Day One Classic, and its plain text

  private func classic(_ text: String) -> [String: Data] {
    let uuid = "FF755C6D7D9B4A5FBC4E41C07D622C65"
    return [
      "Journal.dayone/entries/\(uuid).doentry": data(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>Creation Date</key><date>2026-03-10T08:30:00Z</date>
        <key>Creator</key><dict><key>Host Name</key><string>Mac</string></dict>
        <key>Entry Text</key><string>\(text)</string><key>Starred</key><true/>
        <key>Location</key><dict><key>Country</key><string>Italy</string><key>Latitude</key><real>41.9</real>
        <key>Longitude</key><real>12.5</real><key>Place Name</key><string>Via Appia</string></dict>
        <key>Tags</key><array><string>rome</string></array><key>Time Zone</key><string>Europe/Rome</string>
        <key>UUID</key><string>\(uuid)</string><key>Publish URL</key><string>http://example.org</string>
        <key>Weather</key><dict><key>Celsius</key><string>12</string><key>Description</key><string>Clear</string></dict>
        </dict></plist>
        """),
      "Journal.dayone/photos/\(uuid).png": png,
    ]
  }

  @Test func dayOneClassicComesWithItsPhotos() throws {
    let run = try #require(
      try job.run(try folder(classic("A day\n\nIn Rome &amp; more"), in: "classic")).first)
    #expect(run.format == "dayone" && run.created["activity"] == 1, "\(run.warnings)")
    let entry = try only("2026-03-10")
    #expect(entry.text == "A day" && entry.notes == "In Rome & more" && entry.isPinned)
    #expect(entry.timeZone == "Europe/Rome" && entry.tags == ["rome"] && entry.lat == 41.9)
    #expect(entry.weather == Weather(conditions: "Clear", temperatureCelsius: 12))
    #expect(entry.attachments.map(\.mediaType) == ["image/png"])
    #expect(entry.externalRefs.map(\.externalID) == ["FF755C6D7D9B4A5FBC4E41C07D622C65"])
    #expect(run.warnings.contains { $0.place.hasSuffix("field “Publish URL”") })
    let again = try #require(
      try job.run(try folder(classic("Another\n\nday"), in: "again")).first)
    #expect(again.created.isEmpty && again.updated == 1)
  }

  @Test func aDamagedClassicEntryIsNamedAndTheOthersComeIn() throws {
    var files = classic("A day")
    files["Journal.dayone/entries/AA755C6D7D9B4A5FBC4E41C07D622C65.doentry"] = data(
      "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict>\n<key>Entry Text</key><string>x")
    let run = try #require(try job.run(try folder(files, in: "classic")).first)
    #expect(run.created["activity"] == 1)
    #expect(
      run.warnings.contains { $0.place.contains("AA755C6D") && $0.message.contains("cut off") })
  }

  @Test func dayOnesPlainTextIsCutIntoItsEntries() throws {
    let text =
      "\tDate:\tMarch 10, 2026 at 9:30:00 AM GMT+1\n\tWeather:\t54°F Mostly Cloudy\n\tLocation:\tVia Appia, Rome\n"
      + "\tTags:\trome, sun\n\nA day\n\nin *Rome*\n\n\tDate:\t11. März 2026 um 20:00:00 MEZ\n\nSecond\n\tindented: no\n"
    let url = try test.folder.file("Journal.txt", text)
    let run = try #require(try job.run(url).first)
    #expect(run.format == "dayone" && run.created["activity"] == 2, "\(run.warnings)")
    let first = try only("2026-03-10")
    #expect(first.text == "A day" && first.notes == "in *Rome*" && first.tags == ["rome", "sun"])
    #expect(first.weather == Weather(conditions: "Mostly Cloudy", temperatureCelsius: 12.2))
    #expect(first.locationLabel == "Via Appia, Rome" && clock(first)?.contains("09:30") == true)
    let second = try only("2026-03-11")
    #expect(second.text == "Second" && clock(second)?.contains("20:00") == true)
    #expect(second.notes?.contains("indented: no") == true)
    let again = try #require(
      try job.run(try test.folder.file("other/Journal.txt", text + "\n")).first)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
  }

  // MARK: Standard Notes

  private func standard(_ text: String) -> String {
    """
    {"version":"004","items":[
    {"uuid":"t-1","content_type":"Tag","content":{"title":"home","references":[{"uuid":"n-1","content_type":"Note"}]}},
    {"uuid":"k-1","content_type":"SN|ItemsKey","content":{}},
    {"uuid":"n-1","content_type":"Note","content":{"title":"Plants","text":\(JSON.string(text).text()),"references":[],
    "appData":{"org.standardnotes.sn":{"client_updated_at":"2026-03-11T10:00:00.000Z","pinned":true}}},
    "created_at":"2026-03-10T08:30:00.123Z","updated_at":"2026-03-11T10:00:00.000Z"},
    {"uuid":"n-2","content_type":"Note","content":{"title":"Super","noteType":"super","text":"{\\"root\\":{\\"children\\":[
    {\\"type\\":\\"heading\\",\\"tag\\":\\"h2\\",\\"children\\":[{\\"type\\":\\"text\\",\\"text\\":\\"Top\\",\\"format\\":0}]},
    {\\"type\\":\\"list\\",\\"listType\\":\\"check\\",\\"children\\":[{\\"type\\":\\"listitem\\",\\"checked\\":true,
    \\"children\\":[{\\"type\\":\\"text\\",\\"text\\":\\"done\\",\\"format\\":1}]}]}]}}"},
    "created_at":"2026-03-12T08:30:00.000Z","updated_at":"2026-03-12T08:30:00.000Z"},
    {"uuid":"n-3","content_type":"Note","content":{"title":"Old","text":"x","trashed":true},"created_at":"2026-03-12T08:30:00.000Z"},
    {"uuid":"n-4","content_type":"Note","content":{"title":"Codes","noteType":"authentication","text":"[]"},"created_at":"2026-03-12T08:30:00.000Z"},
    {"uuid":"f-1","content_type":"SN|File","content":{}}
    ]}
    """.replacing("\\\"children\\\":[\n", with: "\\\"children\\\":[").replacing(
      "]},\n{\\\"type\\\":\\\"list", with: "]},{\\\"type\\\":\\\"list"
    ).replacing("true,\n\\\"", with: "true,\\\"")
  }

  @Test func standardNotesComeWithTagsAndFormattedText() throws {
    let name = "Standard Notes Backup and Import File.txt"
    let files = [name: data(standard("water *them*")), "Items/Note/Plants-1.txt": data("{}")]
    let run = try #require(try job.run(try zip(files, named: "sn.zip")).first)
    #expect(run.format == "standardnotes" && run.created["activity"] == 2, "\(run.warnings)")
    let plants = try only("2026-03-10")
    #expect(plants.text == "Plants" && plants.notes == "water *them*" && plants.tags == ["home"])
    #expect(plants.isPinned && plants.source == .standardNotesImport)
    #expect(try only("2026-03-12").notes == "## Top\n\n- [x] **done**")
    #expect(run.warnings.contains { $0.message.contains("trash") })
    #expect(run.warnings.contains { $0.message.contains("authenticator") })
    #expect(run.warnings.contains { $0.message.contains("SN|File") })
    let again = try #require(try job.run(try test.folder.file(name, standard("new"))).first)
    #expect(again.created.isEmpty && again.updated == 1 && again.unchanged == 1)
  }

  @Test func anEncryptedBackupOfStandardNotesIsRefused() throws {
    let url = try test.folder.file(
      "backup.txt",
      #"{"version":"004","items":[{"uuid":"n-1","content_type":"Note","content":"004:abc:def"}]}"#)
    #expect {
      try job.run(url)
    } throws: { error in
      "\(error)".contains("encrypted") && "\(error)".contains("Decrypted")
    }
  }

  // MARK: Bear

  private func bear(_ text: String) -> [String: Data] {
    [
      "Lake.textbundle/text.markdown": data(text),
      "Lake.textbundle/info.json": data(
        """
        {"version":2,"type":"net.daringfireball.markdown","net.shinyfrog.bear":{"creationDate":"2026-03-10T08:30:00Z",
        "modificationDate":"2026-03-11T08:30:00Z","uniqueIdentifier":"B-1","pinned":1,"trashed":0}}
        """),
      "Lake.textbundle/assets/a b.png": png,
    ]
  }

  @Test func bearsBackupComesWithTagsAndFiles() throws {
    let text = "# The lake\nA swim ![](assets/a%20b.png)\n\n#trips/italy #long walks#\n"
    let run = try #require(try job.run(try zip(bear(text), named: "notes.bear2bk")).first)
    #expect(run.format == "bear" && run.created["activity"] == 1, "\(run.warnings)")
    let lake = try only("2026-03-10")
    #expect(lake.text == "The lake" && lake.isPinned)
    #expect(Set(lake.tags) == ["trips/italy", "long walks"], "\(lake.tags)")
    #expect(lake.attachments.map(\.mediaType) == ["image/png"])
    let again = try #require(try job.run(try folder(bear(text), in: "again")).first)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 1)
  }

  // MARK: Notion

  private let pageID = "0f3b6c1a2d4e4f5a8b9c0d1e2f3a4b5c"

  @Test(arguments: [
    ("Last edited time: 01/25/2024 9:30 AM", "2024-03-02"), ("Due: 25/01/2024", "2024-02-03"),
    ("Mood: 1/2", nil),
  ])
  func theDatesOfAllPagesShowTheirOrder(other: String, expected: String?) throws {
    let home = try folder(
      [
        "A 1123456789abcdef0123456789abcdef.md": data("# A\n\nDate: 03/02/2024\n\nBody\n"),
        "B 2123456789abcdef0123456789abcdef.md": data(
          "# B\n\nDate: January 5, 2024\n\(other)\n\nBody\n"),
      ], in: "notion")
    let run = try #require(try job.run(home).first)
    #expect(run.format == "notion" && run.created["activity"] == 2, "\(run.warnings)")
    let assumed = DateOrder.inProcess == .dayFirst ? "2024-02-03" : "2024-03-02"
    #expect(try only(expected ?? assumed).text == "A")
    let notes = run.warnings.filter { $0.message.contains("the day or the month") }
    #expect(notes.count == (expected == nil ? 1 : 0))
  }

  @Test func theDatesOfDiariumsAndKeepsPagesShowTheirOrder() throws {
    let texts = try folder(
      [
        "Diarium_1.txt": data("03/02/2026\nOne\nPeople: Ann\n"),
        "Diarium_2.txt": data("01/25/2026\nTwo\nPeople: Ann\n"),
      ], in: "diarium")
    #expect(try job.run(texts).first?.created["activity"] == 2)
    #expect(try only("2026-03-02").text == "One" && only("2026-01-25").text == "Two")
    func page(_ date: String) -> Data {
      data(
        "<html><body><div class=\"note\"><div class=\"heading\">\(date)</div>"
          + "<div class=\"content\">\(date)</div></div></body></html>")
    }
    let pages = try folder(
      ["a.html": page("03/02/2025, 10:11:12"), "b.html": page("25/01/2025, 10:11:12")], in: "keep")
    #expect(try job.run(pages).first?.created["activity"] == 2)
    #expect(try clock(only("2025-02-03"))?.hasPrefix("2025-02-03") == true)
  }

  @Test func pagesOfNotionAreTheSameInBothOfItsExports() throws {
    let markdown = [
      "Export-7c1f/Diary/A day \(pageID).md": data(
        "# A day\n\nDate: March 10, 2026 9:30 AM\nTags: rome, sun\nRating: 5\n\nIn **Rome**\n\n"
          + "![x](A%20day/pic.png)\n"),
      "Export-7c1f/Diary/A day/pic.png": png,
      "Export-7c1f/Diary \(pageID.reversed().map(String.init).joined()).csv": data(
        "Name,Date\nA day,x\n"),
      "Export-7c1f/Undated 1f3b6c1a2d4e4f5a8b9c0d1e2f3a4b5c.md": data(
        "# Undated\n\nNote: this is text\n"),
    ]
    let run = try #require(try job.run(try zip(markdown, named: "notion.zip")).first)
    #expect(run.format == "notion" && run.created["activity"] == 1, "\(run.warnings)")
    let page = try only("2026-03-10")
    #expect(
      page.text == "A day" && page.tags == ["rome", "sun"] && page.description == "Rating: 5")
    #expect(page.notes?.hasPrefix("In **Rome**") == true && page.attachments.count == 1)
    #expect(clock(page)?.contains("09:30") == true)
    // A page without a date is no entry, and isn't passed over in silence.
    #expect(run.warnings.contains { $0.place.contains("Undated") })
    let html = [
      "Export-7c1f/A day \(pageID).html": data(
        """
        <html><head><style>body{}</style></head><body><article id="0f3b6c1a-2d4e" class="page sans"><header>
        <h1 class="page-title">A day</h1><table class="properties"><tbody>
        <tr class="property-row property-row-date"><th><span class="icon"></span>Date</th><td><time>@March 10, 2026 9:30 AM</time></td></tr>
        <tr class="property-row property-row-multi_select"><th>Tags</th><td><span class="selected-value">rome</span><span class="selected-value">sun</span></td></tr>
        </tbody></table></header><div class="page-body"><h2>Top</h2><p>In <strong>Rome</strong></p>
        <ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>packed</span></li></ul>
        <figure class="image"><a href="A%20day/pic.png"><img src="A%20day/pic.png"/></a></figure></div></article></body></html>
        """),
      "Export-7c1f/A day/pic.png": png,
    ]
    let second = try #require(try job.run(try folder(html, in: "html")).first)
    #expect(second.format == "notion" && second.created.isEmpty, "\(second.warnings)")
    let after = try only("2026-03-10")
    #expect(
      after.notes?.contains("## Top\n\nIn **Rome**") == true && after.tags == ["rome", "sun"])
    #expect(after.notes?.contains("- [x] packed") == true, "\(after.notes ?? "")")
    #expect(after.attachments.count == 1)
  }
}

import ArkivedAssistant
import ArkivedBackup
import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// A parser of Arkived's own, and how it is fed.
///
/// Whatever the bytes, it must come back soon, without a trap; where it reads what it wrote, both
/// must say the same.
struct FuzzTarget: Sendable {
  let name: String
  let run: @Sendable ([UInt8]) -> Void

  /// The one that the environment names.
  static let chosen: FuzzTarget? = {
    let name = ProcessInfo.processInfo.environment["ARKIVED_FUZZ"]
    return all.first { $0.name == name }
  }()

  static let all: [FuzzTarget] = texts + formats + imports

  // MARK: What people type

  private static let now = Instant(milliseconds: 1_773_518_400_000)
  private static let zone = Zone("Europe/Berlin") ?? .utc

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static let texts = [
    FuzzTarget(name: "line") { bytes in
      _ = try? QuickAddReader(now: now, zone: zone).read(text(bytes))
    },
    FuzzTarget(name: "line-de") { bytes in
      _ = try? QuickAddReader(now: now, zone: zone, language: .german).read(text(bytes))
    },
    FuzzTarget(name: "time") { bytes in
      let reader = TimeReader(now: now, zone: zone)
      _ = reader.matches(in: text(bytes))
      _ = try? reader.phrase(text(bytes))
    },
    FuzzTarget(name: "question") { bytes in
      let reader = QuestionReader(now: now, zone: zone, people: PersonReader(people: []))
      _ = reader.read(text(bytes))
    },
    FuzzTarget(name: "query") { bytes in _ = QueryLine(text(bytes)) },
    FuzzTarget(name: "promise") { bytes in
      _ = PromiseReader().promises(in: text(bytes), writtenOn: DayKey(clamping: 20_000))
    },
  ]

  // MARK: What programs write

  private static let session: MCPSession? = {
    guard let archive = try? Archive(at: .memory, clock: FixedClock(now)) else { return nil }
    return MCPSession(tools: ToolBox(archive: archive, zone: zone), caller: .agent("fuzz"))
  }()

  private static let formats = [
    FuzzTarget(name: "json") { bytes in
      guard let json = try? JSON(parsing: bytes) else { return }
      let written = json.text()
      let again = try? JSON(parsing: written)
      precondition(again?.text() == written, "what was written is not what was read")
    },
    FuzzTarget(name: "tools") { bytes in
      _ = session?.answer(to: bytes)
      // The same as arguments of a call, where most of the reading is.
      guard let json = try? JSON(parsing: bytes) else { return }
      let call: JSON = [
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": ["name": json["name"] ?? "createActivity", "arguments": json],
      ]
      _ = session?.answer(to: call.bytes())
    },
    FuzzTarget(name: "media") { bytes in
      _ = MediaType(sniffing: Data(bytes), fileName: text(bytes))
    },
    FuzzTarget(name: "age") { bytes in
      _ = try? AgeFile.wantsPassphrase(ByteInput(bytes))
      _ = try? AgeFile.wantsPassphrase(AgeArmor.decoded(ByteInput(bytes)))
    },
    FuzzTarget(name: "frames") { bytes in
      // As they come from the process that reads files, and one without the length before it.
      let defaults = EntryDefaults(now: now, homeZone: zone, identities: RandomIdentities())
      var buffer = FrameBuffer()
      buffer.append(bytes)
      while (try? buffer.next { _, frame in _ = try? frame.record(defaults) }) != nil {}
      bytes.withUnsafeBytes { all in
        var frame = FrameReader(all)
        guard let record = try? frame.record(defaults) else { return }
        FuzzSink().take(record)
      }
    },
    FuzzTarget(name: "zip") { bytes in
      FuzzFolder.withFile("a.zip", bytes) { file, scratch in
        guard let zip = try? ZipFile(file) else { return }
        _ = zip.heads(of: zip.entries)
        var targets: [Int: URL] = [:]
        for entry in zip.entries.prefix(20) {
          targets[entry.index] = scratch.appendingPathComponent("\(entry.index)")
        }
        _ = try? zip.unpack(targets, sizeLimit: 1 << 20, totalLimit: 4 << 20)
      }
    },
  ]

  // MARK: Files of other programs

  private static let imports = [
    importing("ics", "a.ics", ICalendarImporter()),
    importing("vcard", "contacts.vcf", VCardImporter()),
    importing("whatsapp", "WhatsApp Chat with Ann.txt", WhatsAppImporter()),
    importing("telegram", "result.json", TelegramImporter()),
    importing("sms", "sms.xml", SMSImporter()),
    importing("signal", "data.json", SignalImporter()),
    importing("signal-page", "chat.md", SignalImporter()),
    importing("dayone", "Journal.json", DayOneImporter()),
    importing("jrnl", "journal.txt", JrnlImporter()),
    importing("jrnl-json", "journal.json", JrnlImporter()),
    importing("jsonl", "life.jsonl", JSONLinesImporter()),
    importing("daylio", "daylio.csv", DaylioImporter()),
    importing("daylio-backup", "backup.daylio", DaylioImporter()),
    importing("toggl", "toggl.csv", TogglImporter()),
    importing("loop", "Habits.csv", LoopImporter()),
    tables("tickmate", HabitBackupImporter(.tickmate, source: FuzzTables())),
    tables("rewire", HabitBackupImporter(.rewire, source: FuzzTables())),
    importing("keep", "note.json", KeepImporter()),
    importing("keep-page", "note.html", KeepImporter()),
    importing("twitter", "tweets.js", TwitterImporter()),
    importing("journey", "1709595000000-abc.json", JourneyImporter()),
    importing("diarium", "Diarium.json", DiariumImporter()),
    importing("diarium-text", "Diarium_2026-03-10.txt", DiariumImporter()),
    importing("applejournal", "2026-03-10_Day.html", AppleJournalImporter()),
    importing("dayone-classic", "a.doentry", DayOneImporter()),
    importing("dayone-text", "Journal.txt", DayOneImporter()),
    importing("standardnotes", "Backup.txt", StandardNotesImporter()),
    importing("notion", "A day \(String(repeating: "0f", count: 16)).md", NotionImporter()),
    importing("notion-page", "A day \(String(repeating: "0f", count: 16)).html", NotionImporter()),
    importing("bear", "text.md", BearImporter()),
    importing("evernote", "Travel.enex", EvernoteImporter()),
    importing("goodreads", "library.csv", MediaListImporter(.goodreads)),
    importing("letterboxd", "diary.csv", MediaListImporter(.letterboxd)),
    importing("trakt", "history.json", MediaListImporter(.trakt)),
    importing("spotify", "StreamingHistory0.json", ListeningImporter(.spotify)),
    importing("lastfm", "scrobbles.csv", ListeningImporter(.lastfm)),
    importing("netflix", "ViewingActivity.csv", ViewingImporter(.netflix)),
    importing("netflix-days", "NetflixViewingHistory.csv", ViewingImporter(.netflix)),
    importing("youtube", "watch-history.json", ViewingImporter(.youtube)),
    importing("camt", "camt.053.xml", CAMTImporter()),
    importing("ofx", "statement.ofx", OFXImporter()),
    importing("google", "Timeline.json", GoogleImporter()),
    importing("owntracks", "2024-05.rec", OwnTracksImporter()),
    importing("gpx", "a.gpx", GPXImporter()),
    importing("kml", "a.kml", KMLImporter()),
    importing("geojson", "a.geojson", GeoJSONImporter()),
    importing("tcx", "a.tcx", TCXImporter()),
    importing("fit", "a.fit", FITImporter()),
    importing("strava", "activities.csv", StravaImporter()),
    importing("garmin", "0_summarizedActivities.json", GarminExportImporter()),
    importing("garmin-days", "UDSFile_2024.json", GarminExportImporter()),
    importing("garmin-weight", "1_userBioMetrics.json", GarminExportImporter()),
    importing("fitbit", "steps-2024-01-01.json", FitbitImporter()),
    importing("fitbit-sleep", "sleep-2024-01-01.json", FitbitImporter()),
    importing("fitbit-exercise", "exercise-0.json", FitbitImporter()),
    importing("fitbit-weight", "weight-2024-01-01.json", FitbitImporter()),
    importing("googlefit", "Daily activity metrics.csv", GoogleFitImporter()),
    importing("googlefit-session", "session.json", GoogleFitImporter()),
    importing("samsunghealth", "com.samsung.shealth.exercise.1.csv", SamsungHealthImporter()),
    importing("withings", "weight.csv", WithingsImporter()),
    importing("oura", "oura.json", OuraImporter()),
    importing("polarsteps", "trip.json", PolarstepsImporter()),
    importing("polarsteps-points", "locations.json", PolarstepsImporter()),
    importing("activitywatch", "export.json", ActivityWatchImporter()),
    importing("health", "export.xml", AppleHealthImporter()),
    importing("csv", "table.csv", TableImporter()),
    importing("points", "points.csv", TablePoints()),
    // Front matter, times at the beginning of lines, links and pictures.
    importing(
      "markdown", "2024-02-29.md",
      MarkdownFolderImporter(takesPages: true, takesTimedLines: true)),
    FuzzTarget(name: "inbox") { bytes in
      // The first line is the file's name.
      let name = InboxName(String(text(bytes).prefix { !$0.isNewline }))
      _ = (name.conflictOf, name.isPassing, name.soundTitle, name.kind(head: Data(bytes)))
      let time = InboxTime(fileName: name.name, changed: now, now: now, home: zone)
      guard let read = InboxText.read(Data(bytes)) else { return }
      _ = InboxPage(read.text, named: name, time: time, home: zone, now: now)
    },
    FuzzTarget(name: "tiff") { bytes in
      let order = bytes.first.map { $0.isMultiple(of: 2) } ?? true
      FuzzFolder.withFile("a.tif", Array((order ? "II*\0" : "MM\0*").utf8) + bytes) {
        read(PhotosImporter(), $0, $1)
      }
    },
    FuzzTarget(name: "photo-name") { bytes in
      // The name of a film that says nothing of itself.
      let name = text(bytes).prefix(60).filter { $0 != "/" && $0 != "\0" }
      let film: [UInt8] = [0, 0, 0, 12] + Array("ftypisom".utf8)
      FuzzFolder.withFile("\(name).mp4", film) { file, scratch in
        read(PhotosImporter(), file, scratch)
        try? FileManager.default.removeItem(at: file)
      }
    },
    FuzzTarget(name: "photos") { bytes in
      // The head of a video, and the side-car beside it.
      let head: [UInt8] = [0, 0, 0, 12] + Array("ftypisom".utf8)
      FuzzFolder.withFile("a.mp4", head + bytes) { file, scratch in
        try? Data(bytes).write(to: file.appendingPathExtension("json"))
        try? Data(bytes).write(to: file.appendingPathExtension("xmp"))
        read(PhotosImporter(), file, scratch)
        try? FileManager.default.removeItem(at: file.appendingPathExtension("json"))
        try? FileManager.default.removeItem(at: file.appendingPathExtension("xmp"))
      }
    },
  ]

  private static func importing(
    _ name: String, _ fileName: String, _ importer: any Importer
  ) -> FuzzTarget {
    FuzzTarget(name: name) { bytes in
      FuzzFolder.withFile(fileName, bytes) { file, scratch in read(importer, file, scratch) }
    }
  }

  private static func tables(_ name: String, _ importer: any Importer) -> FuzzTarget {
    FuzzTarget(name: name) { bytes in
      FuzzFolder.withFile("\(name).db", FuzzTables.magic + bytes) { file, scratch in
        read(importer, file, scratch)
      }
    }
  }

  private static func read(_ importer: any Importer, _ file: URL, _ scratch: URL) {
    let file = ImportFile(url: file, name: file.lastPathComponent)
    let context = ImportContext(
      now: now, homeZone: zone, identities: RandomIdentities(), expansionSeconds: 0.5,
      scratchFolder: { scratch })
    let content = (try? Data(contentsOf: file.url)) ?? Data()
    _ = try? importer.recognises(file, head: Array(content.prefix(4096)))
    try? importer.read(file, context: context, into: FuzzSink())
  }
}

/// Takes what an importer yields, and looks at it as the archive would.
private final class FuzzSink: ImportSink {
  func take(_ record: ImportedRecord) {
    guard case .activity(let activity) = record.value else { return }
    try? activity.validate()
  }

  func diagnose(_ diagnostic: Diagnostic) {
    precondition(!diagnostic.message.isEmpty && !diagnostic.place.isEmpty, "a silent diagnostic")
  }
}

/// A private folder in memory for one file at a time.
enum FuzzFolder {
  private static let url: URL = {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let base =
      FileManager.default.fileExists(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    let folder = base.appendingPathComponent("arkived-fuzz-\(getpid())")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()

  static func withFile(_ name: String, _ bytes: [UInt8], _ body: (URL, URL) -> Void) {
    let file = url.appendingPathComponent(name)
    let scratch = url.appendingPathComponent("scratch")
    try? FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    guard (try? Data(bytes).write(to: file)) != nil else { return }
    body(file, scratch)
  }
}

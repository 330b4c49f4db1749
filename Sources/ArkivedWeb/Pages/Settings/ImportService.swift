import ArkivedCore
import ArkivedEngine
import ArkivedImport
import FoundationEssentials

/// A service or program from which people come: where its export hides, and what comes in of it.
struct ImportService: Sendable {
  let id: String
  let name: String
  /// How its owner gets the export.
  let steps: String
  /// What to hand in.
  let handIn: String
  /// What becomes of it.
  let comesIn: String
  /// The formats that it exports.
  let formats: Set<String>

  var context: [String: Any] {
    [
      "serviceID": id, "serviceName": saidWhole(name), "steps": saidWhole(steps),
      "handIn": saidWhole(handIn), "comesIn": saidWhole(comesIn),
    ]
  }

  /// "From Daylio, imported 3 May".
  static func origin(of ref: ExternalRef, _ entries: EntryContext) -> String {
    said("From \(name(ofProvider: ref.provider)), imported \(entries.moment(ref.fetchedAt))")
  }

  /// "From vault.zip, imported 3 May", for what has no reference of its own.
  static func origin(of run: ImportRun, _ entries: EntryContext) -> String {
    let name = run.source.split(separator: "/").last.map { ClippedText.of(String($0), limit: 60) }
    return said("From \(name ?? run.format), imported \(entries.moment(run.startedAt))")
  }

  /// The page of a run.
  static func href(of run: ImportRun) -> String { "/settings/imports/\(run.id.uuidString)" }

  /// What people call the provider of an imported entry.
  static func name(ofProvider provider: String) -> String {
    switch provider {
    case "calendar": said("a calendar")
    case "health", "applehealth": "Apple Health"
    case "location": "places"
    case "google": "Google Timeline"
    case "photos": "photos"
    case "dayone": "Day One"
    case "jrnl": "jrnl"
    case "daylio": "Daylio"
    case "loop": "Loop"
    case "toggl": "Toggl"
    case "activitywatch": "ActivityWatch"
    case "owntracks": "OwnTracks"
    case "gpx": "GPX"
    case "obsidian": "Obsidian"
    case "logseq": "Logseq"
    case "markdown": "Markdown"
    case "keep": said("Google Keep")
    case "journey": "Journey"
    case "diarium": "Diarium"
    case "applejournal": said("Apple Journal")
    case "standardnotes": "Standard Notes"
    case "bear": "Bear"
    case "notion": "Notion"
    case "goodreads": "Goodreads"
    case "letterboxd": "Letterboxd"
    case "trakt": "Trakt"
    case "spotify": "Spotify"
    case "lastfm": "Last.fm"
    case "csv": said("a table")
    case "points": said("a table of positions")
    case "inbox": said("the inbox folder")
    default: provider
    }
  }

  /// Those whose formats are read.
  static var offered: [ImportService] {
    let formats = Set(ImportJob.formats.map(\.format))
    return all.filter { !$0.formats.isDisjoint(with: formats) }
  }

  private static let all = [
    ImportService(
      id: "health", name: "Apple Health",
      steps: "On the iPhone: Health, your picture at the top, Export All Health Data. It takes "
        + "minutes; send the file to this computer.",
      handIn: "export.zip, as it is",
      comesIn: "Workouts, sleep and mindful minutes as entries; steps, heart rate and the like as "
        + "numbers of the day.", formats: ["applehealth"]),
    ImportService(
      id: "timeline", name: "Google Timeline",
      steps:
        "On Android: Settings, Location, Location services, Timeline, Export Timeline data. On "
        + "the iPhone: Google Maps, your picture, Your Timeline, the gear, Export. Older ones: "
        + "takeout.google.com, Location History.",
      handIn: "Timeline.json, location-history.json, or the Takeout’s zip",
      comesIn: "Visits and journeys with place, way and time.", formats: ["google"]),
    ImportService(
      id: "dayone", name: "Day One",
      steps:
        "On the Mac: File, Export, JSON. On the phone: Settings, Import/Export, Export Day One "
        + "JSON. Day One Classic keeps its journal as a folder, Journal.dayone.",
      handIn: "The zip, the folder it unpacks to, or Journal.dayone",
      comesIn: "Every entry with its tags, place, weather, photos, sound and films.",
      formats: ["dayone"]),
    ImportService(
      id: "jrnl", name: "jrnl",
      steps: "The journal is a text file already; “jrnl --list” says where. An encrypted one: "
        + "jrnl --export json > journal.json",
      handIn: "journal.txt, journal.json, or the folder of days",
      comesIn: "Every entry with its tags and stars, and the pictures that it shows.",
      formats: ["jrnl"]),
    ImportService(
      id: "daylio", name: "Daylio",
      steps: "In the app: More, Backup & Restore, Advanced Options, Export. Or More, Export "
        + "Entries, CSV, which has no photos and not what moods of your own mean.",
      handIn: "backup….daylio, or daylio_export.csv",
      comesIn: "Every entry with its activities as tags and its photos; each day gets its mood.",
      formats: ["daylio"]),
    ImportService(
      id: "loop", name: "Loop Habit Tracker",
      steps: "In the app: Settings, Export full backup. Or Export as CSV.",
      handIn: "Loop Habits Backup….db, or the zip",
      comesIn: "An entry for each day on which a habit was kept, with its amount.",
      formats: ["loop"]),
    ImportService(
      id: "keep", name: "Google Keep",
      steps: "In the browser: takeout.google.com, Deselect all, then choose Keep. Google sends a "
        + "link to the zip.",
      handIn: "The Takeout’s zip, or its folder Keep",
      comesIn: "Every note on the day it was written, with its labels, lists, pictures and links. "
        + "Notes in the trash stay out.", formats: ["keep"]),
    ImportService(
      id: "journey", name: "Journey",
      steps: "In the browser or app: Settings, Data, Export, and choose the zip (JSON).",
      handIn: "The zip, or the folder it unpacks to",
      comesIn: "Every entry with its tags, photos, place, weather and music.",
      formats: ["journey"]),
    ImportService(
      id: "diarium", name: "Diarium",
      steps: "In the app: Export, JSON (.json), with “Create separate files for attachments”.",
      handIn: "The zip, or the .json with the folder media beside it; also .txt",
      comesIn: "Every entry with its tags, people, trackers, place and files; each day gets its "
        + "rating as its mood.", formats: ["diarium"]),
    ImportService(
      id: "applejournal", name: "Apple Journal",
      steps: "On the iPhone: Settings, Apps, Journal, Export All Journal Entries. In the app: the "
        + "menu, Export.",
      handIn: "AppleJournalEntries.zip, as it is",
      comesIn: "Every entry on its day, with its photos, films and recordings, places and state of "
        + "mind.", formats: ["applejournal"]),
    ImportService(
      id: "standardnotes", name: "Standard Notes",
      steps: "In the app: Preferences, Backups, Data backups, Decrypted, Download backup.",
      handIn: "The zip, or “Standard Notes Backup and Import File.txt” in it",
      comesIn: "Every note on the day it was written, with its tags.",
      formats: ["standardnotes"]),
    ImportService(
      id: "bear", name: "Bear",
      steps: "On the Mac: File, Backup Notes. On the phone: Settings, Import & Export, Backup. "
        + "Single notes: Export, TextBundle.",
      handIn: "The .bear2bk file, or .textbundle and .textpack",
      comesIn: "Every note on the day it was written, with its tags and files.",
      formats: ["bear"]),
    ImportService(
      id: "notion", name: "Notion",
      steps: "In the page’s or workspace’s menu: Export, HTML or Markdown & CSV, with subpages.",
      handIn: "The zip",
      comesIn: "Pages with a date, such as those of a database with Created time, with their "
        + "properties and files.", formats: ["notion"]),
    ImportService(
      id: "books", name: "Goodreads and Letterboxd",
      steps: "Goodreads: My Books, Import and export, Export Library. Letterboxd: Settings, Data, "
        + "Export your data.",
      handIn: "The CSV, or Letterboxd’s zip",
      comesIn: "Each book and film on the day you read or watched it, with rating, review and "
        + "shelves or tags.", formats: ["goodreads", "letterboxd"]),
    ImportService(
      id: "music", name: "Spotify, Last.fm and Trakt",
      steps: "Spotify: spotify.com, Account, Privacy, download your data. Last.fm: "
        + "lastfm.ghan.nl/export or lastfmstats.com, CSV. Trakt: Settings, Data, Export.",
      handIn: "The zip, the JSON files, or the CSV",
      comesIn: "For each day what you listened to, and each film and episode you watched.",
      formats: ["spotify", "lastfm", "trakt"]),
    ImportService(
      id: "toggl", name: "Toggl Track",
      steps: "In the browser: Reports, Detailed, choose the time, then the arrow, Download CSV.",
      handIn: "The CSV",
      comesIn: "Every time entry with project, client and tags.", formats: ["toggl"]),
    ImportService(
      id: "activitywatch", name: "ActivityWatch",
      steps: "In its browser page: Raw Data, Export all buckets as JSON.",
      handIn: "The JSON",
      comesIn: "How long which programs and pages had your time.", formats: ["activitywatch"]),
    ImportService(
      id: "owntracks", name: "OwnTracks and GPX",
      steps: "OwnTracks: the recorder’s store folder holds .rec files. GPX: most trackers and "
        + "watches export it for each way.",
      handIn: "The folder of .rec files, or .gpx files",
      comesIn: "Stays and ways with place, distance and time.", formats: ["owntracks", "gpx"]),
    ImportService(
      id: "obsidian", name: "Obsidian",
      steps: "Nothing to export: the vault is a folder on your computer.",
      handIn: "The vault’s folder by its path, or packed as a zip",
      comesIn: "Daily notes become the notes of their days, with mood, tags and pictures. Other "
        + "pages come in with “arkived import --pages”.", formats: ["markdown"]),
    ImportService(
      id: "logseq", name: "Logseq",
      steps: "Nothing to export: the graph is a folder on your computer.",
      handIn: "The graph’s folder by its path, or packed as a zip",
      comesIn: "Journals become the notes of their days; tasks become check boxes.",
      formats: ["markdown"]),
    ImportService(
      id: "photos", name: "Photos",
      steps: "Copy them from the phone or camera, or export the originals from your photo program.",
      handIn: "The folder by its path",
      comesIn: "Each photo at its time and place.", formats: ["photos"]),
    ImportService(
      id: "calendars", name: "Calendars",
      steps:
        "Google: Settings, Import & export, Export. Apple: File, Export. Outlook: Save Calendar. "
        + "To keep one in line instead, link it under Meetings.",
      handIn: "The .ics file, or the zip of several",
      comesIn: "Meetings with people, place and time.", formats: ["ics"]),
    ImportService(
      id: "arkived", name: "Arkived",
      steps: "On the other computer: Settings, Storage, Export as JSON Lines. With the files of "
        + "attachments: arkived export -o life.jsonl",
      handIn: "The .jsonl file, with the folder of attachments beside it",
      comesIn: "Everything, as it was there.", formats: ["jsonl"]),
    ImportService(
      id: "tenweek", name: "Ten Week",
      steps: "Nothing to export: the database is a file on your computer.",
      handIn: "The .db file",
      comesIn: "Goals, values, terms and actions, with what links them.", formats: ["tenweek"]),
    ImportService(
      id: "csv", name: "Anything else as CSV",
      steps: "Nearly every program exports a table. Its first row has to name the columns.",
      handIn: "The .csv file",
      comesIn: "A row becomes an entry. Columns are guessed by name and content; "
        + "“arkived import --dry-run” shows how, and --map tells it better.",
      formats: ["csv", "points"]),
  ]
}

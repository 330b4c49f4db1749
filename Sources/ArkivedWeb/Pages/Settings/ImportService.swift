import ArkivedCore
import ArkivedEngine
import ArkivedImport
import FoundationEssentials

/// A service or program that people switch from, with the way to export from it and the data that
/// is imported.
struct ImportService: Sendable {
  let id: String
  let name: String
  /// The steps to get the export.
  let steps: String
  /// The file to provide.
  let handIn: String
  /// The data that is imported.
  let comesIn: String
  /// The formats that it exports.
  let formats: Set<String>

  var context: [String: Any] {
    [
      "serviceID": id, "serviceName": saidWhole(name), "steps": saidWhole(steps),
      "handIn": saidWhole(handIn), "comesIn": saidWhole(comesIn),
    ]
  }

  /// Returns the origin of an entry: "From Daylio, imported 3 May".
  static func origin(of ref: ExternalRef, _ entries: EntryContext) -> String {
    said("From \(name(ofProvider: ref.provider)), imported \(entries.moment(ref.fetchedAt))")
  }

  /// Returns the origin of an entry without a reference of its own: "From vault.zip, imported 3
  /// May".
  static func origin(of run: ImportRun, _ entries: EntryContext) -> String {
    let name = run.source.split(separator: "/").last.map { ClippedText.of(String($0), limit: 60) }
    return said("From \(name ?? run.format), imported \(entries.moment(run.startedAt))")
  }

  /// Returns the page of a run.
  static func href(of run: ImportRun) -> String { "/settings/imports/\(run.id.uuidString)" }

  /// Returns the common name of the provider of an imported entry.
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
    case "kml": "KML"
    case "geojson": "GeoJSON"
    case "tcx": "TCX"
    case "fit": "FIT"
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
    case "vcard": said("an address book")
    case "whatsapp": "WhatsApp"
    case "telegram": "Telegram"
    case "sms": "SMS Backup & Restore"
    case "signal": "Signal"
    default: provider
    }
  }

  /// The services whose formats are supported.
  static var offered: [ImportService] {
    let formats = Set(ImportJob.formats.map(\.format))
    return all.filter { !$0.formats.isDisjoint(with: formats) }
  }

  private static let all = [
    ImportService(
      id: "health", name: "Apple Health",
      steps: "On iPhone: open Health, tap your picture at the top, then Export All Health Data. "
        + "This takes a few minutes. Send the file to this computer.",
      handIn: "export.zip, unchanged",
      comesIn: "Workouts, sleep and mindful minutes as entries. Steps, heart rate and similar "
        + "data as daily metrics.", formats: ["applehealth"]),
    ImportService(
      id: "timeline", name: "Google Timeline",
      steps:
        "On Android: Settings, Location, Location services, Timeline, Export Timeline data. On "
        + "iPhone: Google Maps, your picture, Your Timeline, the gear, Export. Older data: "
        + "takeout.google.com, Location History.",
      handIn: "Timeline.json, location-history.json, or the Takeout zip file",
      comesIn: "Visits and trips with place, route and time.", formats: ["google"]),
    ImportService(
      id: "dayone", name: "Day One",
      steps:
        "On the Mac: File, Export, JSON. On the phone: Settings, Import/Export, Export Day One "
        + "JSON. Day One Classic keeps its journal as a folder, Journal.dayone.",
      handIn: "The zip file, the unpacked folder or Journal.dayone",
      comesIn: "Every entry with its tags, place, weather, photos, audio and videos.",
      formats: ["dayone"]),
    ImportService(
      id: "jrnl", name: "jrnl",
      steps: "The journal is already a text file: “jrnl --list” shows where. If it’s encrypted: "
        + "jrnl --export json > journal.json",
      handIn: "journal.txt, journal.json, or the folder of days",
      comesIn: "Every entry with its tags, stars and the pictures in it.",
      formats: ["jrnl"]),
    ImportService(
      id: "daylio", name: "Daylio",
      steps: "In the app: More, Backup & Restore, Advanced Options, Export. Or More, Export "
        + "Entries, CSV. The CSV has no photos, and doesn’t say what your own moods mean.",
      handIn: "backup….daylio, or daylio_export.csv",
      comesIn: "Every entry with its photos, and its activities as tags. Each day gets its mood.",
      formats: ["daylio"]),
    ImportService(
      id: "loop", name: "Loop Habit Tracker",
      steps: "In the app: Settings, Export full backup. Or Export as CSV.",
      handIn: "Loop Habits Backup….db or the zip file",
      comesIn: "An entry for each day you kept a habit, with its amount.",
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
      handIn: "The zip file or the unpacked folder",
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
      handIn: "The zip file",
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
      steps: "In the browser: Reports, Detailed, choose the period, then the arrow, Download CSV.",
      handIn: "The CSV file",
      comesIn: "Every time entry with project, client and tags.", formats: ["toggl"]),
    ImportService(
      id: "activitywatch", name: "ActivityWatch",
      steps: "On its page in the browser: Raw Data, Export all buckets as JSON.",
      handIn: "The JSON file",
      comesIn: "How much time you spent in each program and on each page.",
      formats: ["activitywatch"]),
    ImportService(
      id: "owntracks", name: "OwnTracks and GPX",
      steps: "OwnTracks: the recorder’s store folder contains .rec files. GPX: most trackers and "
        + "watches can export each route.",
      handIn: "The folder of .rec files, or .gpx files",
      comesIn: "Stays and routes with place, distance and time.", formats: ["owntracks", "gpx"]),
    ImportService(
      id: "garmin", name: "Garmin, Wahoo, Coros, Suunto, Polar",
      steps:
        "On the device: connect it by cable and open Garmin, Activity, or its folder of activities. "
        + "Garmin Connect in the browser: an activity, the gear, Export File (FIT) or Export to TCX. "
        + "Polar Flow: a training, Export session (TCX). Other services offer the original file in "
        + "an activity’s menu.",
      handIn: "The .fit or .tcx files, or the folder or zip of them",
      comesIn: "Each activity with its sport, duration, distance, heart rate, calories, ascent and "
        + "line.", formats: ["tcx", "fit"]),
    ImportService(
      id: "maps", name: "Google My Maps, Google Earth, KML",
      steps:
        "My Maps: the map’s menu, Export to KML/KMZ. Google Earth: the menu of a place or project, "
        + "Export as KML file. OpenTracks and other apps: share a track as KMZ or KML.",
      handIn: "The .kml or .kmz file",
      comesIn:
        "Places, lines and tracks that have a time; the others don’t say when you were there.",
      formats: ["kml"]),
    ImportService(
      id: "overland", name: "Overland, GPSLogger, GeoJSON",
      steps:
        "Overland: what your server kept of its requests, as JSON, a request or point a line. "
        + "GPSLogger: turn on GeoJSON, KML, GPX or CSV under Logging details, then share the file. "
        + "Dawarich: Settings, Exports, GeoJSON.",
      handIn: "The .json or .geojson file, or GPSLogger’s .csv",
      comesIn: "Stays and ways of each day; places and lines with a time.",
      formats: ["geojson", "points"]),
    ImportService(
      id: "obsidian", name: "Obsidian",
      steps: "No export needed: the vault is a folder on your computer.",
      handIn: "The path to the vault’s folder, or the folder as a zip file",
      comesIn: "Daily notes become day notes, with mood, tags and pictures. To import other pages "
        + "too, use “arkived import --pages”.", formats: ["markdown"]),
    ImportService(
      id: "logseq", name: "Logseq",
      steps: "No export needed: the graph is a folder on your computer.",
      handIn: "The path to the graph’s folder, or the folder as a zip file",
      comesIn: "Journals become day notes. Tasks become checkboxes.",
      formats: ["markdown"]),
    ImportService(
      id: "contacts", name: "Contacts",
      steps:
        "iCloud: icloud.com, Contacts, select all, Export vCard. Google: contacts.google.com, "
        + "Export, vCard. Android: Contacts, Settings, Export. Outlook and Thunderbird export "
        + "vCards as well.",
      handIn: "The .vcf file",
      comesIn: "People with their addresses, numbers and nicknames, added to those you already "
        + "have. Birthdays, postal addresses and photos become a note about each.",
      formats: ["vcard"]),
    ImportService(
      id: "whatsapp", name: "WhatsApp",
      steps: "Open the chat. iPhone: tap its name, Export Chat. Android: the three dots, More, "
        + "Export chat. Choose Attach Media or Include media to bring photos. Repeat for each chat.",
      handIn: "The zip as it is, or the .txt file with the media beside it",
      comesIn: "One entry a day and chat with every message, who wrote, and the media.",
      formats: ["whatsapp"]),
    ImportService(
      id: "telegram", name: "Telegram",
      steps: "In Telegram Desktop: Settings, Advanced, Export Telegram data; or in one chat, the "
        + "three dots, Export chat history. Choose JSON as the format.",
      handIn: "The folder with result.json, or packed as a zip",
      comesIn: "One entry a day and chat with every message, who wrote, and the media.",
      formats: ["telegram"]),
    ImportService(
      id: "sms", name: "SMS Backup & Restore",
      steps: "In the Android app: Back up now, Messages, with Media, to the phone; then copy "
        + "sms-….xml to this computer.",
      handIn: "sms-….xml",
      comesIn: "One entry a day and conversation with every message and the media.",
      formats: ["sms"]),
    ImportService(
      id: "signal", name: "Signal",
      steps: "Export Signal Desktop with the program signal-export (sigexport), receive with "
        + "signal-cli --output=json, or decrypt a backup to JSON lines.",
      handIn: "The folder of signal-export, or the .jsonl file",
      comesIn: "One entry a day and chat with every message, who wrote, and the media.",
      formats: ["signal"]),
    ImportService(
      id: "photos", name: "Photos",
      steps: "Copy them from your phone or camera, or export the originals from your photo app.",
      handIn: "The path to the folder",
      comesIn: "Each photo with its time and place.", formats: ["photos"]),
    ImportService(
      id: "calendars", name: "Calendars",
      steps:
        "Google: Settings, Import & export, Export. Apple: File, Export. Outlook: Save Calendar. "
        + "To keep a calendar in sync instead, link it under Meetings.",
      handIn: "The .ics file, or a zip file of several",
      comesIn: "Meetings with people, place and time.", formats: ["ics"]),
    ImportService(
      id: "arkived", name: "Arkived",
      steps: "On the other computer: Settings, Storage, Export as JSON Lines. To include the "
        + "files of attachments: arkived export -o life.jsonl",
      handIn: "The .jsonl file, with the attachments folder next to it",
      comesIn: "Everything, exactly as it was there.", formats: ["jsonl"]),
    ImportService(
      id: "tenweek", name: "Ten Week",
      steps: "No export needed: the database is a file on your computer.",
      handIn: "The .db file",
      comesIn: "Goals, values, terms and actions, and the links between them.", formats: ["tenweek"]
    ),
    ImportService(
      id: "csv", name: "Anything else as CSV",
      steps: "Nearly every program can export a table. Its first row must name the columns.",
      handIn: "The .csv file",
      comesIn: "Each row becomes an entry. Columns are guessed by name and content. “arkived "
        + "import --dry-run” shows how, and --map corrects it.",
      formats: ["csv", "points"]),
  ]
}

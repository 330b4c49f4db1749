import ArkivedCore
import ArkivedEngine
import ArkivedImport

/// A service or program that people switch from, with the way to export from it and the data that
/// is imported.
struct ImportService: Sendable {
  let id: String
  let name: String
  /// The steps to get the export, or the ways, such as one for each system.
  let steps: [String]
  /// True if the steps follow each other.
  var inOrder = false
  /// The file to provide.
  let handIn: String
  /// The data that is imported.
  let comesIn: String
  /// The formats that it exports.
  let formats: Set<String>

  var context: [String: Any] {
    [
      "serviceID": id, "serviceName": saidWhole(name), "inOrder": inOrder,
      "steps": steps.map { saidWhole($0) }, "handIn": saidWhole(handIn),
      "comesIn": saidWhole(comesIn),
    ]
  }

  /// The services whose formats are supported.
  static var offered: [ImportService] {
    let formats = Set(ImportJob.formats.map(\.format))
    return all.filter { !$0.formats.isDisjoint(with: formats) }
  }

  private static let all = [
    ImportService(
      id: "health", name: "Apple Health",
      steps: [
        "On the iPhone, open Health and tap your profile picture at the top.",
        "Tap Export All Health Data. This takes a few minutes.",
        "Send the file to this computer.",
      ], inOrder: true,
      handIn: "export.zip, unchanged",
      comesIn: "Workouts, sleep and mindful minutes as entries. Steps, heart rate and similar "
        + "data as daily metrics.", formats: ["applehealth"]),
    ImportService(
      id: "timeline", name: "Google Timeline",
      steps: [
        "Android: Settings › Location › Location services › Timeline › Export Timeline data",
        "iPhone: Google Maps › your profile picture › Your Timeline › the gear › Export",
        "Older data: takeout.google.com › Location History",
      ],
      handIn: "Timeline.json, location-history.json, or the Takeout zip file",
      comesIn: "Visits and trips with place, route and time.", formats: ["google"]),
    ImportService(
      id: "dayone", name: "Day One",
      steps: [
        "Mac: File › Export › JSON",
        "Phone: Settings › Import/Export › Export Day One JSON",
        "Day One Classic keeps its journal in a folder named Journal.dayone.",
      ],
      handIn: "The zip file, the unpacked folder or Journal.dayone",
      comesIn: "Every entry with its tags, place, weather, photos, audio and videos.",
      formats: ["dayone"]),
    ImportService(
      id: "jrnl", name: "jrnl",
      steps: [
        "The journal is already a text file. “jrnl --list” shows where it is.",
        "If it’s encrypted: jrnl --export json > journal.json",
      ],
      handIn: "journal.txt, journal.json, or the folder with one file per day",
      comesIn: "Every entry with its tags, stars and the pictures in it.",
      formats: ["jrnl"]),
    ImportService(
      id: "daylio", name: "Daylio",
      steps: [
        "Everything: More › Backup & Restore › Advanced Options › Export",
        "Or a table: More › Export Entries › CSV. It doesn’t include photos or the meaning of "
          + "custom moods.",
      ],
      handIn: "backup….daylio, or daylio_export.csv",
      comesIn: "Every entry with its photos, and its activities as tags. Each day gets its mood.",
      formats: ["daylio"]),
    ImportService(
      id: "loop", name: "Loop Habit Tracker",
      steps: [
        "Settings › Export full backup",
        "Or: Settings › Export as CSV",
      ],
      handIn: "Loop Habits Backup….db or the zip file",
      comesIn: "An entry for each day you completed a habit, with the amount.",
      formats: ["loop"]),
    ImportService(
      id: "tickmate", name: "Tickmate, Rewire",
      steps: [
        "In Tickmate, open the menu and export the database.",
        "In Rewire, make a backup on the phone.",
      ],
      handIn: "tickmate….db, or Rewire’s backup (.db)",
      comesIn: "An entry for each day you kept a habit, with the time if it was recorded.",
      formats: ["tickmate", "rewire"]),
    ImportService(
      id: "keep", name: "Google Keep",
      steps: [
        "In the browser, open takeout.google.com.",
        "Choose Deselect all, then Keep.",
        "Google sends you a link to the zip file.",
      ], inOrder: true,
      handIn: "The Takeout zip file, or its Keep folder",
      comesIn: "Every note on the day it was written, with its labels, lists, pictures and links. "
        + "Notes in the trash are skipped.", formats: ["keep"]),
    ImportService(
      id: "journey", name: "Journey",
      steps: [
        "In the browser or app: Settings › Data › Export",
        "Choose the zip file (JSON).",
      ], inOrder: true,
      handIn: "The zip file or the unpacked folder",
      comesIn: "Every entry with its tags, photos, place, weather and music.",
      formats: ["journey"]),
    ImportService(
      id: "diarium", name: "Diarium",
      steps: [
        "In the app: Export › JSON (.json)",
        "Tick “Create separate files for attachments”.",
      ], inOrder: true,
      handIn: "The zip file, or the .json file with the media folder next to it; also .txt",
      comesIn: "Every entry with its tags, people, trackers, place and files. Each day’s rating "
        + "becomes its mood.", formats: ["diarium"]),
    ImportService(
      id: "applejournal", name: "Apple Journal",
      steps: [
        "iPhone: Settings › Apps › Journal › Export All Journal Entries",
        "In the app: the menu › Export",
      ],
      handIn: "AppleJournalEntries.zip, unchanged",
      comesIn: "Every entry on its day, with photos, videos, recordings, places and state of "
        + "mind.", formats: ["applejournal"]),
    ImportService(
      id: "standardnotes", name: "Standard Notes",
      steps: [
        "Preferences › Backups › Data backups › Decrypted › Download backup"
      ],
      handIn: "The zip file, or the file “Standard Notes Backup and Import File.txt” inside it",
      comesIn: "Every note on the day it was written, with its tags.",
      formats: ["standardnotes"]),
    ImportService(
      id: "bear", name: "Bear",
      steps: [
        "Mac: File › Backup Notes",
        "Phone: Settings › Import & Export › Backup",
        "Single notes: Export › TextBundle",
      ],
      handIn: "The .bear2bk file, or .textbundle and .textpack files",
      comesIn: "Every note on the day it was written, with its tags and files.",
      formats: ["bear"]),
    ImportService(
      id: "evernote", name: "Evernote",
      steps: [
        "On a computer, right-click a notebook: Export notebook › ENEX format",
        "Repeat for each notebook.",
      ], inOrder: true,
      handIn: "The .enex files, alone or in a folder or zip file",
      comesIn: "Every note on the day it was written, with its tags, files, tasks and place.",
      formats: ["evernote"]),
    ImportService(
      id: "notion", name: "Notion",
      steps: [
        "In the menu of the page or workspace: Export › HTML or Markdown & CSV",
        "Include subpages.",
      ], inOrder: true,
      handIn: "The zip file",
      comesIn: "Pages that have a date, such as those in a database with “Created time”, along "
        + "with their properties and files.", formats: ["notion"]),
    ImportService(
      id: "twitter", name: "X (Twitter)",
      steps: [
        "Settings › Your account › Download an archive of your data",
        "X sends you a link to the zip file within a few days.",
      ], inOrder: true,
      handIn: "The zip file or the unpacked folder",
      comesIn: "Every post and reply you wrote, with its pictures, videos, hashtags and place. "
        + "Reposts, likes and messages are skipped.", formats: ["twitter"]),
    ImportService(
      id: "books", name: "Goodreads and Letterboxd",
      steps: [
        "Goodreads: My Books › Import and export › Export Library",
        "Letterboxd: Settings › Data › Export your data",
      ],
      handIn: "The CSV file, or Letterboxd’s zip file",
      comesIn: "Books and films on the day you read or watched them, with rating, review, and "
        + "shelves or tags.", formats: ["goodreads", "letterboxd"]),
    ImportService(
      id: "music", name: "Spotify, Last.fm and Trakt",
      steps: [
        "Spotify: spotify.com › Account › Privacy › Download your data",
        "Last.fm: lastfm.ghan.nl/export or lastfmstats.com › CSV",
        "Trakt: Settings › Data › Export",
      ],
      handIn: "The zip file, the JSON files, or the CSV file",
      comesIn: "What you listened to each day, and every film and episode you watched.",
      formats: ["spotify", "lastfm", "trakt"]),
    ImportService(
      id: "video", name: "Netflix and YouTube",
      steps: [
        "Netflix: Account › your profile › Viewing activity › Download all",
        "Netflix, with times: netflix.com/account/getmyinfo sends you a zip file.",
        "YouTube: takeout.google.com › YouTube, and choose JSON for the history.",
      ],
      handIn: "NetflixViewingHistory.csv, ViewingActivity.csv or the Takeout zip file",
      comesIn: "Every film, episode and video you watched. Trailers and ads are skipped.",
      formats: ["netflix", "youtube"]),
    ImportService(
      id: "bank", name: "Bank statements",
      steps: [
        "In your bank’s online banking, open the account’s transactions.",
        "Export or download them as CAMT (XML), OFX, QFX, Quicken or Money.",
      ], inOrder: true,
      handIn: "The .xml, .ofx or .qfx file, or the zip file",
      comesIn: "Every booking on its day with payee, purpose and amount. Pending bookings are "
        + "skipped.", formats: ["ofx", "camt"]),
    ImportService(
      id: "toggl", name: "Toggl Track",
      steps: [
        "In the browser: Reports › Detailed",
        "Choose the period.",
        "Click the arrow › Download CSV",
      ], inOrder: true,
      handIn: "The CSV file",
      comesIn: "Every time entry with project, client and tags.", formats: ["toggl"]),
    ImportService(
      id: "activitywatch", name: "ActivityWatch",
      steps: [
        "In the browser: Raw Data › Export all buckets as JSON"
      ],
      handIn: "The JSON file",
      comesIn: "How much time you spent in each program and on each page.",
      formats: ["activitywatch"]),
    ImportService(
      id: "owntracks", name: "OwnTracks and GPX",
      steps: [
        "OwnTracks: the recorder’s store folder contains .rec files.",
        "GPX: most trackers and watches can export each route.",
      ],
      handIn: "The folder with the .rec files, or the .gpx files",
      comesIn: "Stays and routes with place, distance and time.", formats: ["owntracks", "gpx"]),
    ImportService(
      id: "garmin", name: "Garmin, Wahoo, Coros, Suunto, Polar",
      steps: [
        "Directly from the device: connect it by cable and open Garmin › Activity or its "
          + "activity folder.",
        "Garmin Connect: an activity › the gear › Export File (FIT) or Export to TCX",
        "Polar Flow: a training session › Export session (TCX)",
        "Other services offer the original file in an activity’s menu.",
      ],
      handIn: "The .fit or .tcx files, also in a folder or zip file",
      comesIn: "Each activity with its sport, duration, distance, heart rate, calories, ascent "
        + "and route.", formats: ["tcx", "fit"]),
    ImportService(
      id: "strava", name: "Strava",
      steps: [
        "Settings › My Account › Download or Delete Your Account › Get Started",
        "Request your archive. Strava sends you a link to the zip file.",
      ], inOrder: true,
      handIn: "The zip file, unchanged, or the unpacked folder",
      comesIn: "Every activity with its name, notes, sport, distance, heart rate and route.",
      formats: ["strava"]),
    ImportService(
      id: "garminexport", name: "Garmin Connect (full export)",
      steps: [
        "garmin.com/account › Account Management › Export Your Data",
        "Garmin sends you a link within a few days.",
      ], inOrder: true,
      handIn: "The zip file, or its DI_CONNECT folder",
      comesIn: "Activities (without their routes), sleep, steps, resting heart rate and weight. "
        + "For routes, import the .fit files instead.", formats: ["garmin"]),
    ImportService(
      id: "fitbit", name: "Fitbit",
      steps: [
        "takeout.google.com › Deselect all, then choose Fitbit",
        "Google sends you a link to the zip file.",
      ], inOrder: true,
      handIn: "The Takeout zip file, or its Fitbit folder",
      comesIn: "Workouts and sleep as entries. Steps, heart rate, active minutes and weight as "
        + "daily metrics.", formats: ["fitbit"]),
    ImportService(
      id: "googlefit", name: "Google Fit",
      steps: [
        "takeout.google.com › Deselect all, then choose Fit",
        "Google sends you a link to the zip file.",
      ], inOrder: true,
      handIn: "The Takeout zip file, or its Fit folder",
      comesIn: "Sessions as entries. Steps, active minutes, distance and heart rate as daily "
        + "metrics.", formats: ["googlefit"]),
    ImportService(
      id: "samsunghealth", name: "Samsung Health",
      steps: [
        "On the phone: Samsung Health › the menu › Settings › Download personal data",
        "Copy the folder to this computer.",
      ], inOrder: true,
      handIn: "The samsunghealth_… folder, or a zip file of it",
      comesIn: "Workouts and sleep as entries. Steps, weight and blood pressure as daily metrics.",
      formats: ["samsunghealth"]),
    ImportService(
      id: "withings", name: "Withings",
      steps: [
        "account.withings.com › your account › Download your data",
        "Withings sends you a link to the zip file.",
      ], inOrder: true,
      handIn: "The zip file, or tables from it, such as weight.csv",
      comesIn: "Activities and sleep as entries. Weight, body fat, blood pressure and steps as "
        + "daily metrics.", formats: ["withings"]),
    ImportService(
      id: "oura", name: "Oura",
      steps: [
        "cloud.ouraring.com › My Account › Export Data › JSON"
      ],
      handIn: "The JSON file",
      comesIn: "Sleep and workouts as entries. Steps, resting heart rate and heart rate "
        + "variability as daily metrics.", formats: ["oura"]),
    ImportService(
      id: "polarsteps", name: "Polarsteps",
      steps: [
        "Your profile picture › Settings › Privacy › Download my data",
        "Polarsteps sends you a link to the zip file.",
      ], inOrder: true,
      handIn: "The zip file, unchanged, or the unpacked folder",
      comesIn: "Every step with its text, photos, place and weather; stays and trips between them.",
      formats: ["polarsteps"]),
    ImportService(
      id: "maps", name: "Google My Maps, Google Earth, KML",
      steps: [
        "My Maps: the map’s menu › Export to KML/KMZ",
        "Google Earth: the menu of a place or project › Export as KML file",
        "OpenTracks and other apps: share a track as KMZ or KML.",
      ],
      handIn: "The .kml or .kmz file",
      comesIn:
        "Places, lines and tracks with a time. Others are skipped because they don’t show when "
        + "you were there.",
      formats: ["kml"]),
    ImportService(
      id: "overland", name: "Overland, GPSLogger, GeoJSON",
      steps: [
        "Overland: the requests your server stored, as JSON, one request or point per line.",
        "GPSLogger: turn on GeoJSON, KML, GPX or CSV under Logging details, then share the file.",
        "Dawarich: Settings › Exports › GeoJSON. Or link your server under Linked services.",
      ],
      handIn: "The .json or .geojson file, or GPSLogger’s .csv",
      comesIn: "Each day’s stays and trips; places and lines with a time.",
      formats: ["geojson", "points"]),
    ImportService(
      id: "obsidian", name: "Obsidian",
      steps: ["No export needed: the vault is a folder on your computer."],
      handIn: "The path to the vault’s folder, or the folder as a zip file",
      comesIn: "Daily notes become day notes, with mood, tags and pictures. To import other pages "
        + "too, use “arkived import --pages”.", formats: ["markdown"]),
    ImportService(
      id: "logseq", name: "Logseq",
      steps: ["No export needed: the graph is a folder on your computer."],
      handIn: "The path to the graph’s folder, or the folder as a zip file",
      comesIn: "Journals become day notes. Tasks become checkboxes.",
      formats: ["markdown"]),
    ImportService(
      id: "contacts", name: "Contacts",
      steps: [
        "iCloud: icloud.com › Contacts › select all › Export vCard",
        "Google: contacts.google.com › Export › vCard",
        "Android: Contacts › Settings › Export",
        "Outlook and Thunderbird can export vCards as well.",
      ],
      handIn: "The .vcf file",
      comesIn: "People with their addresses, phone numbers and nicknames. Details are added to "
        + "people you already have. Birthdays, postal addresses and photos go into a note about "
        + "each person.",
      formats: ["vcard"]),
    ImportService(
      id: "whatsapp", name: "WhatsApp",
      steps: [
        "iPhone: open the chat › its name › Export Chat › Attach Media",
        "Android: open the chat › the three dots › More › Export chat › Include media",
        "Repeat this for each chat.",
      ],
      handIn: "The zip file, unchanged, or the .txt file with the media next to it",
      comesIn: "One entry per day and chat, with every message, its sender and the media.",
      formats: ["whatsapp"]),
    ImportService(
      id: "telegram", name: "Telegram",
      steps: [
        "Telegram Desktop, all chats: Settings › Advanced › Export Telegram data",
        "One chat: the three dots › Export chat history",
        "Choose JSON as the format.",
      ],
      handIn: "The folder with result.json, or a zip file of it",
      comesIn: "One entry per day and chat, with every message, its sender and the media.",
      formats: ["telegram"]),
    ImportService(
      id: "sms", name: "SMS Backup & Restore",
      steps: [
        "In the Android app: Back up now › Messages (with Media) › to the phone",
        "Copy sms-….xml to this computer.",
      ], inOrder: true,
      handIn: "sms-….xml",
      comesIn: "One entry per day and conversation, with every message and the media.",
      formats: ["sms"]),
    ImportService(
      id: "signal", name: "Signal",
      steps: [
        "Signal Desktop: export with signal-export (sigexport).",
        "signal-cli: receive messages with --output=json.",
        "Signal backup: decrypt it to JSON Lines.",
      ],
      handIn: "The signal-export folder, or the .jsonl file",
      comesIn: "One entry per day and chat, with every message, its sender and the media.",
      formats: ["signal"]),
    ImportService(
      id: "photos", name: "Photos",
      steps: ["Copy them from your phone or camera, or export the originals from your photo app."],
      handIn: "The path to the folder",
      comesIn: "Each photo with its time and place.", formats: ["photos"]),
    ImportService(
      id: "calendars", name: "Calendars",
      steps: [
        "Google: Settings › Import & export › Export",
        "Apple: File › Export",
        "Outlook: Save Calendar",
        "To keep a calendar in sync instead, link it under Meetings.",
      ],
      handIn: "The .ics file, or a zip file with several of them",
      comesIn: "Meetings with people, place and time.", formats: ["ics"]),
    ImportService(
      id: "arkived", name: "Arkived",
      steps: [
        "On the other computer: Settings › Storage › Export as JSON Lines",
        "Including attached files: arkived export -o life.jsonl",
      ],
      handIn: "The .jsonl file, with the attachments folder next to it",
      comesIn: "Everything, exactly as it was there.", formats: ["jsonl"]),
    ImportService(
      id: "tenweek", name: "Ten Week",
      steps: ["No export needed: the database is a file on your computer."],
      handIn: "The .db file",
      comesIn: "Goals, values, terms and actions, and the links between them.", formats: ["tenweek"]
    ),
    ImportService(
      id: "csv", name: "Other programs, as CSV",
      steps: ["Nearly every program can export a table. Its first row must name the columns."],
      handIn: "The .csv file",
      comesIn:
        "Each row becomes an entry. Columns are recognised by their names and content. “arkived import "
        + "--dry-run” shows how, and --map corrects it.",
      formats: ["csv", "points"]),
  ]
}

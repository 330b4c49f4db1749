import ArkivedCore
import FoundationEssentials

/// Describes the origins of imported entries.
enum ImportOrigin {
  /// Returns the origin of an entry: "From Daylio, imported 3 May".
  static func line(of ref: ExternalRef, _ entries: EntryContext) -> String {
    said("From \(name(ofProvider: ref.provider)), imported \(entries.moment(ref.fetchedAt))")
  }

  /// Returns the origin of an entry without its own reference: "From vault.zip, imported 3 May".
  static func line(of run: ImportRun, _ entries: EntryContext) -> String {
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
    case "tickmate": "Tickmate"
    case "rewire": "Rewire"
    case "toggl": "Toggl"
    case "activitywatch": "ActivityWatch"
    case "owntracks": "OwnTracks"
    case "gpx": "GPX"
    case "kml": "KML"
    case "geojson": "GeoJSON"
    case "tcx": "TCX"
    case "fit": "FIT"
    case "strava": "Strava"
    case "garmin": "Garmin"
    case "fitbit": "Fitbit"
    case "googlefit": "Google Fit"
    case "samsunghealth": "Samsung Health"
    case "withings": "Withings"
    case "oura": "Oura"
    case "polarsteps": "Polarsteps"
    case "obsidian": "Obsidian"
    case "logseq": "Logseq"
    case "markdown": "Markdown"
    case "keep": said("Google Keep")
    case "journey": "Journey"
    case "diarium": "Diarium"
    case "applejournal": said("Apple Journal")
    case "standardnotes": "Standard Notes"
    case "bear": "Bear"
    case "evernote": "Evernote"
    case "notion": "Notion"
    case "twitter": "X"
    case "goodreads": "Goodreads"
    case "letterboxd": "Letterboxd"
    case "trakt": "Trakt"
    case "netflix": "Netflix"
    case "youtube": "YouTube"
    case "spotify": "Spotify"
    case "lastfm": "Last.fm"
    case "ofx", "camt": said("a bank statement")
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
}

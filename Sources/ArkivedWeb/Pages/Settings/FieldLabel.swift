import ArkivedCore

/// The names of fields as people read them.
enum FieldLabel {
  // words: Day | Start | End | Pinned | Place | Latitude | Longitude | Minutes | Colour
  // words: Other addresses | Text | Note | Notes | Title | Mood | Energy | Kind | Tags
  // words: People | Description | Measurements | Name | Email | Theme | Priority
  // words: For | Offered first on | Prompts | Show a prompt on days without a note
  // words: Also ask about the same day in past years
  // words: Time | Part of the day | Time zone | Target | Goal | Value | Unit | Number | Dates
  // words: Tag | Person | Attachment | Measurement | Address | Source | Weather | Purpose
  // words: Outcomes | Summary | Reflection | Relationship | Life area | Birth date
  // words: Life expectancy | Attendees | Status | Kind of goal | Meeting | Term
  // words: Why it matters | What counts | Weeks | Guidance | Strength | Certainty
  // words: Logged | Lowest | Highest | How it was linked | Order | Organiser | All day
  // words: Deleted in the calendar | File type | File name | Size in bytes | Attachments
  private static let labels = [
    "dayKey": "Day", "startAt": "Start", "endAt": "End", "isPinned": "Pinned",
    "locationLabel": "Place", "lat": "Latitude", "lon": "Longitude",
    "durationMinutes": "Minutes", "colorHex": "Colour",
    "furtherAddresses": "Other addresses", "addresses": "Other addresses",
    "use": "For", "weekdays": "Offered first on",
    "showsPrompts": "Show a prompt on days without a note",
    "usesPast": "Also ask about the same day in past years",
    "when": "Time", "where": "Place", "number": "Value", "plan": "Target", "rank": "Priority",
    "dates": "Dates", "match": "Value", "dayPeriod": "Part of the day", "timeZone": "Time zone",
    "measurementUnit": "Unit", "measurementTarget": "Target", "startDate": "Start",
    "targetDate": "End", "termNumber": "Number", "goalType": "Kind of goal",
    "howGoalIsRelevant": "Why it matters", "howGoalIsActionable": "What counts",
    "expectedTermLength": "Weeks", "relationshipSummary": "Relationship",
    "lifeDomain": "Life area", "incentiveType": "Kind", "birthDate": "Birth date",
    "expectedYears": "Life expectancy", "goalId": "Goal", "meetingId": "Meeting",
    "alignmentGuidance": "Guidance", "contribution": "Value", "confidence": "Certainty",
    "logTime": "Logged", "min": "Lowest", "max": "Highest", "metric": "Measurement",
    "matchMethod": "How it was linked", "organizer": "Organiser", "isAllDay": "All day",
    "isEventDeleted": "Deleted in the calendar", "mediaType": "File type",
    "originalName": "File name", "externalURL": "Address", "byteCount": "Size in bytes",
  ]

  private static let members = [
    "tags": "Tag", "mentions": "Person", "attachments": "Attachment",
    "measurements": "Measurement", "aliases": "Name", "addresses": "Address",
    "externalRefs": "Source",
  ]

  /// Returns a field's label: "isPinned" becomes "Pinned", "expectedCost" becomes "Expected cost".
  static func of(_ name: String) -> String {
    if let label = labels[name] { return saidWhole(label) }
    var words = ""
    for character in name.prefix(60) {
      if character.isUppercase, !words.isEmpty { words += " " }
      words += words.isEmpty ? character.uppercased() : character.lowercased()
    }
    return saidWhole(words)
  }

  /// Returns the label of a field that devices merge by itself, such as `tags/ID`.
  static func ofMerged(_ field: String) -> String {
    guard let slash = field.firstIndex(of: "/") else { return of(field) }
    let collection = String(field[..<slash])
    // The members of a setting have names of their own.
    return members[collection].map(saidWhole) ?? of(String(field[field.index(after: slash)...]))
  }
}

import ArkivedCore

/// An activity at a destination.
struct Sight: Sendable {
  /// The part of the day: m morning, l lunch, a afternoon, e evening.
  var part: Character
  var venue: SampleVenue?
  var text: SampleTemplate
  var notes: [SampleTemplate]
}

/// A destination of the life's trips.
struct Destination: Sendable {
  var key: String
  var city: String
  var zone: String
  var lat: Double
  var lon: Double
  var climate: Climate
  /// The words of the log for the journey there, followed by those for the way back and the hours
  /// of both.
  var outward: String
  var homeward: String
  var leaves: Int
  var returns: Int
  var minutes: Int
  /// True if the way back arrives on the next day.
  var arrivesNextDay: Bool
  var sights: [Sight] = []
  var ambient = 0

  /// Parses `*
  /// key|city|zone|lat|lon|january|july|wetness|outward|homeward|leaves|returns|minutes|next`.
  init?(_ line: Substring) {
    let fields = line.dropFirst(2).split(separator: "|").map { $0.trimmed }
    guard fields.count == 14, let lat = Double(fields[3]), let lon = Double(fields[4]),
      let january = Double(fields[5]), let july = Double(fields[6]), let wet = Double(fields[7]),
      let leaves = Int(fields[10]), let returns = Int(fields[11]), let minutes = Int(fields[12])
    else { return nil }
    key = fields[0]
    city = fields[1]
    zone = fields[2]
    self.lat = lat
    self.lon = lon
    climate = Climate(january: january, july: july, wetness: wet)
    outward = fields[8]
    homeward = fields[9]
    self.leaves = leaves
    self.returns = returns
    self.minutes = minutes
    arrivesNextDay = fields[13] == "next"
  }
}

/// A trip of the life's eleven-year course.
struct Trip: Sendable {
  var destination: String
  /// The first day, counted as in `DayKey`.
  var start: Int
  var days: Int
  /// The key of the companion; empty if there is none.
  var companion: String

  /// Parses `destination YYYY-MM-DD YYYY-MM-DD companion`, one per line.
  static func read(_ text: String) -> [Trip] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 3, let first = DayKey(words[1]), let last = DayKey(words[2]) else {
        return nil
      }
      return Trip(
        destination: words[0], start: first.daysSinceEpoch,
        days: first.distance(to: last) + 1, companion: words.count > 3 ? words[3] : "")
    }
  }
}

/// A day of a trip.
struct TripDay: Sendable {
  var trip: Trip
  var destination: Destination
  /// The number of the day, from 0.
  var number: Int
  var isFirst: Bool { number == 0 }
  var isLast: Bool { number == trip.days - 1 }
}

/// A step of a story: the log texts and notes of its day.
struct Beat: Sendable {
  var arc: String
  var mood: Int
  var kind: ActivityKind
  /// The minute of the day.
  var start: Int?
  var minutes: Int
  var tags: [String]
  var text: SampleTemplate?
  var notes: [SampleTemplate]
  var title: String?
}

/// A piece of work that takes months.
struct WorkProject: Sendable {
  var name: String
  var start: Int
  var days: Int
  var what: String
  var client: String
  var features: [String]
  var bugs: [String]

  /// Parses `name|YYYY-MM-DD|weeks|what|client key|feature;feature|bug;bug`, one per line.
  static func read(_ text: String) -> [WorkProject] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "|").map(String.init)
      guard fields.count == 7, let day = DayKey(fields[1]), let weeks = Int(fields[2]) else {
        return nil
      }
      return WorkProject(
        name: fields[0], start: day.daysSinceEpoch, days: weeks * 7, what: fields[3],
        client: fields[4], features: fields[5].split(separator: ";").map(String.init),
        bugs: fields[6].split(separator: ";").map(String.init))
    }
  }

  /// Returns the phase of the work on a day.
  func phase(_ day: Int) -> String {
    let part = Double(day - start) / Double(days)
    if day == launchDay { return "launch" }
    if day > launchDay { return "after" }
    switch part {
    case ..<0.1: return "kickoff"
    case ..<0.34: return "research"
    case ..<0.68: return "build"
    case ..<0.84: return "testing"
    default: return "crunch"
    }
  }

  /// The Wednesday two weeks before the end.
  var launchDay: Int { start + days - 12 }
}

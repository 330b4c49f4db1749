import ArkivedCore
import Foundation

/// The content of an imported entry, in a form that shows whether two entries with the same start
/// are versions of one.
struct RowTraits {
  /// The least that shows whether two entries are the same.
  struct Look {
    /// A hash of the text.
    var text: Int
    var lat: Double?
    var lon: Double?
    /// The seconds that it took.
    var length: Double?
    var isTimed: Bool
  }

  let look: Look
  /// The words of the text, without numbers.
  private let words: Set<String>
  /// The words and numbers of the text.
  private let terms: Set<String>
  /// The words and numbers of all fields.
  private let allTerms: Set<String>
  /// The other fields, each as a whole.
  private let fields: Set<String>
  private let tags: Set<String>

  init(_ activity: Activity) {
    look = Look(
      text: NameFolding.key(activity.text).hashValue, lat: activity.lat, lon: activity.lon,
      length: Self.length(activity), isTimed: activity.startAt != nil)
    terms = Self.terms(activity.text)
    words = terms.filter { $0.contains(where: \.isLetter) }
    tags = Set(activity.tags.map(NameFolding.key))
    var fields: Set<String> = []
    var others = activity.tags + activity.people.map(\.name)
    if let seconds = look.length, seconds > 0 {
      fields.insert("length \(seconds)")
      others.append(AmountText.plain(seconds / 60))
    }
    for (unit, amount) in activity.measurements where amount != 0 {
      fields.insert("amount \(unit) \(amount)")
      others.append("\(unit) \(AmountText.plain(amount))")
    }
    for text in [activity.notes, activity.locationLabel].compactMap({ $0 }) {
      fields.insert("text \(NameFolding.key(text))")
      others.append(text)
    }
    for line in (activity.description ?? "").split(whereSeparator: \.isNewline) {
      fields.insert("line \(NameFolding.key(String(line)))")
      others.append(String(line))
    }
    fields.formUnion(activity.people.map { "person \(NameFolding.key($0.name))" })
    if let weather = activity.weather?.typedText {
      fields.insert("weather \(weather)")
      others.append(weather)
    }
    self.fields = fields
    allTerms = others.reduce(into: terms) { $0.formUnion(Self.terms($1)) }
  }

  private static func terms(_ text: String) -> Set<String> {
    Set(NameFolding.key(text).split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }

  /// Returns the seconds that an entry took.
  private static func length(_ activity: Activity) -> Double? {
    guard let start = activity.startAt, let end = activity.endAt else {
      return activity.durationMinutes.map { $0 * 60 }
    }
    return Double(start.seconds(to: end))
  }

  // MARK: Comparing

  /// Returns true if the text or the place shows that two entries are the same, whatever file they
  /// are from.
  func isSame(as other: RowTraits, _ kind: StartName.Kind) -> Bool {
    if look.isSame(as: other.look, kind) { return true }
    // The same cells may have been read as other fields by an earlier version.
    return kind != .place && !terms.isEmpty && !other.terms.isEmpty
      && terms.isSubset(of: other.allTerms) && other.terms.isSubset(of: allTerms)
  }

  /// Returns true if at least half of the words of the shorter text are in the other.
  func isAlike(_ other: RowTraits) -> Bool {
    let shared = words.intersection(other.words).count
    return shared > 0 && shared * 2 >= min(words.count, other.words.count)
  }

  /// Returns true if one text has all words of the other.
  func extends(_ other: RowTraits) -> Bool {
    !words.isEmpty && !other.words.isEmpty
      && (words.isSubset(of: other.words) || other.words.isSubset(of: words))
  }

  /// Returns true if a field other than the text and the tags is the same.
  func sharesField(with other: RowTraits) -> Bool { !fields.isDisjoint(with: other.fields) }

  /// Returns true if all fields other than the text are the same, and there are any.
  func hasFields(of other: RowTraits) -> Bool {
    fields == other.fields && tags == other.tags && !(fields.isEmpty && tags.isEmpty)
  }
}

extension RowTraits.Look {
  /// The distance in metres within which two entries that begin at the same moment are the same.
  private static let near = 1_000.0
  /// The distance in metres within which two marks of the same day are the same.
  private static let close = 100.0

  func isSame(as other: RowTraits.Look, _ kind: StartName.Kind) -> Bool {
    guard kind == .place else { return text == other.text }
    // Nobody begins two ways or stays at the same moment, except in different places.
    if let metres = metres(to: other) {
      return metres <= (isTimed || text == other.text ? Self.near : Self.close)
    }
    guard isTimed, text != other.text else { return text == other.text }
    // The place may not have been imported.
    return (lat == nil) == (other.lat == nil) || hasLength(of: other)
  }

  /// Returns true if both took about the same time.
  private func hasLength(of other: RowTraits.Look) -> Bool {
    guard let length, let otherLength = other.length else { return false }
    return abs(length - otherLength) <= 0.1 * max(length, otherLength)
  }

  /// Returns the distance, or nil if a place is unknown.
  private func metres(to other: RowTraits.Look) -> Double? {
    guard let lat, let lon, let otherLat = other.lat, let otherLon = other.lon else { return nil }
    let degree = 111_195.0
    let east = abs(lon - otherLon)
    let width = min(east, 360 - east) * cos((lat + otherLat) / 2 * .pi / 180)
    return (width * width + (lat - otherLat) * (lat - otherLat)).squareRoot() * degree
  }
}

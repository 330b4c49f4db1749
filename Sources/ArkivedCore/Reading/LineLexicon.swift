import CTexts

/// The words of quick-add lines by their role, from `Resources/lines.txt`.
struct LineLexicon: Sendable {
  /// The role of a word, named after its section in the file.
  enum Role: String, Sendable {
    case hours, night, late, bed, moving, result, climb, media, place, region, kin, address, beside,
      name, journey, turning
    case nightNoun = "night noun"
    case feastThing = "feast thing"
    case open
    case atHour = "at hour"
    case beforeRate = "before rate"
    case notPaid = "not paid"
    case notPlace = "not place"
    case notName = "not name"
    case plainWord = "plain word"
    case paying, instead, chain, score, early, change, whole, past, ahead, moved, evening, rising,
      weight, task, begun, over, shift
    case notPast = "not past"
  }

  static let shared = LineLexicon(ctx_lines().buffer)

  private let words: [Role: Set<String>]
  private let phrases: [Role: [[String]]]
  /// The names and symbols of currencies, each with the name under which amounts are stored.
  let money: [String: String]
  /// The English names of parts of the day by their names in other languages.
  let periods: [String: String]
  /// The names of days by their short forms.
  let shortDays: [String: String]
  /// The names of days that are recognised even if misspelt.
  let days: Set<String>
  /// The replacements made in German lines, longer phrases first.
  let german: [TimeWording.Rule]

  /// Parses a lexicon, byte by byte because every command that reads a line does.
  ///
  /// - Parameter text: sections in brackets with words separated by commas; lines of `[money]`,
  ///   `[period]` and `[day]` begin with the meaning of their words and a colon, lines of
  ///   `[german]` with the phrase to replace and a colon.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    var words: [Role: Set<String>] = [:]
    var phrases: [Role: [[String]]] = [:]
    var money: [String: String] = [:]
    var periods: [String: String] = [:]
    var shortDays: [String: String] = [:]
    var days: Set<String> = []
    var german: [(says: String, means: String)] = []
    var section = ""
    var role: Role?
    for line in text.pieces(between: UInt8(ascii: "\n")) where line[0] != UInt8(ascii: "#") {
      if line[0] == UInt8(ascii: "[") {
        section = String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
        role = Role(rawValue: section)
        continue
      }
      if let role {
        for entry in line.pieces(between: UInt8(ascii: ",")) {
          let parts = Self.words(of: entry)
          if parts.count == 1 { words[role, default: []].insert(parts[0]) }
          if parts.count > 1 { phrases[role, default: []].append(parts) }
        }
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let key = String(decoding: line[..<colon], as: UTF8.self)
      let rest = UnsafeBufferPointer(rebasing: line[(colon + 1)...])
      if section == "german" {
        german.append((key, Self.words(of: rest).joined(separator: " ")))
      } else if section == "period" {
        for name in rest.pieces(between: UInt8(ascii: ",")) {
          periods[Self.words(of: name).joined(separator: " ")] = key
        }
      } else if section == "day" {
        for name in rest.pieces(between: UInt8(ascii: ",")) {
          shortDays[Self.words(of: name).joined(separator: " ")] = key
        }
        days.insert(key)
      } else if section == "money" {
        money[key.lowercased()] = key
        for name in rest.pieces(between: UInt8(ascii: ",")) {
          money[Self.words(of: name).joined(separator: " ").lowercased()] = key
        }
      }
    }
    self.words = words
    self.phrases = phrases
    self.money = money
    self.periods = periods
    self.shortDays = shortDays
    self.days = days
    self.german = german.map { TimeWording.Rule($0.says, $0.means) }
      .sorted { $0.says.count > $1.says.count }
  }

  private static func words(of text: UnsafeBufferPointer<UInt8>) -> [String] {
    text.pieces(between: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns true if a single word has a role; phrases of several words are not considered.
  func has(_ word: String, _ role: Role) -> Bool { words[role]?.contains(word) ?? false }

  /// The maximum number of words in a line that are checked for a role.
  private static let lineLimit = 200

  /// Returns true if a line contains a word or phrase with a role.
  func isAmong(_ line: [String], _ role: Role) -> Bool {
    let line = line.prefix(Self.lineLimit)
    if line.contains(where: { has($0, role) }) { return true }
    return (phrases[role] ?? []).contains { phrase in
      line.indices.contains { line[$0...].starts(with: phrase) }
    }
  }

  /// Returns true if words with a role end right before a position in a line.
  func ends(_ line: [String], at end: Int, _ role: Role) -> Bool {
    guard end > 0, end <= line.count else { return false }
    if has(line[end - 1], role) { return true }
    return (phrases[role] ?? []).contains { line[..<end].reversed().starts(with: $0.reversed()) }
  }

  /// Returns true if a word has a role or is a compound that ends in a word with that role:
  /// "stadtpark".
  func hasPart(_ word: String, _ role: Role) -> Bool {
    if has(word, role) { return true }
    return (words[role] ?? []).contains { part in
      part.count >= 3 && word.count > part.count + 2 && word.hasSuffix(part)
    }
  }
}

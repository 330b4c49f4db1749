import CTexts

/// The words of quick-add lines by their role, from `Resources/lines.txt`.
struct LineLexicon: Sendable {
  /// The role of a word, named after its section in the file.
  enum Role: String, Sendable {
    case hours, night, late, bed, moving, result, climb, media, place, region, kin, address, beside,
      name
    case nightNoun = "night noun"
    case feastThing = "feast thing"
    case open
    case atHour = "at hour"
    case beforeRate = "before rate"
    case notPaid = "not paid"
    case notPlace = "not place"
    case notName = "not name"
    case plainWord = "plain word"
  }

  static let shared = LineLexicon(String(ctx_lines()))

  private let words: [Role: Set<String>]
  private let phrases: [Role: [[String]]]
  /// The names and symbols of currencies, each with the name under which amounts are stored.
  let money: [String: String]
  /// The replacements made in German lines, longer phrases first.
  let german: [TimeWording.Rule]

  /// Parses a lexicon.
  ///
  /// - Parameter text: sections in brackets with words separated by commas; lines of `[money]` and
  ///   `[german]` have a colon after the currency or the phrase.
  init(_ text: String) {
    var words: [Role: Set<String>] = [:]
    var phrases: [Role: [[String]]] = [:]
    var money: [String: String] = [:]
    var german: [(says: String, means: String)] = []
    var section = ""
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      if line.hasPrefix("[") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      if let role = Role(rawValue: section) {
        for entry in line.split(separator: ",") {
          let parts = entry.split(separator: " ").map(String.init)
          if parts.count == 1 { words[role, default: []].insert(parts[0]) }
          if parts.count > 1 { phrases[role, default: []].append(parts) }
        }
        continue
      }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let (key, rest) = (String(line[..<colon]), line[line.index(after: colon)...])
      if section == "german" {
        german.append((key, rest.split(separator: " ").joined(separator: " ")))
      } else if section == "money" {
        for name in [Substring(key)] + rest.split(separator: ",") {
          money[name.split(separator: " ").joined(separator: " ").lowercased()] = key
        }
      }
    }
    self.words = words
    self.phrases = phrases
    self.money = money
    self.german = german.map { TimeWording.Rule($0.says, $0.means) }
      .sorted { $0.says.count > $1.says.count }
  }

  /// Returns true if a single word has a role; phrases of several words are not considered.
  func has(_ word: String, _ role: Role) -> Bool { words[role]?.contains(word) ?? false }

  /// Returns true if a line contains a word or phrase with a role.
  func isAmong(_ line: [String], _ role: Role) -> Bool {
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

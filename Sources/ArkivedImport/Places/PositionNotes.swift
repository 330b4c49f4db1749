import ArkivedCore

/// The words with positions of a log, which are comments that somebody wrote, or what the program
/// that recorded them says about each.
///
/// Words are a program's if they have no letters, or if they are on most positions or many of them,
/// apart from their numbers. If most positions have other words, such as an address, all are.
struct PositionNotes {
  private struct Note {
    var feature: MapFeature
    var time: FeatureTime
  }

  /// The maximum number of positions with words that are stored.
  private static let limit = 50_000
  /// The number of positions from which words on most of them are a program's, and the number with
  /// the same words that a person may write.
  private static let leastCount = 20
  private static let leastRepeats = 3

  private var positions = 0
  private var notes: [Note] = []
  /// The number of positions by their words without numbers.
  private var counts: [String: Int] = [:]
  private var dropped = 0

  /// Takes a position of the log.
  mutating func take(_ feature: MapFeature, _ time: FeatureTime) {
    positions += 1
    let words = [feature.description, feature.name].compactMap { $0.flatMap(Self.pattern) }
    guard !words.isEmpty else { return }
    for word in Set(words) { counts[word, default: 0] += 1 }
    notes.append(Note(feature: feature, time: time))
    if notes.count > Self.limit { prune() }
  }

  /// Returns the comments as features with the comment as their name, and the number of other words,
  /// and begins anew.
  mutating func takeAll() -> (comments: [(feature: MapFeature, time: FeatureTime)], dropped: Int) {
    defer { self = PositionNotes() }
    let written = notes.compactMap { note in
      words(of: note.feature).map { words in
        var feature = note.feature
        (feature.name, feature.description, feature.notes) = (words, nil, nil)
        return (feature: feature, time: note.time)
      }
    }
    let others = dropped + notes.count - written.count
    guard positions < Self.leastCount || written.count * 2 <= positions else {
      return ([], others + written.count)
    }
    return (written, others)
  }

  /// Drops the words that are a program's so far, and all if too many are left.
  private mutating func prune() {
    let written = notes.filter { words(of: $0.feature) != nil }
    let kept = written.count * 2 > Self.limit ? [] : written
    dropped += notes.count - kept.count
    notes = kept
  }

  /// Returns the words that somebody wrote.
  private func words(of feature: MapFeature) -> String? {
    [feature.description, feature.name].lazy.compactMap { $0 }.first { text in
      guard let count = Self.pattern(text).flatMap({ counts[$0] }) else { return false }
      let isOnMost = count >= Self.leastRepeats && count * 2 > positions
      return !isOnMost && count <= max(Self.leastCount, positions / 20)
    }
  }

  /// Returns words in lower case without numbers; nil if they have no letters.
  private static func pattern(_ text: String) -> String? {
    guard text.contains(where: \.isLetter) else { return nil }
    var pattern = ""
    for character in text.prefix(200).lowercased() where !character.isWhitespace {
      let isNumber = character.isNumber || ".,:-+".contains(character)
      if !isNumber {
        pattern.append(character)
      } else if pattern.last != "0" {
        pattern.append("0")
      }
    }
    return pattern
  }
}

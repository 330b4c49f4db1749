import ArkivedCore
import Foundation

/// Which written forms of a key a text may hold for a word: keys lack a final e, so that "win" and
/// "wine" have the same.
enum WrittenForms {
  /// Whether a written form is that of a word ending in e ("tapes"), is not ("taps", "tapping"), or may
  /// be either ("tiring").
  static func endsInE(_ written: String, _ key: String) -> Bool? {
    if written == key { return false }
    if written == key + "e" || written == key + "es" || written == key + "ed" {
      return written.hasSuffix("ed") ? nil : !hissing.contains { key.hasSuffix($0) } ? true : nil
    }
    if written == key + "s" { return false }
    guard let last = key.last else { return nil }
    return ["ing", "ed", "er"].contains { written == key + String(last) + $0 } ? false : nil
  }

  private static let hissing = ["s", "x", "z", "sh", "ch", "o"]

  /// Whether a written form tells of doing it: "fishing", "fished".
  static func isVerbal(_ written: String) -> Bool {
    written.hasSuffix("ing") || written.hasSuffix("ed")
  }
}

extension TimelineNames {
  /// The written forms of a key that texts and tags hold; empty where they begin otherwise.
  func written(_ key: String) -> [String] {
    let stem = key.hasSuffix("y") ? String(key.dropLast()) : key
    guard stem.count >= 3 else { return [] }
    return words(startingWith: stem).filter { Lemma.key($0) == key }
      + (tagsByKey[key] ?? []).map { $0.lowercased() }
  }

  /// The key that a word is looked up by: its own where texts hold only another word of the same key,
  /// "trip" for "tripe".
  func key(of word: String, _ key: String) -> String {
    let lower = word.lowercased()
    guard let isE = WrittenForms.endsInE(lower, key) else { return key }
    let all = written(key)
    let known = all.map { WrittenForms.endsInE($0, key) }
    guard !known.isEmpty, known.allSatisfy({ $0 == !isE }) else { return key }
    return lower == key ? lower + "-" : lower
  }
}

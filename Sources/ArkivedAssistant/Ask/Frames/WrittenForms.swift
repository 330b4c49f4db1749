import ArkivedCore
import Foundation

/// The distinction between written forms of words with the same key: keys lack a final e, so "win"
/// and "wine" share one.
enum WrittenForms {
  /// Returns true if a written form comes from a word ending in e ("tapes"), false if it doesn't
  /// ("taps", "tapping"), and nil if both are possible ("tiring").
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

  /// Returns true if a written form expresses an activity: "fishing", "fished".
  static func isVerbal(_ written: String) -> Bool {
    written.hasSuffix("ing") || written.hasSuffix("ed")
  }
}

extension TimelineNames {
  /// Returns the written forms of a key that texts and tags contain; forms that begin differently
  /// aren't found.
  func written(_ key: String) -> [String] {
    let stem = key.hasSuffix("y") ? String(key.dropLast()) : key
    guard stem.count >= 3 else { return [] }
    return words(startingWith: stem).filter { Lemma.key($0) == key }
      + (tagsByKey[key] ?? []).map { $0.lowercased() }
  }

  /// Returns the key for looking up a word: the exact word if texts contain only another word with
  /// the same key, "trip" for "tripe".
  func key(of word: String, _ key: String) -> String {
    let lower = word.lowercased()
    guard let isE = WrittenForms.endsInE(lower, key) else { return key }
    let all = written(key)
    let known = all.map { WrittenForms.endsInE($0, key) }
    guard !known.isEmpty, known.allSatisfy({ $0 == !isE }) else { return key }
    return lower == key ? lower + "-" : lower
  }
}

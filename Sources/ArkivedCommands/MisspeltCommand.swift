import ArkivedCore

/// Finds the command that a first word may have been intended as, after the words were saved as an
/// entry, or help was requested.
enum MisspeltCommand {
  /// Returns the command one typo away from a word: an extra, missing or different letter, or two
  /// in the wrong order.
  ///
  /// Words of the language, such as “simple”, which is close to “sample”, match none.
  ///
  /// - Parameters:
  ///   - word: the word.
  ///   - commands: the names of all commands.
  ///   - isEntry: true if the word begins an entry. The first letter must then match, and the name
  ///     must have at least five letters, because short words are one typo away from many others.
  /// - Returns: the command; nil if there is none.
  static func meant(by word: String, among commands: [String], isEntry: Bool) -> String? {
    let typed = Array(word.lowercased())
    guard typed.count > 2, typed.count <= 30 else { return nil }
    if isEntry, QuickAddReader.isPlainWord(word) { return nil }
    return commands.sorted().first { command in
      let name = Array(command)
      if isEntry {
        // “served dinner”, “meetings all day”
        guard name.count >= 5, typed.first == name.first || typed.prefix(2).contains(name[0]),
          !typed.starts(with: name)
        else { return false }
      }
      return isSlip(typed, name)
    }
  }

  private static func isSlip(_ typed: [Character], _ name: [Character]) -> Bool {
    guard typed != name, abs(typed.count - name.count) <= 1 else { return false }
    let start = zip(typed, name).prefix { $0 == $1 }.count
    let (left, right) = (typed[start...], name[start...])
    if left.count != right.count {
      let (longer, shorter) = left.count > right.count ? (left, right) : (right, left)
      return Array(longer.dropFirst()) == Array(shorter)
    }
    if Array(left.dropFirst()) == Array(right.dropFirst()) { return true }
    return left.count > 1 && left[start] == right[start + 1] && left[start + 1] == right[start]
      && Array(left.dropFirst(2)) == Array(right.dropFirst(2))
  }
}

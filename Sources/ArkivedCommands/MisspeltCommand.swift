import ArkivedCore

/// Finds the command that a first word may have meant, where the words were saved as an entry or where
/// help was asked for.
enum MisspeltCommand {
  /// Returns the command one slip away from a word: a letter too many, too few, another one, or two
  /// in the wrong order. Words of the language, such as “simple” beside “sample”, mean none.
  ///
  /// - Parameter isEntry: if the word begins an entry. The first letter is then right, and the name
  ///   has five letters or more, as short words are one slip away from many others.
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

import ArkivedCore
import Foundation

/// The names of pages in a folder that Obsidian opens as a vault, and the links between them.
///
/// A link `[[Alex Kim]]` points to the page with that name in any folder. Names omit the characters
/// that Obsidian refuses in file names and links: `* " \ / < > : | ? # ^ [ ]`.
struct VaultNames {
  static let peopleFolder = "people"
  static let notesFolder = "notes"

  /// The pages' names without their extension, by the ID of the person or note.
  private var pages: [UUID: String] = [:]
  private var taken: Set<String> = []
  private let links: VaultLinks
  /// The time zone of times that don't name one.
  let zone: Zone?

  /// Names the pages of people and notes.
  ///
  /// - Parameters:
  ///   - people: the people.
  ///   - notes: the notes with their names, in an order that doesn't change.
  ///   - before: the names of the pages in the folder. A page keeps its name as long as its person
  ///     or note is called so, because links point to it.
  ///   - zone: the time zone of times that don't name one.
  ///   - links: writes links in texts.
  init(
    _ people: [Person], notes: [(id: UUID, headline: String)], before: [UUID: String], zone: Zone?,
    links: VaultLinks
  ) {
    self.links = links
    self.zone = zone
    let all: [(id: UUID, name: String)] =
      people.map { (id: $0.id, name: Self.fileName($0.displayName)) }
      + notes.map { (id: $0.id, name: Self.fileName($0.headline)) }
    for page in all {
      guard let kept = before[page.id], Self.isForm(kept, of: page.name),
        taken.insert(NameFolding.key(kept)).inserted
      else { continue }
      pages[page.id] = kept
    }
    for page in all where pages[page.id] == nil { pages[page.id] = free(page.name) }
  }

  /// Returns the name of the page of a person or note; nil for an unknown one.
  func page(of id: UUID) -> String? { pages[id] }

  /// Returns a text with its links written as in the vault.
  func linked(_ text: String) -> String { links.written(text, names: self) }

  /// Returns the mark at the end of an entry's line that links point to; empty if no links point to
  /// it.
  func mark(_ id: UUID) -> String { links.mark(id) }

  /// Returns an unused name for another page.
  mutating func page(titled title: String) -> String { free(Self.fileName(title)) }

  /// Returns the link to the person that a mention refers to.
  func link(_ mention: Mention) -> String {
    let shown = Self.fileName(mention.name)
    guard let page = mention.personID.flatMap({ pages[$0] }), page != shown else {
      return "[[\(shown)]]"
    }
    return "[[\(page)|\(shown)]]"
  }

  /// Returns a tag in the form Obsidian accepts: letters, digits, `_`, `-` and `/`, and not only
  /// digits.
  static func tag(_ name: String) -> String {
    let plain = String(
      name.map { $0.isLetter || $0.isNumber || "_-/".contains($0) ? $0 : "_" })
    return plain.allSatisfy(\.isNumber) ? "_\(plain)" : plain
  }

  /// Returns true for a name, or the name with a number that `free` appends.
  private static func isForm(_ page: String, of name: String) -> Bool {
    guard page != name else { return true }
    guard page.hasPrefix("\(name) ") else { return false }
    let number = page.dropFirst(name.count + 1)
    return Int(number).map { $0 > 1 && number == "\($0)" } ?? false
  }

  private mutating func free(_ name: String) -> String {
    var candidate = name
    var number = 1
    // Some file systems distinguish names by neither case nor accents.
    while !taken.insert(NameFolding.key(candidate)).inserted {
      number += 1
      candidate = "\(name) \(number)"
    }
    return candidate
  }

  private static let refused = Set("*\"\\/<>:|?#^[]")

  /// Returns text as a file name: one line, short, not hidden, and not empty.
  static func fileName(_ text: String) -> String {
    let kept = text.map { character in
      refused.contains(character) || character.isNewline
        || character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        ? " " : character
    }
    var name = String(kept).split(separator: " ").joined(separator: " ")
    while name.utf8.count > 100 { name.removeLast() }
    name = name.trimmingCharacters(in: CharacterSet(charactersIn: " ."))
    return name.isEmpty ? "Unnamed" : name
  }
}

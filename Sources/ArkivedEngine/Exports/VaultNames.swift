import ArkivedCore
import Foundation

/// What pages are called in a folder that Obsidian opens as a vault, and how they link each other.
///
/// A link `[[Alex Kim]]` leads to the page of that name wherever it lies. Names leave out what
/// Obsidian refuses in file names and links: `* " \ / < > : | ? # ^ [ ]`.
struct VaultNames {
  static let peopleFolder = "people"
  static let notesFolder = "notes"

  /// The pages' names without their ending, by the person's identity.
  private var pages: [UUID: String] = [:]
  private var taken: Set<String> = []

  init(_ people: [Person]) {
    for person in people { pages[person.id] = free(Self.fileName(person.displayName)) }
  }

  /// The name of a person's page; nil for somebody unknown.
  func page(of person: UUID) -> String? { pages[person] }

  /// A name for a further page that no other has.
  mutating func page(titled title: String) -> String { free(Self.fileName(title)) }

  /// The link to whom a mention means.
  func link(_ mention: Mention) -> String {
    let shown = Self.fileName(mention.name)
    guard let page = mention.personID.flatMap({ pages[$0] }), page != shown else {
      return "[[\(shown)]]"
    }
    return "[[\(page)|\(shown)]]"
  }

  /// A tag as Obsidian takes it: letters, digits, `_`, `-` and `/`, and not digits alone.
  static func tag(_ name: String) -> String {
    let plain = String(
      name.map { $0.isLetter || $0.isNumber || "_-/".contains($0) ? $0 : "_" })
    return plain.allSatisfy(\.isNumber) ? "_\(plain)" : plain
  }

  private mutating func free(_ name: String) -> String {
    var candidate = name
    var number = 1
    // Some file systems tell names apart by neither case nor accents.
    while !taken.insert(NameFolding.key(candidate)).inserted {
      number += 1
      candidate = "\(name) \(number)"
    }
    return candidate
  }

  private static let refused = Set("*\"\\/<>:|?#^[]")

  /// A text as the name of a file: one line, short, not hidden, and not empty.
  private static func fileName(_ text: String) -> String {
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

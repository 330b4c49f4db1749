import ArkivedCore
import ArkivedStore
import Foundation

/// The entries of an archive whose names have the same start.
final class StartGroup {
  struct Entry {
    enum State {
      case shown(ChangeScope.Known)
      /// An earlier run of the same forecast would have written it.
      case foreseen
      /// The owner deleted it.
      case deleted
      /// The import that brought it was undone.
      case hidden
    }

    let name: String
    let number: Int
    /// Nil if it is only foreseen.
    let id: UUID?
    let state: State
    /// The content as its source had it.
    var content: String?
    /// Its versions, once they were needed.
    var versions: [RowTraits]?

    /// True if rows can update it.
    var isPresent: Bool { rank == 0 }

    var isDeleted: Bool { rank == 1 }

    fileprivate var rank: Int {
      switch state {
      case .shown, .foreseen: 0
      case .deleted: 1
      case .hidden: 2
      }
    }
  }

  /// Those that are present first.
  private(set) var entries: [Entry]
  private var byContent: [String: [Int]] = [:]
  /// The names in use, also those of entries that this run has brought.
  private var names: Set<String>
  /// The largest number in use.
  private var last: Int

  /// Creates a group from its entries, and all names in use with their numbers.
  init(_ entries: [Entry], names: [String: Int]) {
    self.entries = entries.sorted {
      ($0.rank, $0.number, $0.name) < ($1.rank, $1.number, $1.name)
    }
    self.names = Set(names.keys)
    last = names.values.max() ?? 0
    for index in self.entries.indices {
      if let content = self.entries[index].content { byContent[content, default: []].append(index) }
    }
  }

  /// The number of names, used to limit the memory for groups.
  var size: Int { entries.count + 1 }

  /// Returns the entries that have or had a content.
  func entries(with content: String) -> [Int] { byContent[content] ?? [] }

  func load(_ index: Int, _ versions: [RowTraits]) { entries[index].versions = versions }

  /// Adds the version that an entry will have.
  func edit(_ index: Int, _ content: String, _ traits: RowTraits) {
    byContent[content, default: []].append(index)
    entries[index].versions?.append(traits)
  }

  func isUsed(_ start: StartName) -> Bool { names.contains(start.name(start.number)) }

  func use(_ start: StartName) {
    names.insert(start.name(start.number))
    last = max(last, start.number)
  }

  /// Returns a name that no entry has.
  ///
  /// - Parameters:
  ///   - start: another name with the start.
  ///   - others: the numbers of entries that may not be in the group.
  /// - Returns: the name.
  func nextName(_ start: StartName, besides others: [Int]) -> String {
    last = max(last, others.max() ?? 1, 1) + 1
    names.insert(start.name(last))
    return start.name(last)
  }
}

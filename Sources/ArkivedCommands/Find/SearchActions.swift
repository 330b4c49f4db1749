import ArgumentParser
import ArkivedCore
import Foundation

/// The actions on the entries that were found.
struct SearchActions: ParsableArguments {
  @Flag(help: "Open all results together in your editor. Your changes are saved.")
  var edit = false

  @Flag(help: "Delete all results after asking for confirmation.")
  var delete = false

  @Option(
    name: .customLong("add-tag"), help: "Add tags to all results: food,drink.",
    completion: .tags)
  var addTag: [String] = []

  @Option(
    name: .customLong("remove-tag"), help: "Remove tags from all results.", completion: .tags)
  var removeTag: [String] = []

  @Flag(help: "Pin all results.") var pin = false
  @Flag(help: "Unpin all results.") var unpin = false

  @Flag(help: "Only show the count.") var count = false
  @Flag(help: "List the tags of the results, with counts.") var tags = false

  @Flag(help: "Don’t ask.") var yes = false

  /// An action on entries.
  enum Action {
    case show, count, tags, edit, delete
    case change(Marks)
  }

  /// The tags and flags added to entries and removed from them.
  struct Marks: Equatable {
    var added: [String] = []
    /// Folded as for comparing names.
    var removed: Set<String> = []
    var isPinned: Bool?

    func apply(to tags: inout [String]) {
      tags.removeAll { removed.contains(NameFolding.key($0)) }
      for name in added
      where !tags.contains(where: { NameFolding.key($0) == NameFolding.key(name) }) {
        tags.append(name)
      }
    }

    func apply(to activity: inout Activity) {
      apply(to: &activity.tags)
      if let isPinned { activity.isPinned = isPinned }
    }

    /// Describes the changes: “Tagged 3 entries #food”.
    func summary(_ count: Int) -> String {
      var parts: [String] = []
      if !added.isEmpty { parts.append(added.map { "+#\($0)" }.joined(separator: " ")) }
      if !removed.isEmpty {
        parts.append(removed.sorted().map { "−#\($0)" }.joined(separator: " "))
      }
      if let isPinned { parts.append(isPinned ? "pinned" : "unpinned") }
      return "Changed \(count) \(count == 1 ? "entry" : "entries"): "
        + parts.joined(separator: ", ")
    }
  }

  /// Returns the requested action.
  ///
  /// - Throws: `CommandFailure` if several are requested that exclude each other.
  func chosen() throws -> Action {
    let marks = Marks(
      added: TagArgument.list(addTag),
      removed: Set(TagArgument.list(removeTag).map(NameFolding.key)),
      isPinned: pin ? true : unpin ? false : nil)
    var actions: [(String, Action)] = []
    if count { actions.append(("--count", .count)) }
    if tags { actions.append(("--tags", .tags)) }
    if edit { actions.append(("--edit", .edit)) }
    if delete { actions.append(("--delete", .delete)) }
    if marks != Marks() || !addTag.isEmpty || !removeTag.isEmpty {
      actions.append((said("--add-tag, --remove-tag, --pin and --unpin"), .change(marks)))
    }
    guard actions.count <= 1 else {
      throw CommandFailure(
        .usage, said("Choose only one action: \(actions.map(\.0).joined(separator: said(" or "))).")
      )
    }
    guard !(pin && unpin) else {
      throw CommandFailure(.usage, said("Use either --pin or --unpin."))
    }
    if case .change = actions.first?.1, marks == Marks() {
      throw CommandFailure(.usage, said("Specify a tag: --add-tag food,drink."))
    }
    return actions.first?.1 ?? .show
  }
}

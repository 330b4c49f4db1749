import ArkivedCore
import ArkivedStore
import Foundation

/// Writes links to entries as Obsidian does: `[[entry:ID|words]]` points to the entry's line on its
/// day's page, `[[2024-03-05#^ID|words]]`.
///
/// Other links are the same in both formats, and importing the folder restores the ID.
struct VaultLinks {
  private let archive: Archive
  /// The IDs of entries that have links, and therefore a mark on their line.
  private let linked: Set<UUID>

  init(_ archive: Archive) throws {
    self.archive = archive
    linked = try archive.linkedEntries()
  }

  /// Returns the mark at the end of an entry's line that links point to; empty if no links point to
  /// it.
  func mark(_ id: UUID) -> String { linked.contains(id) ? " ^\(id.uuidString)" : "" }

  /// Returns a text with its links written as in a vault.
  func written(_ text: String, names: VaultNames) -> String {
    TextLink.replacing(in: text) { link in
      guard link.fragment == nil, case .entry? = link.keys.first,
        let targets = try? archive.targets(of: [link])[0], targets.count == 1,
        let target = targets.first, let page = page(of: target, names),
        let id = target.entry ?? target.id
      else { return nil }
      return link.replaced(
        by: "\(page)#^\(id.uuidString)", showing: link.label ?? TextLink.labelText(target.label))
    }
  }

  private func page(of target: LinkTarget, _ names: VaultNames) -> String? {
    switch target.kind {
    case .day, .activity: target.day?.description
    case .meeting:
      target.id.flatMap { try? archive.meeting($0) }?.activity.dayKey.description
    case .person: target.id.flatMap(names.page(of:))
    case .note: target.id.flatMap(names.page(of:)) ?? VaultNames.fileName(target.label)
    case .goal, .value, .term, .tag: nil
    }
  }
}

import ArkivedCore
import Foundation

/// A day of listening from two exports.
enum PlaysUnion {
  static func activity(_ new: Activity, with old: Activity) -> Activity? {
    let (stored, read) = (items(of: old.notes), items(of: new.notes))
    var items = GatheredItems(stored, read)
    // One of Spotify's downloads gives times to the minute.
    items.pair(
      old: { "\($0.minute ?? 0)\u{0}\($0.words)" },
      new: { item in
        let minute = item.minute ?? 0
        return [minute, minute - 1, minute + 1].map { "\($0)\u{0}\(item.words)" }
      })
    guard let merged = items.merged(by: { _, _ in false }) else { return nil }
    let names = (artists(in: old.description) + artists(in: new.description))
      .sorted { $0.count > $1.count }
    var counts: [String: Int] = [:]
    for item in merged { counts[artist(of: item, among: names), default: 0] += 1 }
    var day = old
    ListeningText(count: merged.count, artists: counts).fill(&day, with: merged.map(\.text))
    // The share of the plays that weren't stored, because the entry has only their total length.
    let added = merged.count - stored.count
    if let minutes = new.durationMinutes, !read.isEmpty {
      let more = minutes * Double(added) / Double(read.count)
      day.durationMinutes = ((old.durationMinutes ?? 0) + more).rounded()
    }
    day.externalRefs = new.externalRefs
    for index in day.externalRefs.indices { day.externalRefs[index].contentHash = nil }
    return day
  }

  /// Returns the plays in a text: `- 09:30 Heroes, Bowie`.
  private static func items(of notes: String?) -> [GatheredItem] {
    (notes ?? "").split(separator: "\n").compactMap { line in
      guard line.hasPrefix("- "), let minute = GatheredDay.minute(line.dropFirst(2)) else {
        return nil
      }
      // The number of stars in a day decides which of them are escaped.
      return GatheredItem(
        text: String(line), minute: minute, sender: nil,
        words: MarkdownEscapes.plain(line.dropFirst(8)))
    }
  }

  /// Returns the artists in a description: `Bowie (2), Crosby, Stills & Nash (1)`.
  private static func artists(in description: String?) -> [String] {
    var names: [String] = []
    var name = ""
    for part in (description ?? "").split(separator: ", ", omittingEmptySubsequences: false) {
      name += name.isEmpty ? part : ", " + part
      guard let open = name.range(of: " (", options: .backwards), name.hasSuffix(")"),
        name[open.upperBound...].dropLast().allSatisfy(\.isNumber)
      else { continue }
      names.append(String(name[..<open.lowerBound]))
      name = ""
    }
    return names
  }

  /// Returns the artist of a play: one who is known, or the words after the last comma.
  private static func artist(of item: GatheredItem, among names: [String]) -> String {
    if let name = names.first(where: { item.words.hasSuffix(", \($0)") }) { return name }
    return item.words.range(of: ", ", options: .backwards)
      .map { String(item.words[$0.upperBound...]) } ?? ""
  }
}

import Foundation
import Synchronization

/// A cache of parsed frames by their text.
package final class FrameCache: Sendable {
  private let frames = Mutex<[Key: SentenceFrame]>([:])
  private let limit = 50_000

  private struct Key: Hashable {
    let text: String
    let people: [String]
  }

  private let people = Mutex<[TimelinePerson]>([])
  private let nameKeys = Mutex<[String: Set<String>]>([:])

  package init() {}

  /// Sets the known people with their names, and discards frames that were parsed with others.
  func know(_ known: [TimelinePerson]) {
    let isNew = people.withLock { people in
      defer { people = known }
      return people != known
    }
    guard isNew else { return }
    frames.withLock { $0.removeAll() }
    nameKeys.withLock { $0.removeAll() }
  }

  /// Returns the frame of an entry's text, which is parsed on the first call.
  package func frame(of entry: TimelineEntry, _ timeline: any Timeline) -> SentenceFrame {
    // The text names few of a meeting's people, and the others don't affect the frame.
    let key = Key(text: entry.text, people: named(in: entry, timeline))
    if let known = frames.withLock({ $0[key] }) { return known }
    let people = key.people.map { name in
      let aliases = timeline.names.people[name]?.aliases ?? []
      return (
        name: name,
        words: ([name] + aliases).flatMap { WordCutter.words(of: $0).map(\.text) }
      )
    }
    let frame = FrameReader(people: people).read(entry.words)
    frames.withLock { stored in
      if stored.count >= limit { stored.removeAll(keepingCapacity: true) }
      stored[key] = frame
    }
    return frame
  }

  /// Returns the entry's people whose names occur capitalised in its text, in their original order.
  func named(in entry: TimelineEntry, _ timeline: any Timeline) -> [String] {
    let people = entry.people
    guard !people.isEmpty else { return [] }
    let capitalised = entry.words.lazy.filter(\.isCapitalised).map(\.key)
    guard capitalised.contains(where: { _ in true }) else { return [] }
    return people.filter { name in
      let keys = keys(of: name, timeline)
      return capitalised.contains { keys.contains($0) }
    }
  }

  /// Returns the keys of the words that refer to somebody.
  private func keys(of name: String, _ timeline: any Timeline) -> Set<String> {
    if let known = nameKeys.withLock({ $0[name] }) { return known }
    let aliases = timeline.names.people[name]?.aliases ?? []
    let keys = Set(
      ([name] + aliases).flatMap { WordCutter.words(of: $0).map { Lemma.key($0.text) } })
    nameKeys.withLock { $0[name] = keys }
    return keys
  }
}

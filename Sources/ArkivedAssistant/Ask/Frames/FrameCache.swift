import Foundation
import Synchronization

/// Keeps the frames that were read, by the text they were read from.
package final class FrameCache: Sendable {
  private let frames = Mutex<[Key: SentenceFrame]>([:])
  private let limit = 50_000

  private struct Key: Hashable {
    let text: String
    let people: [String]
  }

  private let people = Mutex<[TimelinePerson]>([])

  package init() {}

  /// Tells who is known by which names; frames that were read by others are forgotten.
  func know(_ known: [TimelinePerson]) {
    let isNew = people.withLock { people in
      defer { people = known }
      return people != known
    }
    if isNew { frames.withLock { $0.removeAll() } }
  }

  /// The frame of an entry's text; read on the first call.
  package func frame(of entry: TimelineEntry, _ timeline: any Timeline) -> SentenceFrame {
    let key = Key(text: entry.text, people: entry.people)
    if let known = frames.withLock({ $0[key] }) { return known }
    let people = entry.people.map { name in
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
}

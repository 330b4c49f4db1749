package import ArkivedCore
package import ArkivedStore
import Foundation

/// Answers plain questions from the archive: computed, complete and cited, without a language model.
package struct AskEngine: Sendable {
  package let archive: Archive
  package let zone: Zone
  private let timelines: ArchiveTimelines

  /// - Parameter timelines: what is kept of the archive between questions; made for this engine alone
  ///   where nil.
  package init(archive: Archive, zone: Zone, timelines: ArchiveTimelines? = nil) {
    self.archive = archive
    self.zone = zone
    self.timelines = timelines ?? ArchiveTimelines(archive)
  }

  /// Answers a question.
  ///
  /// - Parameters:
  ///   - without: the keys of parts of the question to leave out, see `AskQuestion.parts`.
  ///   - now: the moment that “last month” is seen from; the archive's clock when nil.
  ///   - citationLimit: how many citations to load; `citationCount` counts all.
  ///   - progress: told while entries have to be read first, how many were and how many there are
  ///     at most.
  package func answer(
    _ text: String, now: Instant? = nil, without parts: Set<String> = [], citationLimit: Int = 200,
    citationOffset: Int = 0,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Answer {
    let timeline = try timelines.timeline(progress: progress)
    let engine = TimelineEngine(timeline: timeline, zone: zone, frames: timelines.frames)
    let computed = engine.answer(text, now: now ?? archive.clock.now, without: parts)
    try timeline.figures.check()
    let page = computed.citations.dropFirst(max(0, citationOffset)).prefix(max(0, citationLimit))
    var request = SearchRequest(query: "")
    request.homeZone = zone
    let citations = try archive.hits(
      of: page.map { Archive.FoundDocument(document: $0.id, score: 0) }, request,
      words: WordQuery(terms: []), expand: { _ in [] })
    return Answer(
      computed: computed, citations: citations, citationCount: computed.citations.count)
  }
}

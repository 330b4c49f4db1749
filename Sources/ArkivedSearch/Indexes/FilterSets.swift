package import ArkivedCore
package import ArkivedStore
import Synchronization

/// The sets of documents that filters let through, each of one tag, person, kind or source, kept for
/// the searches that follow.
///
/// They belong to one word index and are made, as they are first asked for, of the archive as it is
/// then. What was touched since the index was built, by whichever program, is known at each search
/// anyway: that much is asked for anew, and the rest of a set cannot have grown. So a kept set is
/// never too small; it may hold what was deleted or hidden since.
package final class FilterSets: Sendable {
  /// What is kept.
  package struct Limits: Sendable {
    /// So many bytes at most: twenty sets over 1.5 million entries.
    package var bytes = 32 << 20
    /// Sets of fewer documents are found in the archive's tables as quickly.
    package var leastCount = 4_096

    package init() {}
  }

  /// Parts whose share of the changed documents is kept: of 4,000 documents each, 4 MB.
  private static let recentLimit = 64

  private let index: WordIndex
  private let limits: Limits
  private let state = Mutex(State())

  private struct State {
    var sets: [FilterPart: (set: DocumentSet, lastUse: Int)] = [:]
    var bytes = 0
    var uses = 0
    /// Which of the changed documents are of a part, and up to where the archive went then.
    var recent: (marks: SearchMarks, members: [FilterPart: Set<Int64>])?
  }

  package init(_ index: WordIndex, limits: Limits = Limits()) {
    self.index = index
    self.limits = limits
  }

  /// How many bytes the kept sets take.
  package var keptBytes: Int { state.withLock { $0.bytes } }

  /// How many sets are kept.
  package var keptCount: Int { state.withLock { $0.sets.count } }

  /// The documents that are, for each list, in the set of one of its parts.
  ///
  /// - Parameters:
  ///   - changed: what was touched since the index was built and is seen, at these marks.
  /// - Throws: `WordIndexError.damaged`.
  package func allowed(
    by lists: [[FilterPart]], changed: [Int64], marks: SearchMarks, in archive: Archive
  ) throws -> DocumentSet {
    var allowed: DocumentSet?
    var recent = Set(changed)
    for parts in lists {
      var passing: DocumentSet?
      var passingRecent = Set<Int64>()
      for part in parts {
        let set = try documents(of: part, in: archive)
        passing = passing?.union(set) ?? set
        passingRecent.formUnion(try members(of: part, among: changed, marks, archive))
      }
      let found = passing ?? DocumentSet()
      allowed = allowed?.intersection(found) ?? found
      recent.formIntersection(passingRecent)
    }
    var result = allowed ?? DocumentSet()
    for document in changed where !recent.contains(document) { result.remove(document) }
    for document in recent { result.insert(document) }
    return result
  }

  /// All documents of a part, as far as they were not touched since.
  private func documents(of part: FilterPart, in archive: Archive) throws -> DocumentSet {
    let kept = state.withLock { state -> DocumentSet? in
      guard let kept = state.sets[part]?.set else { return nil }
      state.uses += 1
      state.sets[part]?.lastUse = state.uses
      return kept
    }
    if let kept { return kept }
    let (set, isSlow) = try make(part, in: archive)
    if !part.changesUnseen, isSlow || set.count >= limits.leastCount { keep(set, of: part) }
    return set
  }

  /// - Returns: the set, and whether making it takes time even where it is small.
  private func make(
    _ part: FilterPart, in archive: Archive
  ) throws -> (set: DocumentSet, isSlow: Bool) {
    func inGroups(
      _ isWanted: (_ kind: String, _ source: String) -> Bool
    ) throws -> (DocumentSet, Bool) {
      let set = try index.documents { name in
        // A group that cannot be read may be any.
        guard let group = SearchIndexes.group(named: name) else { return true }
        guard let kind = group.kind, let source = group.source else { return false }
        return isWanted(kind, source)
      }
      return (set, true)
    }
    switch part {
    case .kind(let wanted): return try inGroups { kind, _ in kind == wanted }
    case .source(let wanted): return try inGroups { _, source in source == wanted }
    default: return (try archive.documents(of: part), false)
    }
  }

  private func keep(_ set: DocumentSet, of part: FilterPart) {
    let bytes = Self.cost(of: set)
    guard bytes <= limits.bytes else { return }
    state.withLock { state in
      guard state.sets[part] == nil else { return }
      state.uses += 1
      state.sets[part] = (set, state.uses)
      state.bytes += bytes
      while state.bytes > limits.bytes,
        let oldest = state.sets.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.sets[oldest.key] = nil
        state.bytes -= Self.cost(of: oldest.value.set)
      }
    }
  }

  /// Its bits, and something for its name.
  private static func cost(of set: DocumentSet) -> Int { set.byteCount + 512 }

  /// Which of the changed documents are of a part now.
  private func members(
    of part: FilterPart, among changed: [Int64], _ marks: SearchMarks, _ archive: Archive
  ) throws -> Set<Int64> {
    guard !changed.isEmpty else { return [] }
    let known = state.withLock { state in
      state.recent?.marks == marks ? state.recent?.members[part] : nil
    }
    if let known { return known }
    let found = try archive.documents(of: part, among: changed)
    guard !part.changesUnseen else { return found }
    state.withLock { state in
      if state.recent?.marks != marks { state.recent = (marks, [:]) }
      if state.recent?.members.count ?? 0 >= Self.recentLimit { state.recent?.members = [:] }
      state.recent?.members[part] = found
    }
    return found
  }
}

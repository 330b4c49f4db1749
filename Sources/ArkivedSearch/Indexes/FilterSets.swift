package import ArkivedCore
package import ArkivedStore
import Synchronization

/// The sets of documents that filters accept, each for one tag, person, kind or source, kept for
/// later searches.
///
/// They belong to one word index and are created on first use from the current archive. The
/// documents changed since the index was built, by any program, are known at each search and are
/// queried again; the rest of a set cannot have grown. A stored set is therefore never too small,
/// but may include documents deleted or hidden since.
package final class FilterSets: Sendable {
  /// The limits of the cache.
  package struct Limits: Sendable {
    /// The largest number of bytes: twenty sets over 1.5 million entries.
    package var bytes = 32 << 20
    /// The smallest number of documents in a stored set; smaller sets are found just as quickly in
    /// the archive's tables.
    package var leastCount = 4_096

    package init() {}
  }

  /// The number of parts whose share of the changed documents is kept: with 4,000 documents each, 4
  /// MB.
  private static let recentLimit = 64

  private let index: WordIndex
  private let limits: Limits
  private let state = Mutex(State())

  private struct State {
    var sets: [FilterPart: (set: DocumentSet, lastUse: Int)] = [:]
    var bytes = 0
    var uses = 0
    /// The changed documents that belong to each part, and the state of the archive they reflect.
    var recent: (marks: SearchMarks, members: [FilterPart: Set<Int64>])?
  }

  package init(_ index: WordIndex, limits: Limits = Limits()) {
    self.index = index
    self.limits = limits
  }

  /// The number of bytes used by the stored sets.
  package var keptBytes: Int { state.withLock { $0.bytes } }

  /// The number of stored sets.
  package var keptCount: Int { state.withLock { $0.sets.count } }

  /// Returns the documents that belong, for each list, to the set of at least one of its parts.
  ///
  /// - Parameters:
  ///   - lists: the lists.
  ///   - changed: the visible documents changed since the index was built, at these marks.
  ///   - marks: the state up to which the index was built.
  ///   - archive: the archive.
  /// - Returns: the documents.
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
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

  /// Returns all documents of a part that have not changed since the index was built.
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

  /// Computes the set of a part.
  ///
  /// - Returns: the set, and true if computing it is slow even if it is small.
  private func make(
    _ part: FilterPart, in archive: Archive
  ) throws -> (set: DocumentSet, isSlow: Bool) {
    func inGroups(
      _ isWanted: (_ kind: String, _ source: String) -> Bool
    ) throws -> (DocumentSet, Bool) {
      let set = try index.documents { name in
        // An unreadable group may be any.
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

  /// Returns the memory of a set's bits, with an allowance for its name.
  private static func cost(of set: DocumentSet) -> Int { set.byteCount + 512 }

  /// Returns the changed documents that currently belong to a part.
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

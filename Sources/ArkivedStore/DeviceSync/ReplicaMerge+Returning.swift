import ArkivedCore
import GRDB

/// Joining again: long texts that were changed here after this device had left the others.
extension ReplicaMerge {
  /// Merges each such text with what the others have now, on the basis of the version that both
  /// knew when this device left.
  ///
  /// The result is a new version, because the others may not have the old one any more.
  mutating func mergeReturningTexts() throws {
    for key in try tables.trimming(limit: .max) {
      guard let memory = try tables.memory(of: key), let stored = try tables.load(key),
        stored.state.isAlive
      else { continue }
      var change = ReplicaState()
      for (field, known) in memory.texts {
        let versions = stored.state.texts[field] ?? [:]
        let heads = TextVersions(versions).heads
        guard heads.count > 1, let own = heads.last(where: { $0.device == capture.device }),
          let last = heads.last(where: { $0 != own }),
          let base = try records.oldVersion(of: key, from: memory.updatedAt)?[field]?.string,
          known.mark == ReplicaMemory.mark(of: base)
        else { continue }
        let mine = versions[own]?.text ?? ""
        let theirs = TextVersions(versions.filter { $0.key != own }).merged.text ?? ""
        let isMineLater = last < own
        let merged =
          isMineLater
          ? TextMerge(base: base, earlier: theirs, later: mine)
          : TextMerge(base: base, earlier: mine, later: theirs)
        let stamp = capture.stamp(at: own.time, after: stored.state)
        let isAbsent = merged.text.isEmpty && heads.contains { versions[$0]?.text == nil }
        change.texts[field] = [
          stamp: ReplicaState.TextVersion(
            stamp: stamp, parents: heads, text: isAbsent ? nil : merged.text)
        ]
        guard merged.gaveWay else { continue }
        try noteText(
          isMineLater ? theirs : mine, of: isMineLater ? last : own, replacedBy: merged.text,
          of: isMineLater ? own : last, in: field, stored.state, key)
      }
      guard !change.texts.isEmpty else { continue }
      var state = stored.state
      state.merge(change)
      try tables.save(state, shown: stored.shown, waits: true, key)
      try capture.send(change, key)
    }
  }
}

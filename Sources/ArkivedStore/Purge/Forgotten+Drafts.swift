import ArkivedCore
import Foundation

/// Drafts that contain text that is being deleted.
extension Forgotten {
  /// Returns true if a draft is deleted too: it was made from one of the entries, is of one of the
  /// days, has the tag, or contains an entry's text as a separate line.
  func includes(_ draft: DraftFiles.Content, _ selection: PurgeSelection) -> Bool {
    if let own = draft.draft {
      if own.versions.keys.contains(where: { ids.contains($0.uuidString) }) { return true }
      if let day = own.dayKey, dayKeys.contains(day.description) { return true }
    }
    if !draft.lines.isDisjoint(with: quotedLines) || isSpokenOf(in: draft.text) { return true }
    switch selection {
    case .entities, .deletedElsewhere: return false
    case .tag(let name): return draft.tags.contains(NameFolding.key(name))
    case .days(let span):
      let (first, last) = (span.from ?? .earliest, span.to ?? .latest)
      return draft.days.contains { $0 >= first && $0 <= last }
    }
  }
}

extension DraftFiles.Content {
  /// Its lines without surrounding spaces, and the text as a whole.
  var lines: Set<String> {
    let lines = text.split(whereSeparator: \.isNewline).map { Self.trimmed($0) }
    return Set((lines + [Self.trimmed(text)]).filter { !$0.isEmpty })
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The days of its text.
  ///
  /// For a text that names none, the day on which it was begun.
  var days: Set<DayKey> {
    let named: [DayKey] =
      switch draft?.purpose {
      case .note?: draft?.dayKey.map { [$0] } ?? []
      case .entries?: text.split(whereSeparator: \.isNewline).compactMap { Self.headDay($0) }
      case .add?, nil:
        text.matches(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}/#).compactMap { DayKey(String($0.output)) }
      }
    return named.isEmpty ? [startedOn] : Set(named)
  }

  /// Returns the day in a header line of a text with several entries: `=== ID DAY …`.
  private static func headDay(_ line: Substring) -> DayKey? {
    guard line.hasPrefix("=== ") else { return nil }
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    return words.count > 2 ? DayKey(String(words[2])) : nil
  }

  /// The tags in its text, normalised for comparison: `#tag`, `#"two words"`, and a line `tags:
  /// one, two`.
  var tags: Set<String> {
    var names: [String] = []
    for match in text.matches(of: #/#(?:"([^"]*)"|([^\s#,;!?"]+))/#) {
      let name = String(match.1 ?? match.2 ?? "")
      names += [name, name.trimmingCharacters(in: .punctuationCharacters)]
    }
    for line in text.split(whereSeparator: \.isNewline)
    where line.lowercased().hasPrefix("tags:") {
      names += line.dropFirst("tags:".count).split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t#"))
      }
    }
    return Set(names.map { NameFolding.key($0) }.filter { !$0.isEmpty })
  }
}

extension Archive {
  /// Returns the drafts of this archive, each with its folder.
  ///
  /// If the archive's own folder is not writable, drafts are stored in the session's folder.
  private func draftsByFolder() -> [(folder: DraftFiles, draft: DraftFiles.Content)] {
    guard case .folder(let home) = location else { return [] }
    let (own, session) = (DraftFiles(location), DraftFiles(.memory))
    return own.contents().map { (folder: own, draft: $0) }
      + session.contents().filter { $0.draft?.archive == home.path }
      .map { (folder: session, draft: $0) }
  }

  func drafts() -> [DraftFiles.Content] { draftsByFolder().map { $0.draft } }

  /// Removes drafts.
  ///
  /// - Returns: the names of those that stay because they are being edited.
  func removeDrafts(_ names: Set<String>) -> [String] {
    guard !names.isEmpty else { return [] }
    let meant = draftsByFolder().filter { names.contains($0.draft.name) }
    return meant.filter { !$0.folder.remove($0.draft.name) }.map { $0.draft.name }
  }
}

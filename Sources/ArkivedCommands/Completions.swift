import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// Completions from the archive's contents.
///
/// If there is an error, nothing is suggested, because pressing a key shouldn't show messages.
enum Completions {
  /// The maximum number of suggestions.
  static let limit = 200

  private static func ask(
    _ words: [String], _ question: (Archive, Context) throws -> [String]
  ) -> [String] {
    do {
      let options = try GlobalOptions.parse(archiveArguments(words))
      let context = try Context(options)
      // Completion must not create an archive.
      guard case .folder(let folder) = context.location,
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("archive.sqlite").path)
      else { return [] }
      return forShell(try question(try context.open(), context))
    } catch {
      return []
    }
  }

  /// Returns suggestions in the form in which the shell takes them literally, without those that
  /// would be split or could control the terminal.
  private static func forShell(_ suggestions: [String]) -> [String] {
    let plain = suggestions.filter { suggestion in
      !suggestion.unicodeScalars.contains {
        [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
    }
    return CompletionShell.requesting == .bash ? plain.map(quotedForBash) : plain
  }

  /// Quotes a suggestion for Bash, which expands each one like a typed word (bash(1), `compgen -W`):
  /// a name with `$(…)`, such as one from an imported address book, would run as a command.
  static func quotedForBash(_ suggestion: String) -> String {
    let isPlain = suggestion.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "_-.,/:@%+=#".unicodeScalars.contains($0)
    }
    return isPlain ? suggestion : Archive.shellQuoted(suggestion)
  }

  /// Returns the arguments on the line that choose the archive, parsed as the shell would parse
  /// them.
  private static func archiveArguments(_ words: [String]) -> [String] {
    let plain = words.map { word in
      word.filter { $0 != "\\" }.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
    }
    if let index = plain.lastIndex(of: "--archive"), index + 1 < plain.count {
      return ["--archive", plain[index + 1]]
    }
    return plain.last { $0.hasPrefix("--archive=") }.map { [$0] } ?? []
  }

  /// Completes the text after the last comma and keeps the rest.
  static func tags(_ words: [String], _ prefix: String) -> [String] {
    ask(words) { archive, _ in
      let cut = prefix.lastIndex(of: ",").map { prefix.index(after: $0) } ?? prefix.startIndex
      let sign = prefix[cut...].hasPrefix("#") ? "#" : ""
      let names = try archive.tagNames(
        beginningWith: String(prefix[cut...].dropFirst(sign.count)), limit: limit)
      return names.map { prefix[..<cut] + sign + $0 }
    }
  }

  static func people(_ words: [String], _ prefix: String) -> [String] {
    ask(words) { archive, _ in
      try archive.personNames(beginningWith: prefix, limit: limit)
    }
  }

  static func identities(_ words: [String], _ prefix: String) -> [String] {
    ask(words) { archive, _ in
      // Nobody remembers IDs: without a prefix, those of the newest entries are suggested.
      guard prefix.isEmpty else {
        return try archive.identities(beginningWith: prefix, limit: limit)
      }
      var request = SearchRequest(query: "")
      request.limit = 20
      let ids = try archive.identities(of: archive.list(request))
      let short = try archive.shortIDs(ids)
      return ids.compactMap { short[$0] }
    }
  }

  static func goals(_ words: [String], _ prefix: String) -> [String] {
    titles(words, prefix) { try $0.goals().map(\.title) }
  }

  static func values(_ words: [String], _ prefix: String) -> [String] {
    titles(words, prefix) { try $0.values().map(\.title) }
  }

  static func terms(_ words: [String], _ prefix: String) -> [String] {
    ["current", "last", "next"].filter { $0.hasPrefix(prefix) }
      + titles(words, prefix) { try $0.terms().map { String($0.termNumber) } }
  }

  private static func titles(
    _ words: [String], _ prefix: String, _ titles: (Archive) throws -> [String]
  ) -> [String] {
    ask(words) { archive, _ in
      let wanted = NameFolding.key(prefix)
      return Array(
        try titles(archive).filter { NameFolding.key($0).hasPrefix(wanted) }.prefix(limit))
    }
  }

  static func drafts(_ words: [String], _ prefix: String) -> [String] {
    ask(words) { _, context in
      DraftFolder(context.location).unfinished().map(\.name).filter { $0.hasPrefix(prefix) }
    }
  }

  static func days(_ words: [String], _ prefix: String) -> [String] {
    let phrases = ["today", "yesterday"] + Weekday.allCases.map { $0.name.lowercased() }
    return phrases.filter { $0.hasPrefix(prefix) }
      + ask(words) { archive, _ in
        try archive.dayKeys(beginningWith: prefix, limit: 31).map(\.description)
      }
  }
}

extension CompletionKind {
  static let tags = custom { words, _, prefix in Completions.tags(words, prefix) }
  static let people = custom { words, _, prefix in Completions.people(words, prefix) }
  static let identities = custom { words, _, prefix in Completions.identities(words, prefix) }
  static let goals = custom { words, _, prefix in Completions.goals(words, prefix) }
  static let values = custom { words, _, prefix in Completions.values(words, prefix) }
  static let terms = custom { words, _, prefix in Completions.terms(words, prefix) }
  static let days = custom { words, _, prefix in Completions.days(words, prefix) }
}

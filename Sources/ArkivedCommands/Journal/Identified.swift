import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// Finds the item with an ID, of any kind, for commands that accept all kinds.
struct Identified {
  let archive: Archive

  /// Returns the single item that an ID or a prefix of one identifies.
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` with all candidates.
  func find(_ text: String) throws -> NamedThing {
    let found = try archive.things(beginningWith: text)
    guard let first = found.first else {
      // Reports the format of IDs if the text isn't one.
      _ = try archive.entryReference(matching: text)
      throw ArchiveError.notFound("No entry with the ID \(text.prefix(60)).")
    }
    guard found.count == 1 else {
      let lines = found.prefix(8).map { thing in
        "\n  \(thing.id.uuidString)  \(thing.kind.word)  \(EntryText.oneLine(thing.label))"
      }
      throw ArchiveError.ambiguous(
        said("“\(String(text.prefix(60)))” is ambiguous. Enter more digits:")
          + lines.joined() + (found.count > 8 ? "\n  …" : ""))
    }
    return first
  }
}

extension NamedThing {
  /// The entry itself, or the item's entry on its day.
  var entryID: UUID? {
    switch kind {
    case .activity, .day: id
    case .meeting: entry
    case .note, .goal, .value, .term, .person, .attachment: nil
    }
  }
}

extension NamedThing.Kind {
  /// Its name in a list.
  var word: String {
    switch self {
    case .activity: said("entry")
    case .day: said("day")
    case .meeting: said("meeting")
    case .note: said("note")
    case .goal: said("goal")
    case .value: said("value")
    case .term: said("term")
    case .person: said("person")
    case .attachment: said("attachment")
    }
  }

  /// The words before an ID that change an item of its kind: `goal edit`; nil for entries, whose
  /// command is `edit` itself, and for attachments.
  var editing: [String]? {
    switch self {
    case .activity, .day, .attachment: nil
    case .meeting: ["meeting", "edit"]
    case .note: ["notes", "edit"]
    case .goal: ["goal", "edit"]
    case .value: ["value", "edit"]
    case .term: ["term", "edit"]
    case .person: ["person", "edit"]
    }
  }

  /// That command's equivalent of an entry's `--text` option.
  fileprivate var textOption: String {
    switch self {
    case .meeting, .goal, .value: "--title"
    case .term: "--theme"
    case .person: "--name"
    case .activity, .day, .note, .attachment: "--text"
    }
  }
}

/// Forwards `edit ID …` to the command for the item's kind.
enum EditRouting {
  private static let flags: Set<String> = ["--edit", "--yes", "--json", "--free"]

  /// Returns the arguments for the command of the item's kind; unchanged if they refer to an entry,
  /// or if the item can't be determined.
  static func routed(
    _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    guard arguments.first == Edit._commandName,
      !arguments.contains(where: { ["--help", "-h"].contains($0) }),
      let place = identityPlace(arguments),
      let archive = try? archive(arguments, environment),
      let found = try? archive.things(beginningWith: arguments[place]), found.count == 1,
      let thing = found.first, let command = thing.kind.editing
    else { return arguments }
    let rest = arguments.dropFirst()
    // A meeting has the attributes of its entry as well.
    if thing.kind == .meeting, (try? Edit.parse(Array(rest))) != nil { return arguments }
    return command
      + rest.map { argument in
        guard argument == "--text" || argument.hasPrefix("--text=") else { return argument }
        return thing.kind.textOption + argument.dropFirst("--text".count)
      }
  }

  /// Returns the position of the ID: the first argument that is neither an option nor an option's
  /// value.
  private static func identityPlace(_ arguments: [String]) -> Int? {
    var index = 1
    while index < arguments.count {
      let argument = arguments[index]
      guard argument.hasPrefix("-") else { return index }
      if argument == "--" { return nil }
      index += argument.contains("=") || flags.contains(argument) ? 1 : 2
    }
    return nil
  }

  private static func archive(
    _ arguments: [String], _ environment: [String: String]
  ) throws -> Archive {
    var named: String?
    for (index, argument) in arguments.enumerated() {
      if argument == "--archive", index + 1 < arguments.count { named = arguments[index + 1] }
      if argument.hasPrefix("--archive=") { named = String(argument.dropFirst("--archive=".count)) }
    }
    try Context.checkArchive(named)
    let location = Context.location(named ?? environment["ARKIVED_HOME"], environment)
    return try Archive(at: location, clock: try Context.clock(environment))
  }
}

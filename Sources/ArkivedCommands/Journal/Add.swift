import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// `add`: writes one activity from one line.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write down what you did; bare words do the same.",
    discussion: """
      arkived add lunch with Sam at Joe's 12:30-13:15 #friends @Sam
      arkived add "yesterday at 7am: ran 5 km"
      echo "on 3 march: dentist" | arkived add -

      Times, days, (kind) and #tags leave the text; people, places and measures stay in it. Words \
      after a dash need -- before them. To keep a line out of the shell's history, pipe it in.
      """)

  @Argument(help: "The line, in one argument or many; - reads it from standard input.")
  var words: [String] = []

  @Option(name: .long, help: "Attach a file; may be repeated.")
  var attach: [String] = []

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let line = words == ["-"] ? try StandardInput.text() : words.joined(separator: " ")
    let files = try attach.map(AttachableFile.init(path:))
    let archive = try context.open()
    let entry = EntryLine(archive: archive, zone: context.zone)
    let reading = try entry.understand(line)
    var activity = entry.activity(from: reading)
    activity.attachments = try files.map { try $0.store(in: archive) }
    let saved = try archive.add(activity).value
    context.output.result(["created": saved.json], lines: [EntryText(context).line(saved)])
    guard !context.output.isJSON else { return }
    let understood = reading.understood.map { "\($0.role.rawValue) \($0.label)" }
    if !understood.isEmpty {
      context.output.say("understood: " + understood.joined(separator: " · "))
    }
    for mention in saved.people where mention.personID == nil {
      context.output.say(
        "Several people are called \(mention.name); write the whole name, as in @First.Last.")
    }
  }
}

/// What is piped into a command.
enum StandardInput {
  /// - Throws: when it is not UTF-8.
  static func text() throws -> String {
    let data = FileHandle.standardInput.readDataToEndOfFile()
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure(.badInput, "Standard input is not UTF-8 text; nothing was written.")
    }
    return text.trimmingCharacters(in: .newlines)
  }
}

/// A file that is to be attached to an entry.
struct AttachableFile {
  let url: URL

  init(path: String) throws {
    url = URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      !isFolder.boolValue
    else { throw CommandFailure(.noInput, "There is no file \(path).") }
  }

  func store(in archive: Archive) throws -> Attachment {
    let now = archive.clock.now
    let content = try Data(contentsOf: url, options: .mappedIfSafe)
    let media = MediaType(sniffing: content, fileName: url.lastPathComponent)
    return try archive.store(
      content,
      as: Attachment(
        id: archive.identities.next(), type: media.attachmentType, mediaType: media.name,
        originalName: url.lastPathComponent, createdAt: now, updatedAt: now))
  }
}

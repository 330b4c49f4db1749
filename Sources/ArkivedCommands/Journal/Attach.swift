import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `attach` command: files and links of entries, days, meetings and notes, with their captions.
struct Attach: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Attach files and links to an entry, and add captions.",
    discussion: """
      arkived attach 3F2A91B0                                lists attachments
      arkived attach 3F2A91B0 photo.jpg --caption "At the lake"
      arkived attach yesterday https://example.org/tour      a link; it is never fetched
      arkived attach 9C41D0E2 --caption "Another caption"    for the attachment 9C41D0E2
      arkived attach 9C41D0E2 --caption ""                   removes its caption
      arkived attach 9C41D0E2 --remove
      """)

  @Argument(
    help:
      "An entry, day, meeting, note or attachment: its ID or the first digits of the ID, or a date.",
    completion: .identities)
  var id: String

  @Argument(help: "Files, or addresses that start with http:// or https://.", completion: .file())
  var things: [String] = []

  @Option(help: "The caption. An empty one removes it.") var caption: String?

  @Flag(help: "Remove the attachment from its entry. arkived undo brings it back.") var remove =
    false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard !remove || (things.isEmpty && caption == nil) else {
      throw CommandFailure(
        .usage,
        said("--remove can’t be combined with other options. Give only the attachment’s ID."))
    }
    let caption = try caption.map { try Attachment.caption($0) }
    let archive = try context.open()
    switch try target(archive, context) {
    case .attachment(let id):
      guard things.isEmpty else {
        throw CommandFailure(
          .usage,
          said("\(self.id) is an attachment. Specify an entry, day, meeting or note to attach to."))
      }
      try change(id, caption, archive, context)
    case .owner(let owner):
      guard !remove else {
        throw CommandFailure(
          .usage, said("\(id) isn’t an attachment. List them with: `arkived attach \(id)`"))
      }
      try attach(to: owner, caption ?? nil, archive, context)
    }
  }

  private func target(
    _ archive: Archive, _ context: Context
  ) throws -> Archive.AttachmentTarget {
    do {
      return try archive.attachmentTarget(matching: id)
    } catch let error as ArchiveError {
      // Words that name a day refer to it, unless they name an entry.
      guard case .notFound = error, let day = try? context.day([id]) else { throw error }
      return .owner(.day(day))
    }
  }

  private func attach(
    to owner: Archive.AttachmentOwner, _ caption: String?, _ archive: Archive, _ context: Context
  ) throws {
    guard !things.isEmpty else {
      guard self.caption == nil else {
        throw CommandFailure(
          .usage,
          said("Specify a file or a link, or the attachment whose caption you want to change."))
      }
      return try report("attachments", archive.attachments(of: owner), archive, context)
    }
    let now = archive.clock.now
    // Everything is validated before anything is stored.
    let checked = try things.map { thing -> (link: Attachment?, file: AttachableFile?) in
      guard Attachment.isWebAddress(thing) else { return (nil, try AttachableFile(path: thing)) }
      return (
        try Attachment(id: archive.identities.next(), link: thing, caption: caption, at: now), nil
      )
    }
    _ = try archive.attachments(of: owner)
    let kept = try archive.keepFiles()
    defer { kept?.release() }
    var made: [Attachment] = []
    for (link, file) in checked {
      guard var attachment = try link ?? file?.store(in: archive) else { continue }
      attachment.caption = caption
      made.append(attachment)
    }
    _ = try archive.attach(made, to: owner)
    try report("created", made, archive, context)
    context.output.say(said("Saved."))
  }

  private func change(
    _ id: UUID, _ caption: String??, _ archive: Archive, _ context: Context
  ) throws {
    if remove {
      let done = try archive.deleteAttachment(id)
      context.output.result(
        ["deleted": done.deleted.json],
        lines: [said("Removed “\(done.deleted.shownName)”. To bring it back: `arkived undo`")])
      return
    }
    guard let caption else {
      guard let attachment = try archive.attachment(id) else {
        throw ArchiveError.notFound("No attachment with the ID \(id.uuidString).")
      }
      return try report("attachments", [attachment], archive, context)
    }
    let done = try archive.setCaption(caption, ofAttachment: id)
    try context.output.result(
      ["updated": done.updated.json], lines: [Self.line(done.updated, archive, context)])
    context.output.say(done.change == nil ? said("Nothing changed.") : said("Saved."))
  }

  private func report(
    _ key: String, _ attachments: [Attachment], _ archive: Archive, _ context: Context
  ) throws {
    try context.output.result(
      .object([key: .array(attachments.map(\.json))]),
      lines: attachments.isEmpty
        ? [said("No attachments.")]
        : attachments.map { try Self.line($0, archive, context) })
  }

  /// Formats an attachment: `At the lake (photo.jpg)  9C41D0E2`, `A tour (example.org)
  /// https://example.org/tour  7D…`.
  private static func line(
    _ attachment: Attachment, _ archive: Archive, _ context: Context
  ) throws -> String {
    let beside = attachment.linkHost ?? attachment.originalName
    var parts = [EntryText.oneLine(attachment.shownName)]
    if let beside, beside != attachment.shownName { parts.append("(\(EntryText.oneLine(beside)))") }
    if let address = attachment.externalURL, address != attachment.shownName {
      parts.append(context.output.faint(address))
    }
    let short = String(attachment.id.uuidString.prefix(Archive.shortLength))
    return parts.joined(separator: " ") + "  " + context.output.faint(short)
  }
}

import ArkivedCore
import ArkivedStore
import Foundation

/// Links and captions of attachments.
extension ToolWork {
  func attachLink() throws -> JSON {
    let owner = try attachmentOwner()
    let link = try Attachment(
      id: archive.identities.next(), link: arguments.text("url") ?? "",
      caption: arguments.text("caption"), at: now)
    _ = try archive.attachments(of: owner)
    return try answering { key, answer in
      try archive.attach([link], to: owner, by: caller.author, once: key) { change in
        answer(["created": link.json, "changeId": JSON(change?.id.uuidString)])
      }
    }
  }

  /// Returns the activity, day, note or meeting that the arguments refer to.
  private func attachmentOwner() throws -> Archive.AttachmentOwner {
    let named = ["activity", "dayDate", "note", "meeting"].filter {
      arguments.object[$0].map { $0 != .null } ?? false
    }
    guard named.count == 1 else {
      throw FieldError(
        named.dropFirst().first ?? "activity",
        named.isEmpty
          ? "is missing. Give one of activity, dayDate, note and meeting"
          : "can’t be combined with \(named[0]). Give only one of activity, dayDate, note and meeting"
      )
    }
    switch named[0] {
    case "dayDate": return .day(try requiredDay("dayDate"))
    case "activity": return .activity(try arguments.identity("activity"))
    case "note": return .note(try arguments.identity("note"))
    default:
      let id = try arguments.identity("meeting")
      guard let entry = try archive.meeting(id) else {
        throw ArchiveError.notFound("No meeting with the ID \(id.uuidString).")
      }
      return .activity(entry.activity.id)
    }
  }

  /// Sets a caption if it is empty; programs never overwrite the owner's text.
  func captionAttachment() throws -> JSON {
    let id = try arguments.identity("id")
    guard let old = try archive.attachment(id) else {
      throw ArchiveError.notFound("No attachment with the ID \(id.uuidString).")
    }
    let caption = try Attachment.caption(arguments.text("caption"))
    guard caller == .owner || old.caption == nil || old.caption == caption else {
      throw FieldError("id", "already has a caption, which only the owner can change")
    }
    let done = try archive.setCaption(caption, ofAttachment: id, by: caller.author)
    return ["updated": done.updated.json, "changeId": JSON(done.change?.id.uuidString)]
  }
}

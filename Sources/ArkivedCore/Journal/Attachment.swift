public import Foundation

/// A photo, recording, file or link that belongs to exactly one entry.
public struct Attachment: Hashable, Sendable, Identifiable {
  /// The ID, which never changes.
  public var id: UUID
  /// The type of attachment.
  public var type: AttachmentType
  /// The owner's caption.
  public var caption: String?
  /// The path of the file in the archive's attachments folder, named after its content.
  public var relativePath: String?
  /// The address of a link, or of a photo stored outside the archive.
  public var externalURL: String?
  /// The SHA-256 of the content, in lower-case hexadecimal.
  public var contentHash: String?
  /// The size of the file in bytes.
  public var byteCount: Int?
  /// The media type (MIME), detected from the content if possible.
  public var mediaType: String?
  /// The name of the file when it was added.
  public var originalName: String?
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates an attachment.
  public init(
    id: UUID, type: AttachmentType, caption: String? = nil, relativePath: String? = nil,
    externalURL: String? = nil, contentHash: String? = nil, byteCount: Int? = nil,
    mediaType: String? = nil, originalName: String? = nil, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.type = type
    self.caption = caption
    self.relativePath = relativePath
    self.externalURL = externalURL
    self.contentHash = contentHash
    self.byteCount = byteCount
    self.mediaType = mediaType
    self.originalName = originalName
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Attachment {
  /// The location of a photo or film that stays in its own folder and is only referenced; nil if
  /// the file is in the archive or there is none.
  package var original: URL? {
    guard relativePath == nil, let externalURL, externalURL.hasPrefix("file:///"),
      let url = URL(string: externalURL), url.isFileURL
    else { return nil }
    return url
  }

  /// True if enough is known to distinguish the original from another file.
  var isReference: Bool {
    guard original != nil, let contentHash, contentHash.utf8.count == 64, (byteCount ?? 0) > 0,
      let mediaType
    else { return false }
    return mediaType.hasPrefix("image/") || mediaType.hasPrefix("video/")
  }
}

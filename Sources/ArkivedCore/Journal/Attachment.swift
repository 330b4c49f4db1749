public import Foundation

/// A photo, recording, file or link that belongs to exactly one entry.
public struct Attachment: Hashable, Sendable, Identifiable {
  /// The identity, which never changes.
  public var id: UUID
  /// The sort of attachment.
  public var type: AttachmentType
  /// The owner's words for it.
  public var caption: String?
  /// Where the file lies below the archive's attachments folder; named after its content.
  public var relativePath: String?
  /// The address of a link, or of a photo that stayed outside the archive.
  public var externalURL: String?
  /// SHA-256 of the content, in lower-case hexadecimal.
  public var contentHash: String?
  /// The size of the file.
  public var byteCount: Int?
  /// The media type (MIME), from the content where it can be told.
  public var mediaType: String?
  /// The name the file had when it was added.
  public var originalName: String?
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes an attachment.
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
  /// Where the photo or film lies that stayed in its own folder and that this only refers to; nil
  /// where the archive has the file, or there is none.
  package var original: URL? {
    guard relativePath == nil, let externalURL, externalURL.hasPrefix("file:///"),
      let url = URL(string: externalURL), url.isFileURL
    else { return nil }
    return url
  }

  /// Whether what is needed to tell an original from another file is known of it.
  var isReference: Bool {
    guard original != nil, let contentHash, contentHash.utf8.count == 64, (byteCount ?? 0) > 0,
      let mediaType
    else { return false }
    return mediaType.hasPrefix("image/") || mediaType.hasPrefix("video/")
  }
}

package import Foundation

/// A photo, recording, file or link that belongs to exactly one entry.
package struct Attachment: Hashable, Sendable, Identifiable {
  package var id: UUID
  package var type: AttachmentType
  package var caption: String?
  /// Where the file lies below the archive's attachments folder; named after its content.
  package var relativePath: String?
  package var externalURL: String?
  /// SHA-256 of the content, in lower-case hexadecimal.
  package var contentHash: String?
  package var byteCount: Int?
  /// The media type (MIME), from the content where it can be told.
  package var mediaType: String?
  /// The name the file had when it was added.
  package var originalName: String?
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
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

import ArkivedStore
public import Foundation

extension Library {
  /// Copies a file into the archive and attaches it to an entry.
  ///
  /// Two attachments with the same content share one file.
  ///
  /// - Returns: the attachment as saved.
  /// - Throws: ``LibraryError/Code/notFound`` if the file or entry doesn't exist,
  ///   ``LibraryError/Code/refused`` for an archive in memory, ``LibraryError/Code/storage``.
  @discardableResult
  public func attach(
    _ file: URL, to owner: AttachmentOwner, caption: String? = nil
  ) async throws(LibraryError) -> Attachment {
    try await waiting { [self] in
      let values = try file.resourceValues(forKeys: [.isRegularFileKey])
      guard values.isRegularFile == true else {
        throw LibraryError(
          .invalidValue,
          said(
            "Couldn’t attach \(file.path.prefix(300)): not a regular file."),
          field: "file")
      }
      let content = try Data(contentsOf: file, options: .mappedIfSafe)
      return try attach(content, named: file.lastPathComponent, to: owner, caption)
    }
  }

  /// Stores content in the archive and attaches it to an entry.
  ///
  /// - Parameters:
  ///   - content: the bytes of the file.
  ///   - name: a file name for the content, such as `sunset.jpg`.
  ///   - owner: the entry to which it belongs.
  ///   - caption: the owner's caption.
  /// - Returns: the attachment.
  /// - Throws: the errors of ``attach(_:to:caption:)``.
  @discardableResult
  public func attach(
    _ content: Data, named name: String, to owner: AttachmentOwner, caption: String? = nil
  ) async throws(LibraryError) -> Attachment {
    try await waiting { [self] in try attach(content, named: name, to: owner, caption) }
  }

  private func attach(
    _ content: Data, named name: String, to owner: AttachmentOwner, _ caption: String?
  ) throws -> Attachment {
    let now = archive.clock.now
    let media = MediaType(sniffing: content, fileName: name)
    let kept = try archive.keepFiles()
    defer { kept?.release() }
    let attachment = try archive.store(
      content,
      as: Attachment(
        id: archive.identities.next(), type: media.attachmentType, caption: caption,
        mediaType: media.name, originalName: name, createdAt: now, updatedAt: now))
    _ = try archive.attach([attachment], to: owner)
    return try archive.attachment(attachment.id) ?? attachment
  }

  /// Returns the file of an attachment in the archive's folder, for displaying it; nil if it has
  /// none.
  ///
  /// The file must not be modified.
  public func file(of attachment: Attachment) -> URL? { archive.file(of: attachment) }

  /// Returns the content of an attachment, or of the photo outside the archive to which it refers.
  ///
  /// - Throws: ``LibraryError/Code/notFound`` if the file no longer exists.
  public func content(of attachment: Attachment) async throws(LibraryError) -> Data {
    try await waiting { [self] in try archive.content(of: attachment) }
  }

  /// Removes an attachment from its entry.
  ///
  /// Its file is kept until nothing can restore it.
  ///
  /// - Throws: ``LibraryError/Code/notFound``.
  public func delete(_ attachment: Attachment) async throws(LibraryError) {
    try await waiting { [self] in _ = try archive.deleteAttachment(attachment.id) }
  }
}

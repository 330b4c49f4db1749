package import ArkivedCore
import ArkivedCrypto
package import Foundation
import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of attachments: stored once per content, named by its SHA-256, never changed.
extension Archive {
  /// The base folder of attachments' relative paths; nil for an archive in memory.
  package var attachmentsFolder: URL? {
    guard case .folder(let folder) = location else { return nil }
    return folder.appendingPathComponent("attachments")
  }

  /// Returns the location of an attachment's file; nil if it has none or the archive has no folder.
  package func file(of attachment: Attachment) -> URL? {
    guard let relativePath = attachment.relativePath, (try? attachment.validate()) != nil else {
      return nil
    }
    return attachmentsFolder?.appendingPathComponent(relativePath)
  }

  /// Keeps stored files from being removed until something refers to them.
  ///
  /// Hold it from before the first `store` until the change that refers to the files is committed.
  ///
  /// - Returns: the lock; nil for an archive in memory.
  /// - Throws: `ArchiveError.busy` while files are being removed.
  package func keepFiles() throws -> FileLock? {
    try filesLock.map {
      try FileLock(
        at: $0, waits: 10, isShared: true,
        else: "Files are being deleted. Nothing was changed. Try again when it’s done.")
    }
  }

  /// The file that is locked exclusively while files are removed.
  var filesLock: URL? {
    databaseFile?.deletingLastPathComponent().appendingPathComponent("attachments.lock")
  }

  /// Stores a file's content durably and returns the attachment that refers to it.
  ///
  /// - Parameters:
  ///   - content: the content.
  ///   - original: the row so far (type, caption, name); path, hash and size are set.
  ///   - flusher: makes it durable later; without one, the file is durable when this returns.
  /// - Returns: the attachment.
  /// - Throws: `POSIXFailure` if the content cannot be read or stored, and `ArchiveError.refused`
  ///   for an archive in memory.
  package func store(
    _ content: Data, as original: Attachment, flusher: FileFlusher? = nil
  ) throws -> Attachment {
    guard let folder = attachmentsFolder else {
      throw ArchiveError.refused(
        "An archive in memory can’t store files. Choose a folder for the archive.")
    }
    let (attachment, target) = named(
      original, hash: AttachmentFileName.hash(of: content), byteCount: content.count, in: folder)
    if let flusher {
      try flusher.keep(content, at: target)
      return attachment
    }
    let shelf = target.deletingLastPathComponent()
    try DurableFile.makeFolder(shelf)
    // A file that is stored again gets a new time, which protects it from the removal of stray
    // files until something refers to it.
    if (try? Data(contentsOf: target, options: .mappedIfSafe)) == content,
      utimensat(AT_FDCWD, target.path, nil, 0) == 0
    {
      // The process that stored it may have stopped before its name was flushed.
      try DurableFile.synchronise(target)
      try DurableFile.toleratingUnflushable { try DurableFile.synchronise(shelf) }
    } else {
      try DurableFile.write(content, to: target)
    }
    return attachment
  }

  /// Returns an attachment named by its content, and the location of the file of that name.
  func named(
    _ original: Attachment, hash: String, byteCount: Int, in folder: URL
  ) -> (attachment: Attachment, target: URL) {
    let path = "\(hash.prefix(2))/\(hash)\(AttachmentFileName.suffix(of: original.originalName))"
    var attachment = original
    attachment.contentHash = hash
    attachment.byteCount = byteCount
    attachment.relativePath = path
    return (attachment, folder.appendingPathComponent(path))
  }

  /// Returns the content of an attachment's file, or of the original that it refers to.
  ///
  /// An original is returned only if it is the same picture or film as before, because a path in an
  /// archive could refer to anything.
  /// - Throws: `ArchiveError.notFound` if it doesn't exist, and errors from reading the file.
  package func content(of attachment: Attachment) throws -> Data {
    if let file = file(of: attachment) {
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw ArchiveError.notFound("No file found for this attachment. Run arkived doctor.")
      }
      return try Data(contentsOf: file, options: .mappedIfSafe)
    }
    guard let original = attachment.original else {
      throw ArchiveError.notFound("No file found for this attachment.")
    }
    let look = CheckedOriginals.look(of: original)
    guard Self.isThere(attachment),
      let content = try? Data(contentsOf: original, options: .mappedIfSafe),
      Self.isPictureOrFilm(content),
      CheckedOriginals.hash(of: content, look) == attachment.contentHash
    else {
      throw ArchiveError.notFound(
        "The file at \(original.path) is gone. Put it back, or import the folder it is in now "
          + "with --reference.")
    }
    return content
  }

  /// Returns true if an original is a file of the same size as before.
  static func isThere(_ attachment: Attachment) -> Bool {
    guard let path = attachment.original?.path,
      let found = try? FileManager.default.attributesOfItem(atPath: path)
    else { return false }
    return found[.type] as? FileAttributeType == .typeRegular
      && (found[.size] as? NSNumber)?.intValue == attachment.byteCount
  }

  private static func isPictureOrFilm(_ content: Data) -> Bool {
    let type = MediaType(sniffing: content.prefix(64), fileName: "").name
    return type.hasPrefix("image/") || type.hasPrefix("video/")
  }

  package func attachment(_ id: UUID) throws -> Attachment? {
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM attachments WHERE id = ? AND \(Visibility.attachmentIsShown)",
        arguments: [id.uuidString]
      ).map(AttachmentRecord.read)
    }
  }
}

/// The names of stored files: their content's hash, with an extension that other programs
/// recognise.
enum AttachmentFileName {
  /// Returns the SHA-256 in lower-case hexadecimal.
  static func hash(of content: Data) -> String {
    SHA256.hash(data: content).hexadecimal
  }

  /// Returns the hash of a file's content, without keeping all of it in memory.
  ///
  /// Unlike a mapped file, a file on a failing disk makes this throw and doesn't end the process.
  ///
  /// - Throws: `CocoaError` if the file can't be read.
  static func hash(ofFileAt file: URL) throws -> String {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var sum = SHA256()
    while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
      sum.update(data: piece)
    }
    return sum.finalize().hexadecimal
  }

  static func suffix(of name: String?) -> String {
    guard let name, let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    let ending = name[name.index(after: dot)...].lowercased()
    guard (1...8).contains(ending.count),
      ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return "" }
    return ".\(ending)"
  }
}

/// The hashes of originals by their metadata, which avoids reading a film completely for each of
/// its parts.
private enum CheckedOriginals {
  private static let known = Mutex<[String: String]>([:])
  private static let limit = 10_000

  /// Returns the metadata of a file before it is read.
  ///
  /// Programs that write to photos may reset the modification time, but not the change time
  /// (`st_ctime`).
  static func look(of file: URL) -> String? {
    var status = stat()
    guard stat(file.path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    return "\(file.path)\u{0}\(status.st_ino) \(status.st_size) \(changed.tv_sec) "
      + "\(changed.tv_nsec)"
  }

  static func hash(of content: Data, _ look: String?) -> String {
    guard let look else { return AttachmentFileName.hash(of: content) }
    if let hash = known.withLock({ $0[look] }) { return hash }
    let hash = AttachmentFileName.hash(of: content)
    known.withLock { known in
      if known.count >= limit { known.removeAll() }
      known[look] = hash
    }
    return hash
  }
}

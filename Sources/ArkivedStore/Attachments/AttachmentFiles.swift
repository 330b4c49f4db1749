package import ArkivedCore
import Crypto
package import Foundation
import GRDB

/// The files of attachments: stored once per content, named after its SHA-256, never changed.
extension Archive {
  /// The folder that attachments' relative paths start from; nil for an archive in memory.
  package var attachmentsFolder: URL? {
    guard case .folder(let folder) = location else { return nil }
    return folder.appendingPathComponent("attachments")
  }

  /// Where an attachment's file lies, or nil when it has none or the archive has no folder.
  package func file(of attachment: Attachment) -> URL? {
    guard let relativePath = attachment.relativePath, (try? attachment.validate()) != nil else {
      return nil
    }
    return attachmentsFolder?.appendingPathComponent(relativePath)
  }

  /// Stores a file's content durably and returns the attachment that names it.
  ///
  /// - Parameter original: the row so far (type, caption, name); path, hash and size are set.
  /// - Throws: `POSIXFailure` when the content cannot be read or stored, and `ArchiveError.refused`
  ///   for an archive in memory.
  package func store(_ content: Data, as original: Attachment) throws -> Attachment {
    guard let folder = attachmentsFolder else {
      throw ArchiveError.refused("An archive in memory keeps no files. Name a folder for it.")
    }
    let hash = AttachmentFileName.hash(of: content)
    let suffix = AttachmentFileName.suffix(of: original.originalName)
    var attachment = original
    attachment.contentHash = hash
    attachment.byteCount = content.count
    attachment.relativePath = "\(hash.prefix(2))/\(hash)\(suffix)"
    let target = folder.appendingPathComponent("\(hash.prefix(2))/\(hash)\(suffix)")
    let shelf = target.deletingLastPathComponent()
    try DurableFile.makeFolder(shelf)
    if (try? Data(contentsOf: target, options: .mappedIfSafe)) == content {
      // Whoever stored it may have been stopped before its name was flushed.
      try DurableFile.synchronise(target)
      try DurableFile.synchronise(shelf)
    } else {
      try DurableFile.write(content, to: target)
    }
    return attachment
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

/// How stored files are named: after their content, with an ending that other programs know.
enum AttachmentFileName {
  /// SHA-256 in lower-case hexadecimal.
  static func hash(of content: Data) -> String {
    SHA256.hash(data: content).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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

import ArkivedCore
import Foundation
import Synchronization

/// Finds the files that entries refer to, inside the folder of their export.
///
/// Links are not followed.
struct JournalFiles {
  /// The base folder of attachment paths.
  let folder: URL
  private let media: JrnlMedia
  private let context: ImportContext

  /// The maximum size of an attachment; a larger file is a film.
  private static let sizeLimit: Int64 = 2 << 30

  /// Finds the files of an entry in the folder and its subfolders; relative paths may also start
  /// next to the entry's file.
  init(folder: URL, file: URL, _ context: ImportContext) {
    self.folder = folder
    self.context = context
    media = JrnlMedia(folder: folder, file: file)
  }

  /// Returns the attachment for the file at a path; nil if the file doesn't exist.
  func attachment(_ path: String, caption: String? = nil, createdAt: Instant) -> Attachment? {
    // Once its entry has been passed on, the archive may have moved the file, and another entry may
    // refer to it too.
    let found = context.notes.found("journal file \(folder.path) \(path)") {
      Found(file: file(at: path))
    }
    guard let file = found.file else { return nil }
    return Attachment(
      id: context.identities.next(), type: file.mediaType.attachmentType,
      caption: JournalEntry.words(caption), relativePath: file.path,
      mediaType: file.mediaType.name,
      originalName: file.path.split(separator: "/").last.map(String.init), createdAt: createdAt,
      updatedAt: createdAt)
  }

  /// The result of looking at a path.
  private struct Found: Sendable {
    var file: JrnlMedia.File?
  }

  private func file(at path: String) -> JrnlMedia.File? {
    guard let file = media.file(at: path) else { return nil }
    let url = folder.appendingPathComponent(file.path)
    let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
    guard let size = size?.int64Value, size > 0, size <= Self.sizeLimit else { return nil }
    return file
  }

  /// Returns the attachments for files, given their paths.
  ///
  /// Missing files are reported in one message.
  func attachments(
    _ paths: [String], createdAt: Instant, at place: String, into sink: any ImportSink
  ) -> [Attachment] {
    var seen: Set<String> = []
    var missing: [String] = []
    let attachments = paths.compactMap { path -> Attachment? in
      guard let attachment = attachment(path, createdAt: createdAt) else {
        missing.append(path)
        return nil
      }
      return seen.insert(attachment.relativePath ?? "").inserted ? attachment : nil
    }
    Self.tellMissing(missing, at: place, into: sink)
    return attachments
  }

  static func tellMissing(_ paths: [String], at place: String, into sink: any ImportSink) {
    guard let first = paths.first else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: place,
        message: paths.count == 1
          ? """
          the file \(FieldError.shown(first)) is missing from the export; the entry was imported \
          without it
          """
          : "\(paths.count) files are missing from the export, such as "
            + "\(FieldError.shown(first)); the entry was imported without them", mayPass: true))
  }

  /// Returns the files in a folder by a key derived from their names; they are looked up once per
  /// run.
  static func index(
    of folder: URL, _ context: ImportContext, key: @escaping (Substring) -> String
  ) -> [String: [String]] {
    context.notes.found("journal folder \(folder.path)") {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return Dictionary(grouping: names.sorted().filter { !$0.hasPrefix(".") }) { key($0[...]) }
    }
  }
}

/// Distinguishes entries to which their program gives no identifier: by their time, and entries
/// with the same time by a number.
///
/// An entry that occurs twice with the same content counts once.
final class JournalIdentity: Sendable {
  private let numbers = Mutex<[String: [String: Int]]>([:])

  /// The run's own.
  static func of(_ format: String, _ context: ImportContext) -> JournalIdentity {
    context.notes.found("identity \(format)") { JournalIdentity() }
  }

  func name(_ moment: String, content: String) -> String {
    let hash = TableIdentity.hash(content)
    let number = numbers.withLock { numbers in
      if let known = numbers[moment]?[hash] { return known }
      let next = (numbers[moment]?.count ?? 0) + 1
      numbers[moment, default: [:]][hash] = next
      return next
    }
    return number == 1 ? moment : "\(moment)/\(number)"
  }
}

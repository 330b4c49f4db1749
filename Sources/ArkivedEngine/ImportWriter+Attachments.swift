import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedCrypto
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Import of the files that belong to entries.
extension ImportWriter {
  func stored(_ attachment: Attachment, _ record: ImportedRecord) throws -> Attachment {
    guard let path = attachment.relativePath, let folder = record.attachmentsFolder else {
      return attachment
    }
    try attachment.validate()
    return try stored(attachment, at: folder.appendingPathComponent(path), record)
  }

  /// Stores an attachment.
  ///
  /// - Parameters:
  ///   - attachment: the attachment.
  ///   - source: its file.
  ///   - record: the record.
  ///   - isTold: true if its entry's line already reported it and any problems with its file.
  /// - Returns: the attachment as stored.
  /// - Throws: an error if the file can't be stored.
  func stored(
    _ attachment: Attachment, at source: URL, _ record: ImportedRecord, isTold: Bool = false
  ) throws -> Attachment {
    let path = attachment.relativePath ?? source.lastPathComponent
    let file = present(source)
    guard !Self.isLink(file, named: attachment.relativePath) else {
      // A link could point to any file that its owner may read.
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message:
            "the attachment’s file \(path) was skipped: it’s a link, which Arkived doesn’t follow"))
      return attachment
    }
    guard Self.hasContent(file) else {
      guard !isTold else { return attachment }
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "the attachment’s file \(path) is missing from the import"))
      return attachment
    }
    do {
      return try content(of: attachment, at: file)
    } catch let failure as POSIXFailure {
      // The archive failed to store the file. Continuing would acknowledge a file that does not
      // exist.
      throw failure
    } catch {
      // The entry matters more than a file that its source doesn't provide.
      guard !isTold else { return attachment }
      let reason =
        (error as? FieldError)?.description ?? (error as? ArchiveError)?.description
        ?? "it can’t be read"
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "the attachment’s file \(path) was skipped: \(reason)", mayPass: true))
      return attachment
    }
  }

  /// Stores the files that an old version refers to, because it can be restored.
  func storeFiles(of version: inout HistoryRecord, _ record: ImportedRecord) throws {
    guard let folder = record.attachmentsFolder, !state.isRehearsal,
      var object = version.record.object, var list = object["attachments"]?.array
    else { return }
    let defaults = EntryDefaults(
      now: scope.now, homeZone: .utc, identities: archive.identities)
    for index in list.indices {
      guard var one = list[index].object, let path = one["relativePath"]?.string else { continue }
      var fields = FieldReader(one)
      guard let attachment = try? Attachment(&fields, now: scope.now, defaults: defaults),
        state.places.choice == .keep || !PlaceReduction.isWay(attachment),
        // Most old versions have the files of the present one.
        let here = archive.file(of: attachment),
        !FileManager.default.fileExists(atPath: here.path)
      else { continue }
      let kept = try stored(
        attachment, at: folder.appendingPathComponent(path), record, isTold: true)
      guard let name = kept.relativePath, name != path else { continue }
      one["relativePath"] = .string(name)
      list[index] = .object(one)
    }
    object["attachments"] = .array(list)
    version.record = .object(object)
  }

  /// Returns the current location of a file that an importer created.
  private func present(_ file: URL) -> URL {
    state.movedFiles.isEmpty ? file : state.movedFiles[file.path] ?? file
  }

  /// Returns true for an existing file, which is not a pipe or a device: reading one may never end.
  private static func hasContent(_ file: URL) -> Bool {
    var status = stat()
    return stat(file.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns true if a file, or a folder on the path given in its line, is a link.
  ///
  /// The base folder of all files is not part of that path.
  private static func isLink(_ file: URL, named path: String?) -> Bool {
    guard let path else { return false }
    var place = file
    for _ in path.split(separator: "/") {
      let type = try? FileManager.default.attributesOfItem(atPath: place.path)[.type]
      if type as? FileAttributeType == .typeSymbolicLink { return true }
      place.deleteLastPathComponent()
    }
    return false
  }

  private func content(of attachment: Attachment, at file: URL) throws -> Attachment {
    if let moved = try moved(attachment, file) { return moved }
    let data = try Data(contentsOf: file, options: .mappedIfSafe)
    if let expected = attachment.contentHash,
      SHA256.hash(data: data).hexadecimal != expected
    {
      throw FieldError("contentHash", "doesn’t match the content of \(file.lastPathComponent)")
    }
    guard !state.isRehearsal else {
      var known = attachment
      known.contentHash = SHA256.hash(data: data).hexadecimal
      known.byteCount = data.count
      return known
    }
    return try archive.store(data, as: attachment, flusher: state.files)
  }

  /// Stores a file that was made for this run by moving it.
  ///
  /// - Returns: nil if it does not belong to the run or cannot be moved.
  private func moved(_ attachment: Attachment, _ file: URL) throws -> Attachment? {
    guard !state.isRehearsal, let scratch = state.scratch?.url,
      file.path.hasPrefix(scratch.path + "/"),
      let stored = try archive.take(file, outOf: scratch, as: attachment, flusher: state.files)
    else { return nil }
    state.movedFiles[file.path] = archive.file(of: stored)
    return stored
  }
}

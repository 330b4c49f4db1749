import ArkivedCore
import Foundation

/// Unpacks the files of a zip archive that an importer chose, and reports problems with it.
package enum ZipMembers {
  /// The disk space that unpacking leaves free, in bytes.
  private static let reserve: Int64 = 512 << 20
  /// The maximum compression ratio; text shrinks to a fiftieth at most, and anything far beyond
  /// that is intended to fill the disk.
  private static let growthLimit: Int64 = 200
  /// The unpacked size in bytes that is allowed for an archive of any size.
  private static let smallSize: Int64 = 1 << 30

  /// Returns true if all files of an archive have one of the given extensions, in lower case.
  static func holdsOnly(_ endings: Set<String>, _ zip: ZipFile) -> Bool {
    zip.entries.allSatisfy { entry in
      entry.isHidden
        || endings.contains(entry.fileName.split(separator: ".").last?.lowercased() ?? "")
    }
  }

  /// Unpacks the chosen files.
  ///
  /// - Parameters:
  ///   - zip: the archive.
  ///   - chosen: the files to unpack.
  ///   - file: the file.
  ///   - sizeLimit: the maximum size of a file; a larger one is skipped and reported.
  ///   - context: the information about the import.
  ///   - sink: receives the records.
  /// - Returns: The files in the archive's order, each named by its path there.
  /// - Throws: `ImportRefusal` if no member can be read.
  static func unpack(
    _ zip: ZipFile, _ chosen: [ZipFile.Entry], of file: ImportFile, sizeLimit: Int64,
    context: ImportContext, sink: any ImportSink
  ) throws -> [ImportFile] {
    func tell(_ message: String, at place: String, mayPass: Bool = false) {
      sink.diagnose(Diagnostic(.skipped, place: place, message: message, mayPass: mayPass))
    }
    tellDamage(of: zip, in: file, into: sink)
    var names: Set<String> = []
    let entries = chosen.filter { names.insert($0.name).inserted }
    if entries.count < chosen.count {
      tell(
        "some names occur twice in the archive; only the first file of each was read", at: file.name
      )
    }
    let folder = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let targets = Dictionary(
      uniqueKeysWithValues: entries.map {
        ($0.index, folder.appendingPathComponent("\($0.index)"))
      })
    let failures = try zip.unpack(
      targets, sizeLimit: sizeLimit, totalLimit: try room(for: zip, in: folder), keepsParts: true)
    var files: [ImportFile] = []
    var first: (place: String, message: String)?
    for entry in entries {
      guard let url = targets[entry.index] else { continue }
      let place = "\(file.name)/\(entry.name)"
      let isThere = FileManager.default.fileExists(atPath: url.path)
      if let failure = failures[entry.index] {
        let message =
          isThere ? "only part of the file could be read: \(failure)" : "skipped: \(failure)"
        tell(message, at: place, mayPass: true)
        if first == nil { first = (place, message) }
      }
      if isThere { files.append(ImportFile(url: url, name: place)) }
    }
    if files.isEmpty, let first { throw ImportRefusal(place: first.place, message: first.message) }
    return files
  }

  /// Unpacks some files of a zip archive and reads them one after the other; a file that is
  /// rejected is reported, and the others are still read.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - choose: returns the files that are wanted.
  ///   - sizeLimit: the maximum size of a file.
  ///   - context: the information about the import.
  ///   - sink: receives the records.
  ///   - read: reads one member.
  /// - Throws: `ImportRefusal` if no member can be read, and errors from the sink.
  static func readEach(
    of file: ImportFile, _ choose: (ZipFile) -> [ZipFile.Entry], sizeLimit: Int64,
    context: ImportContext, sink: any ImportSink, _ read: (ImportFile) throws -> Void
  ) throws {
    let zip: ZipFile
    do {
      zip = try ZipFile(file.url)
    } catch {
      throw ImportRefusal(place: file.name, message: "the zip archive cannot be read: \(error)")
    }
    let files = try unpack(
      zip, choose(zip), of: file, sizeLimit: sizeLimit, context: context, sink: sink)
    var refusals: [ImportRefusal] = []
    for part in files {
      do {
        try read(part)
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
      }
      // Members that have been read don't need any more space.
      try? FileManager.default.removeItem(at: part.url)
    }
    if let first = refusals.first, refusals.count == files.count { throw first }
    for refusal in refusals {
      sink.diagnose(Diagnostic(.skipped, place: refusal.place, message: refusal.message))
    }
  }

  /// Reports problems with an archive as a whole: truncation, or names that point outside it.
  static func tellDamage(of zip: ZipFile, in file: ImportFile, into sink: any ImportSink) {
    if let damage = zip.damage {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "only part of the zip archive could be read: \(damage). Export it again"))
    }
    if let name = zip.strangeNames.first {
      sink.diagnose(
        Diagnostic(
          .skipped, place: file.name,
          message: "skipped files with unsafe names (\(zip.strangeNames.count)), such as "
            + "\(FieldError.shown(name))"))
    }
    tellLinks(of: zip, named: file.name, tell: sink.diagnose)
  }

  /// Reports links in an archive, which aren't followed.
  package static func tellLinks(
    of zip: ZipFile, named name: String, tell: (Diagnostic) -> Void
  ) {
    let repeated = zip.repeatedNames
    if let (first, count) = repeated.first {
      tell(
        Diagnostic(
          .skipped, place: "\(name)/\(first)",
          message: repeated.count == 1
            ? "the archive has \(count) files with this name; only the first was read"
            : "\(repeated.count) names occur twice in the archive, such as "
              + "\(FieldError.shown(first)); only the first file of each was read"))
    }
    guard let link = zip.links.first else { return }
    tell(
      Diagnostic(
        .skipped, place: "\(name)/\(link)",
        message: zip.links.count == 1
          ? "a link in the archive; skipped"
          : "a link in the archive; skipped. More links: \(zip.links.count - 1)"))
  }

  /// Returns the maximum number of bytes to unpack from an archive: the disk's free space, or less
  /// if exports don't expand that much.
  ///
  /// - Parameters:
  ///   - zip: the zip archive.
  ///   - folder: the destination folder.
  /// - Returns: the number of bytes.
  /// - Throws: an error if the disk's free space is unknown.
  static func room(for zip: ZipFile, in folder: URL) throws -> Int64 {
    let system = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let free = (system[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    let packed = try FileManager.default.attributesOfItem(atPath: zip.url.path)[.size]
    let size = (packed as? NSNumber)?.int64Value ?? 0
    let grown = size.multipliedReportingOverflow(by: growthLimit)
    return min(
      max(0, free - reserve), max(smallSize, grown.overflow ? .max : grown.partialValue))
  }

  /// Returns the beginning of a file, enough to recognise a zip archive and a format.
  static func head(of file: ImportFile, count: Int = 4_096) throws -> [UInt8] {
    let handle = try FileHandle(forReadingFrom: file.url)
    defer { try? handle.close() }
    return [UInt8](try handle.read(upToCount: count) ?? Data())
  }
}

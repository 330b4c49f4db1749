package import ArkivedImport
package import Foundation

/// Unpacks a zip archive with files of several formats, and presents it as a folder.
///
/// Names are those in the archive and can't point outside it, because `ZipFile` skips any others.
/// Unpacked bytes are counted, regardless of the sizes the archive states.
package struct ZipWalk {
  private let zip: ZipFile
  private let name: String
  /// The number of bytes that any archive may unpack to, however small it is.
  private let smallSize: Int64
  private let allowance: Int64

  /// The size beyond which a file is left in its archive.
  private static let fileLimit: Int64 = 8 << 30
  /// The space to leave free on the disk.
  private static let reserve: Int64 = 512 << 20
  /// Texts are compressed to a fiftieth at most, so an archive that expands far more is designed to
  /// fill the disk.
  private static let growthLimit: Int64 = 200
  private static let tellLimit = 20

  /// Creates an unpacker.
  ///
  /// - Parameters:
  ///   - zip: the zip archive.
  ///   - name: the archive's name in diagnostics.
  ///   - smallSize: the number of bytes it may unpack to, however small it is.
  ///   - allowance: the maximum number of unpacked bytes.
  package init(
    _ zip: ZipFile, named name: String, smallSize: Int64 = 1 << 30, allowance: Int64 = .max
  ) {
    self.zip = zip
    self.name = name
    self.smallSize = smallSize
    self.allowance = allowance
  }

  /// Returns the number of bytes that all archives inside one may unpack to.
  ///
  /// They are already compressed, so further growth is deliberate.
  static func innerAllowance(of file: URL) -> Int64 {
    let size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size]) as? NSNumber
    return max(128 << 20, (size?.int64Value ?? 0) * growthLimit)
  }

  /// Unpacks every file except those that operating systems add.
  ///
  /// - Returns: diagnostics about what could not be unpacked.
  /// - Throws: `ImportRefusal` if nothing could be unpacked, and what creating folders throws.
  package func unpack(into folder: URL) throws -> [Diagnostic] {
    try unpackCounted(into: folder).notes
  }

  /// Unpacks every file except those that operating systems add.
  ///
  /// - Returns: diagnostics, and true if something exceeded the limit.
  func unpackCounted(into folder: URL) throws -> (notes: [Diagnostic], isBeyondLimit: Bool) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var targets: [Int: URL] = [:]
    var taken: Set<String> = []
    var notes: [Diagnostic] = []
    for entry in zip.entries where isWanted(entry) {
      guard taken.insert(entry.name).inserted else { continue }
      let target = folder.appendingPathComponent(entry.name)
      do {
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        targets[entry.index] = target
      } catch {
        notes.append(
          Diagnostic(
            .skipped, place: "\(name)/\(entry.name)",
            message: "skipped: its folder has the same name as a file"))
      }
    }
    let failures = try zip.unpack(
      targets, sizeLimit: Self.fileLimit, totalLimit: try limit(in: folder))
    if let first = failures.min(by: { $0.key < $1.key })?.value, failures.count == targets.count {
      throw ImportRefusal(place: name, message: "the zip archive can’t be unpacked: \(first)")
    }
    return (notes + told(failures) + damage(), failures.values.contains(.noRoom))
  }

  /// Returns the size in bytes of an archive's files in a folder.
  static func size(of folder: URL, in zip: ZipFile) -> Int64 {
    zip.entries.reduce(0) { sum, entry in
      let path = folder.appendingPathComponent(entry.name).path
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? NSNumber
      return sum + (size?.int64Value ?? 0)
    }
  }

  private func isWanted(_ entry: ZipFile.Entry) -> Bool {
    let parts = entry.name.split(separator: "/")
    return parts.first != "__MACOSX" && parts.last != ".DS_Store"
      && parts.allSatisfy { $0.utf8.count <= 255 }
  }

  private func limit(in folder: URL) throws -> Int64 {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    let packed = try FileManager.default.attributesOfItem(atPath: zip.url.path)[.size]
    let size = (packed as? NSNumber)?.int64Value ?? 0
    return min(
      max(0, free - Self.reserve), max(smallSize, size * Self.growthLimit), max(0, allowance))
  }

  private func told(_ failures: [Int: ZipFailure]) -> [Diagnostic] {
    let left = zip.entries.filter { failures[$0.index] != nil }
    var notes = left.prefix(Self.tellLimit).map { entry in
      Diagnostic(
        .skipped, place: "\(name)/\(entry.name)",
        message: "skipped: \(failures[entry.index].map(\.description) ?? "it can’t be read")",
        mayPass: true)
    }
    if left.count > Self.tellLimit {
      notes.append(
        Diagnostic(
          .skipped, place: name,
          message: "more files in the zip archive were skipped: \(left.count - Self.tellLimit)"))
    }
    return notes
  }

  private func damage() -> [Diagnostic] {
    var notes: [Diagnostic] = []
    ZipMembers.tellLinks(of: zip, named: name) { notes.append($0) }
    if let damage = zip.damage {
      notes.append(
        Diagnostic(
          .skipped, place: name, message: "only part of the zip archive could be read: \(damage)"))
    }
    if let strange = zip.strangeNames.first {
      notes.append(
        Diagnostic(
          .skipped, place: name,
          message: "skipped files with unsafe names (\(zip.strangeNames.count)), such as "
            + "“\(strange)”"))
    }
    return notes
  }
}

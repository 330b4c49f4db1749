package import Foundation

extension ZipFile {
  /// Unpacks files in one pass through the archive.
  ///
  /// - Parameters:
  ///   - targets: the destinations, keyed by the index of an entry; none may exist yet.
  ///   - sizeLimit: the maximum size of an unpacked file, in bytes.
  ///   - totalLimit: the maximum size of all files together, in bytes.
  ///   - keepsParts: true to keep the readable part of a damaged file.
  /// - Returns: The reasons why files couldn't be unpacked completely, keyed by index; their
  ///   targets are removed unless parts are kept.
  /// - Throws: An error if a target can't be written.
  package func unpack(
    _ targets: [Int: URL], sizeLimit: Int64, totalLimit: Int64, keepsParts: Bool = false
  ) throws -> [Int: ZipFailure] {
    var left = targets
    var failures: [Int: ZipFailure] = [:]
    for entry in entries where left[entry.index] != nil {
      guard let failure = forecast(entry, sizeLimit) else { continue }
      failures[entry.index] = failure
      left[entry.index] = nil
    }
    var room = totalLimit
    var end = ZipFailure.damaged("the archive ends before this file")
    do {
      let reader = try ZipReader(url)
      var index = 0
      while !left.isEmpty, try reader.next() != nil {
        defer { index += 1 }
        guard let target = left.removeValue(forKey: index) else { continue }
        do {
          room -= try unpack(reader, to: target, sizeLimit: sizeLimit, room: room)
        } catch let failure as ZipFailure {
          failures[index] = failure
          if case .damaged = failure, keepsParts { continue }
          try? FileManager.default.removeItem(at: target)
        }
      }
    } catch let failure as ZipFailure {
      end = failure
    }
    for index in left.keys { failures[index] = end }
    return failures
  }

  private func forecast(_ entry: Entry, _ sizeLimit: Int64) -> ZipFailure? {
    if entry.isEncrypted { return .encrypted }
    if let size = entry.size, size > sizeLimit { return .tooLarge(sizeLimit) }
    return nil
  }

  private func unpack(
    _ reader: ZipReader, to target: URL, sizeLimit: Int64, room: Int64
  ) throws -> Int64 {
    let descriptor = target.withUnsafeFileSystemRepresentation { path in
      path.map { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) } ?? -1
    }
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [:]) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var size: Int64 = 0
    while true {
      let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
      guard count > 0 else { return size }
      size += Int64(count)
      guard size <= sizeLimit else { throw ZipFailure.tooLarge(sizeLimit) }
      guard size <= room else { throw ZipFailure.noRoom }
      try file.write(contentsOf: buffer[..<count])
    }
  }
}

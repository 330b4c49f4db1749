import Foundation

extension ZipFile {
  /// Passes on the contents of files piece by piece, in one pass through the archive and without
  /// unpacking them to disk.
  ///
  /// - Parameters:
  ///   - wanted: the files, by the index of their entries.
  ///   - sizeLimit: the maximum number of bytes read from a file.
  ///   - take: receives the index of a file and its next bytes, which it may change; no bytes at
  ///     its end.
  /// - Returns: The reasons why files couldn't be read to their end, keyed by index.
  /// - Throws: Any error that `take` throws.
  func stream(
    _ wanted: Set<Int>, sizeLimit: Int64,
    _ take: (_ index: Int, _ piece: UnsafeMutableBufferPointer<UInt8>) throws -> Void
  ) throws -> [Int: ZipFailure] {
    var left = wanted
    var failures: [Int: ZipFailure] = [:]
    for entry in entries where entry.isEncrypted && left.remove(entry.index) != nil {
      failures[entry.index] = .encrypted
    }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 20)
    defer { buffer.deallocate() }
    var end = ZipFailure.damaged("the archive ends before this file")
    do {
      let reader = try ZipReader(url)
      var index = 0
      while !left.isEmpty, try reader.next() != nil {
        if left.remove(index) != nil {
          failures[index] = try stream(reader, buffer, sizeLimit) { try take(index, $0) }
        }
        index += 1
      }
    } catch let failure as ZipFailure {
      end = failure
    }
    for index in left { failures[index] = end }
    return failures
  }

  /// Reads a single file.
  ///
  /// - Returns: The reason why the file couldn't be read to its end.
  private func stream(
    _ reader: ZipReader, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ sizeLimit: Int64,
    _ take: (UnsafeMutableBufferPointer<UInt8>) throws -> Void
  ) throws -> ZipFailure? {
    var size: Int64 = 0
    var failure: ZipFailure?
    while failure == nil {
      var count = 0
      do throws(ZipFailure) {
        count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
      guard count > 0 else { break }
      size += Int64(count)
      if size > sizeLimit {
        failure = .tooLarge(sizeLimit)
      } else {
        try take(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
      }
    }
    try take(UnsafeMutableBufferPointer(rebasing: buffer[..<0]))
    return failure
  }
}

import ArkivedCore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is written under a temporary name next to its target, and renamed to the target only
/// when its writer declares it complete.
package final class IncomingFile {
  package let target: URL
  /// The location of the content until then; its name begins with a dot.
  package let temporary: URL
  private let descriptor: Int32
  private var isOver = false

  /// Creates the temporary file.
  ///
  /// - Throws: `POSIXFailure` if the folder is not writable, `ArchiveError.refused` if the target
  ///   is something other than a file.
  package init(for target: URL) throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
    switch attributes?[.type] as? FileAttributeType {
    case nil, .typeRegular: break
    default: throw ArchiveError.refused("\(target.path) isn’t a regular file. Choose another.")
    }
    self.target = target
    temporary = target.deletingLastPathComponent()
      .appendingPathComponent("\(Self.prefix)\(UUID().uuidString)")
    descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = errno
      isOver = true
      throw POSIXFailure(path: temporary.path, code: reason)
    }
  }

  package static let prefix = ".incoming-"

  /// Removes the temporary files that killed programs left in a folder.
  ///
  /// A file less than a day old may belong to a program that is still running; no program takes
  /// longer than that.
  package static func removeAbandoned(in folder: URL) {
    try? OpenFolder(folder).removeAbandoned()
  }

  /// Removes an unfinished file.
  deinit {
    if descriptor >= 0 { close(descriptor) }
    if !isOver { unlink(temporary.path) }
  }

  package func append(_ piece: Data) throws {
    try piece.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var written = 0
      while written < bytes.count {
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, start + written, bytes.count - written)
        #else
          let count = Darwin.write(descriptor, start + written, bytes.count - written)
        #endif
        guard count >= 0 || errno == EINTR else { throw POSIXFailure(path: target.path) }
        written += max(0, count)
      }
    }
  }

  /// Flushes the content to the disk.
  package func synchronise() throws {
    while flushToDisk(descriptor) != 0 {
      guard errno == EINTR else { throw POSIXFailure(path: target.path) }
    }
  }

  /// Renames it to the target's name, durably; an existing file is replaced in one step.
  package func commit() throws {
    guard rename(temporary.path, target.path) == 0 else { throw POSIXFailure(path: target.path) }
    isOver = true
    try DurableFile.toleratingUnflushable {
      try DurableFile.synchronise(target.deletingLastPathComponent())
    }
  }
}

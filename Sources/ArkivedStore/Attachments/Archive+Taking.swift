package import ArkivedCore
import ArkivedCrypto
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Moving files that an import made for itself, such as unpacked photos, to become attachments:
/// nothing is copied, and no file is created only to be deleted again.
extension Archive {
  static let scratchName = ".importing"

  /// The folder in which imports unpack files, on the archive's disk so that they can be moved; nil
  /// for an archive in memory.
  package var scratchHome: URL? {
    guard case .folder(let folder) = location else { return nil }
    return folder.appendingPathComponent(Self.scratchName)
  }

  /// Moves a file out of an import's own folder and stores it as an attachment's.
  ///
  /// The file is first moved to where other programs can't reach it, and only then examined. Its
  /// creator may still have it open, or it may have another name; then its content is copied, so
  /// nobody can write to the stored file. The hash is computed from the stored bytes.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - folder: the import's own folder. A file that is not reached from there through folders
  ///     alone, without links, is not moved.
  ///   - original: the row so far, as for `store`; a hash in it must be that of the content.
  ///   - flusher: makes it durable later.
  /// - Returns: nil if it cannot be moved, for example to another disk; it then stays where it was.
  /// - Throws: `FieldError` if its hash is different, `CocoaError` if it cannot be read or is not
  ///   an ordinary file, `POSIXFailure` if it cannot be stored.
  package func take(
    _ file: URL, outOf folder: URL, as original: Attachment, flusher: FileFlusher
  ) throws -> Attachment? {
    guard let home = attachmentsFolder else { return nil }
    try flusher.make(home)
    let aside = home.appendingPathComponent(IncomingFile.prefix + UUID().uuidString)
    guard SecludedFile.move(file, outOf: folder, to: aside) else { return nil }
    do {
      let (hash, byteCount) = try SecludedFile.read(aside)
      if let expected = original.contentHash, expected != hash {
        throw FieldError("contentHash", "doesn’t match the content of \(file.lastPathComponent)")
      }
      let (attachment, target) = named(original, hash: hash, byteCount: byteCount, in: home)
      try flusher.place(aside, at: target)
      return attachment
    } catch {
      SecludedFile.remove(aside)
      throw error
    }
  }
}

/// A file that only this program can reach.
private enum SecludedFile {
  static func remove(_ file: URL) { unlink(file.path) }

  /// Moves a file out of everybody's reach.
  ///
  /// - Returns: true if it was moved.
  static func move(_ file: URL, outOf folder: URL, to aside: URL) -> Bool {
    let start = folder.path + "/"
    guard file.path.hasPrefix(start) else { return false }
    var names = file.path.dropFirst(start.count).split(
      separator: "/", omittingEmptySubsequences: false)
    // A name with a leading dot would be the folder's own lock, or point outside the folder.
    guard names.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), let last = names.popLast() else {
      return false
    }
    let way = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var parent = open(folder.path, way)
    defer { if parent >= 0 { close(parent) } }
    for name in names where parent >= 0 {
      let next = openat(parent, String(name), way)
      close(parent)
      parent = next
    }
    return parent >= 0 && renameat(parent, String(last), AT_FDCWD, aside.path) == 0
  }

  /// Checks that no other program has the file open, and reads it.
  ///
  /// - Returns: the SHA-256 of its content in lower-case hexadecimal, and its length.
  static func read(_ file: URL) throws -> (hash: String, byteCount: Int) {
    let (descriptor, status) = try opened(file)
    defer { close(descriptor) }
    if status.st_nlink == 1, status.st_uid == geteuid(),
      FileLease.isBeingWritten(descriptor) == false, fchmod(descriptor, 0o600) == 0
    {
      return try content(descriptor, status)
    }
    try DurableFile.write(to: file, isFlushed: false) { append in
      try pieces(descriptor, status) { try append(Data($0)) }
    }
    let (copy, copied) = try opened(file)
    defer { close(copy) }
    return try content(copy, copied)
  }

  private static func opened(_ file: URL) throws -> (descriptor: Int32, status: stat) {
    let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown, userInfo: [:]) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw CocoaError(.fileReadUnknown, userInfo: [:])
    }
    return (descriptor, status)
  }

  private static func content(
    _ descriptor: Int32, _ status: stat
  ) throws -> (hash: String, byteCount: Int) {
    var hash = SHA256()
    var count = 0
    try pieces(descriptor, status) { piece in
      hash.update(bufferPointer: piece)
      count += piece.count
    }
    return (hash.finalize().hexadecimal, count)
  }

  private static func pieces(
    _ descriptor: Int32, _ status: stat, _ take: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let size = max(1, min(Int(status.st_size), 1 << 18))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = readSome(descriptor, buffer)
      guard count >= 0 else {
        guard errno == EINTR else { throw CocoaError(.fileReadUnknown, userInfo: [:]) }
        continue
      }
      guard count > 0 else { return }
      try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int
  {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }
}

/// The system's information on open files.
package enum FileLease {
  /// Returns true if a program has the file open for writing (fcntl(2), "Leases": a read lease is
  /// granted only if nobody can write); nil if the system does not support this.
  package static func isBeingWritten(_ descriptor: Int32) -> Bool? {
    #if os(Linux)
      let (setLease, setSignal): (Int32, Int32) = (1024, 10)
      // By default, the signal that the kernel sends to a lease holder would end the program.
      guard fcntl(descriptor, setSignal, SIGURG) == 0 else { return nil }
      guard fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 else {
        return errno == EAGAIN ? true : nil
      }
      _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
      return false
    #else
      return nil
    #endif
  }
}

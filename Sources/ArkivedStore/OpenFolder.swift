import ArkivedCore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open folder whose files are reached only through it.
///
/// Another program may replace a folder with a link at any time, so checking a path before using it
/// isn't enough. All calls here are relative to the open folder and follow no links.
package final class OpenFolder {
  /// The folder's path when it was opened, for messages.
  package let url: URL
  private let descriptor: Int32

  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  /// Opens a folder; links in its path are followed.
  ///
  /// - Throws: `POSIXFailure`.
  package init(_ url: URL) throws {
    self.url = url
    descriptor = try DurableFile.retrying(url) { open(url.path, OpenFolder.flags) }
  }

  private init(_ name: String, in parent: OpenFolder) throws {
    let url = parent.url.appendingPathComponent(name, isDirectory: true)
    let (outer, flags) = (parent.descriptor, OpenFolder.flags | O_NOFOLLOW)
    self.url = url
    descriptor = try DurableFile.retrying(url) { openat(outer, name, flags) }
  }

  deinit { close(descriptor) }

  /// Opens a folder in this one.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - isCreated: true to create it, durably and only for this user, if it doesn't exist.
  /// - Returns: the folder.
  /// - Throws: `POSIXFailure`, also if it's a link.
  package func folder(_ name: String, isCreated: Bool = false) throws -> OpenFolder {
    try check(name)
    let found: OpenFolder
    do {
      found = try OpenFolder(name, in: self)
    } catch let failure as POSIXFailure where failure.code == ENOENT && isCreated {
      if mkdirat(descriptor, name, 0o700) != 0 {
        let code = errno
        guard code == EEXIST else { throw POSIXFailure(path: path(of: name), code: code) }
      }
      found = try OpenFolder(name, in: self)
    }
    // A program that created it may have stopped before its name was flushed.
    if isCreated { try synchronise() }
    return found
  }

  /// The sorted names of all files and folders in it, except names that aren't UTF-8.
  package var names: [String] {
    // `closedir` closes its descriptor too.
    let copy = openat(descriptor, ".", OpenFolder.flags)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns true if there is a regular file with a name.
  package func has(_ name: String) -> Bool { regularFile(name) != nil }

  private func regularFile(_ name: String) -> stat? {
    var status = stat()
    guard (try? check(name)) != nil, fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return status
  }

  /// Opens a regular file for reading, without waiting for a pipe's writer.
  ///
  /// - Returns: the file and its size in bytes; nil if it doesn't exist or isn't a regular file.
  package func file(_ name: String) -> (handle: FileHandle, size: Int)? {
    guard (try? check(name)) != nil else { return nil }
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (handle, Int(status.st_size))
  }

  /// Removes a file or a link, never what is behind a link or in a folder.
  package func remove(_ name: String) {
    guard (try? check(name)) != nil else { return }
    unlinkat(descriptor, name, 0)
  }

  /// Writes a file piece by piece, completely or not at all.
  ///
  /// It replaces a file or a link of that name.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - body: receives a function that appends to the file.
  /// - Throws: what `body` throws, `POSIXFailure` if the file can't be written.
  package func write(
    _ name: String, _ body: (_ append: (Data) throws -> Void) throws -> Void
  ) throws {
    try check(name)
    let target = url.appendingPathComponent(name, isDirectory: false)
    let temporary = "\(IncomingFile.prefix)\(UUID().uuidString)"
    let file = try DurableFile.retrying(target) {
      openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    do {
      defer { close(file) }
      try body { piece in try DurableFile.append(piece, to: file, target) }
      _ = try DurableFile.retrying(target) { flushToDisk(file) }
      _ = try DurableFile.retrying(target) { renameat(descriptor, temporary, descriptor, name) }
    } catch {
      unlinkat(descriptor, temporary, 0)
      throw error
    }
    try synchronise()
  }

  /// Removes the temporary files that killed programs left in it.
  ///
  /// A file less than a day old may belong to a program that is still running; no program takes
  /// longer than that.
  package func removeAbandoned() {
    let now = Int(Date().timeIntervalSince1970)
    // A UUID follows the prefix.
    let length = IncomingFile.prefix.count + 36
    for name in names where name.hasPrefix(IncomingFile.prefix) && name.count == length {
      guard let status = regularFile(name) else { continue }
      #if canImport(Darwin)
        let changed = Int(status.st_mtimespec.tv_sec)
      #else
        let changed = Int(status.st_mtim.tv_sec)
      #endif
      if now - changed > 86_400 { remove(name) }
    }
  }

  private func synchronise() throws {
    try DurableFile.toleratingUnflushable {
      _ = try DurableFile.retrying(url) { flushToDisk(descriptor) }
    }
  }

  /// Throws if a name could lead out of the folder.
  private func check(_ name: String) throws {
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else {
      throw POSIXFailure(path: path(of: name), code: EINVAL)
    }
  }

  private func path(of name: String) -> String { "\(url.path)/\(name)" }
}

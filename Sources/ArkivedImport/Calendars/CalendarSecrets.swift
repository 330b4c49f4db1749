import ArkivedCore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calendars' secrets, keyed by link, in a file that only its owner can read.
package struct CalendarSecrets: Sendable {
  package static let fileName = "secrets.json"
  private static let largestFile = 1 << 20

  package let file: URL

  /// Creates a store of secrets.
  ///
  /// - Parameter file: `secrets.json` in the archive's folder.
  package init(file: URL) { self.file = file }

  /// Returns the credentials of a link.
  ///
  /// - Returns: `.none` if nothing is stored for the link.
  /// - Throws: `FieldError` with the file's name and the problem, but never its contents.
  package func read(_ link: UUID) throws -> CalendarCredentials {
    guard let kept = try all()[link.uuidString] else { return .none }
    guard let credentials = CalendarCredentials(kept) else {
      throw wrong(
        "has no name and password or token for this calendar. Enter them again")
    }
    return credentials
  }

  /// Stores a link's credentials durably; `.none` removes them.
  package func write(_ credentials: CalendarCredentials, for link: UUID) throws {
    try withFolderLocked {
      var kept = try all()
      guard credentials.json != kept[link.uuidString] else { return }
      kept[link.uuidString] = credentials.json
      try save(kept)
    }
  }

  package func remove(_ link: UUID) throws { try write(.none, for: link) }

  // MARK: The file

  private func wrong(_ problem: String) -> FieldError { FieldError(file.path, problem) }

  private func failure() -> FieldError {
    wrong("can’t be used: \(String(cString: strerror(errno)))")
  }

  private func all() throws -> JSONObject {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [:] }
      throw failure()
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largestFile else {
      throw wrong("isn’t a valid secrets file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw wrong(
        "can be read by others. Change the passwords in it, then make it private: chmod 600 "
          + "\(Self.fileName)")
    }
    // The parser's error could reveal part of the content.
    guard let data = try? handle.readToEnd() ?? Data(), let json = try? JSON(parsing: data),
      let object = json.object
    else { throw wrong("isn’t valid JSON. Restore a copy of it or remove it") }
    return object
  }

  private func save(_ kept: JSONObject) throws {
    let folder = file.deletingLastPathComponent()
    let temporary = folder.appendingPathComponent(".incoming-\(UUID().uuidString)")
    let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    do {
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      do {
        try handle.write(contentsOf: Data((JSON.object(kept).text(indented: true) + "\n").utf8))
      } catch {
        throw wrong("can’t be written. Is the disk full?")
      }
      guard flushToDisk(descriptor) == 0, rename(temporary.path, file.path) == 0 else {
        throw failure()
      }
    } catch {
      unlink(temporary.path)
      throw error
    }
    let opened = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { return }
    defer { close(opened) }
    // Not every file system can flush a folder.
    guard fsync(opened) == 0 || [EINVAL, ENOTSUP].contains(errno) else { throw failure() }
  }

  /// Runs a closure while others that read, change or write the file wait, in this process and in
  /// others.
  private func withFolderLocked(_ body: () throws -> Void) throws {
    let descriptor = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    // Closing the file releases the lock.
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { throw failure() } }
    try body()
  }
}

import ArkivedCore
import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A draft that this process is working on, locked against others.
struct OpenDraft {
  let draft: Draft
  /// The file for the editor.
  let file: URL
  /// The open record, which holds the lock until it is closed.
  fileprivate let descriptor: Int32

  /// Returns true if the text is byte for byte as the editor received it.
  func isUntouched() throws -> Bool {
    FileManager.default.contents(atPath: file.path) == Data(draft.original.utf8)
  }

  /// The location of the text, as part of a sentence for the owner.
  var keptSentence: String {
    said(
      "The text is kept in \(file.path). To continue with it: `arkived drafts recover \(draft.name)`"
    )
  }

  /// Returns the current text; nil if the file no longer exists.
  ///
  /// - Throws: `CommandFailure` if it isn't UTF-8.
  func text() throws -> String? {
    guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure(.badInput, said("The text isn’t valid UTF-8."))
    }
    return text
  }
}

/// The drafts of an archive while an editor works on them.
struct DraftFolder {
  private let files: DraftFiles

  init(
    _ location: ArchiveLocation,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    files = DraftFiles(location, environment: environment)
  }

  private var url: URL { files.folder }

  /// Writes a new draft for the editor to open.
  func begin(_ draft: Draft) throws -> OpenDraft {
    guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else { throw failure(url) }
    // Other users must not have access, and a folder created by somebody else can't be trusted.
    var status = stat()
    guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid(), chmod(url.path, 0o700) == 0
    else { throw failure(url) }
    let record = files.record(draft.name)
    let descriptor = try write(draft.json.text(), to: record)
    guard flock(descriptor, LOCK_EX) == 0 else { throw failure(record) }
    let file = files.text(draft.name)
    close(try write(draft.original, to: file))
    return OpenDraft(draft: draft, file: file, descriptor: descriptor)
  }

  /// Stores a text without an editor, durably.
  func keep(_ text: String, as draft: Draft) throws -> OpenDraft {
    let open = try begin(draft)
    do {
      try DurableFile.write(Data(text.utf8), to: open.file)
    } catch {
      release(open)
      throw error
    }
    return open
  }

  /// Returns the drafts that are not in use.
  ///
  /// A draft without any typed text is removed.
  func unfinished() -> [Draft] {
    files.names.filter { $0.hasSuffix(".json") }.compactMap { name in
      guard let open = take(String(name.dropLast(5))) else { return nil }
      // An editor's own recovery file may contain the typed text.
      let hasCompanions = files.companions(of: open.draft.name).count > 2
      if !hasCompanions, (try? open.isUntouched()) == true {
        finish(open)
        return nil
      }
      release(open)
      return open.draft
    }
  }

  /// Opens an unfinished draft; nil if it doesn't exist, or if another process holds it.
  func take(_ name: String) -> OpenDraft? {
    let record = files.record(name)
    let descriptor = open(record.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      let data = FileManager.default.contents(atPath: record.path),
      let json = try? JSON(parsing: String(decoding: data, as: UTF8.self)), let draft = Draft(json),
      draft.name == name
    else {
      close(descriptor)
      return nil
    }
    return OpenDraft(draft: draft, file: files.text(name), descriptor: descriptor)
  }

  /// Releases a draft, which is kept.
  func release(_ open: OpenDraft) { close(open.descriptor) }

  /// Removes a draft and the editor's files next to it.
  func finish(_ open: OpenDraft) {
    for name in files.companions(of: open.draft.name) {
      unlink(url.appendingPathComponent(name).path)
    }
    close(open.descriptor)
  }

  /// Writes a new private file durably and leaves it open.
  private func write(_ text: String, to file: URL) throws -> Int32 {
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(file) }
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      guard count >= 0 || errno == EINTR else {
        let problem = failure(file)
        close(descriptor)
        throw problem
      }
      written += max(0, count)
    }
    guard fsync(descriptor) == 0 else {
      let problem = failure(file)
      close(descriptor)
      throw problem
    }
    return descriptor
  }

  private func failure(_ file: URL) -> CommandFailure {
    CommandFailure(
      .cannotCreate, said("\(file.path) can’t be written: \(String(cString: strerror(errno)))."))
  }
}

import ArkivedCore
import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The text piped into a command.
enum StandardInput {
  /// Reads standard input.
  ///
  /// - Throws: an error if it isn't UTF-8.
  static func text() throws -> String {
    let data = FileHandle.standardInput.readDataToEndOfFile()
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure(
        .badInput, said("Standard input isn’t UTF-8 text. Nothing was saved."))
    }
    return text.trimmingCharacters(in: .newlines)
  }

  /// The time between two checks for Ctrl-C, in milliseconds.
  private static let patience: Int32 = 50

  /// Reads a line that answers a question.
  ///
  /// Once `Interrupt` detects signals, Ctrl-C no longer ends the program, nor does it end reading.
  ///
  /// - Returns: the line without its line break; nil at the end of the input.
  /// - Throws: `CommandFailure` (interrupted) if Ctrl-C was pressed.
  static func answer() throws -> String? {
    // Only a terminal passes on single lines; of other input, the next one may already be read.
    guard isatty(STDIN_FILENO) == 1 else { return readLine() }
    var slot = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    var isThere = false
    while !isThere {
      isThere = poll(&slot, 1, patience) > 0
      guard !Interrupt.hasCome else { throw CommandFailure(.interrupted, said("Cancelled.")) }
    }
    return readLine()
  }

  /// True if a person can read and type at a terminal.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }
}

/// A file to attach to an entry.
struct AttachableFile {
  let url: URL

  /// Checks a path.
  ///
  /// - Throws: `CommandFailure` with the reason that the path isn't a file that can be attached.
  init(path: String) throws {
    url = URL(fileURLWithPath: HomeFolder.expandingTilde(path))
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      let reason =
        errno == ENOENT ? said("file not found") : String(cString: strerror(errno))
      throw CommandFailure(.noInput, said("Couldn’t attach \(path.prefix(300)): \(reason)."))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure(
        .noInput,
        said("Couldn’t attach \(path.prefix(300)): not a regular file."))
    }
    guard access(url.path, R_OK) == 0 else {
      throw CommandFailure(
        .noInput,
        said("Couldn’t attach \(path.prefix(300)): \(String(cString: strerror(errno)))."))
    }
  }

  func store(in archive: Archive) throws -> Attachment {
    let now = archive.clock.now
    let content = try Data(contentsOf: url, options: .mappedIfSafe)
    let media = MediaType(sniffing: content, fileName: url.lastPathComponent)
    return try archive.store(
      content,
      as: Attachment(
        id: archive.identities.next(), type: media.attachmentType, mediaType: media.name,
        originalName: url.lastPathComponent, createdAt: now, updatedAt: now))
  }
}

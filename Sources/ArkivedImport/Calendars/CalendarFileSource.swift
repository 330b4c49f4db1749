package import ArkivedCore
package import Foundation

/// A single iCalendar file, passed on as a whole when it has changed.
///
/// A missing file is an error, because an unmounted disk must not delete meetings.
package struct CalendarFileSource: CalendarSource {
  package let url: URL
  /// The maximum size of the file, in bytes.
  package var limit = 256 << 20
  /// The time to wait for a file that is being written.
  package var patience = Duration.seconds(5)

  package init(url: URL) { self.url = url }

  package var name: String { url.lastPathComponent }

  @concurrent package func fetch(
    known: [String: String], state: JSON?, into sink: any CalendarSink
  ) async throws -> JSON? {
    let last = FileMemory(state)
    let scratch = ScratchFolder()
    let deadline = ContinuousClock.now + patience
    while true {
      let stamp = try FileStamp(at: url.path)
      if last.isUnchanged(name, stamp, version: known[name]) { return state }
      let outcome = try FileSnapshot.read(
        url.path, limit: limit, patience: patience, scratch: scratch.url)
      switch outcome {
      case .whole(let file):
        defer { file.discard() }
        var memory = FileMemory()
        let isTaken = known[name].flatMap(FileMemory.hash) != Substring(file.hash)
        if isTaken {
          try await sink.take(
            CalendarResource(name: name, version: file.version, content: file.content))
        }
        try await sink.progress(1, of: 1)
        memory.note(name, file, version: known[name], isTaken: isTaken)
        return memory.json
      case .isCut: throw CalendarSourceError.incomplete(path: url.path)
      case .isBeingWritten:
        guard ContinuousClock.now < deadline else {
          throw CalendarSourceError.incomplete(path: url.path)
        }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }
}

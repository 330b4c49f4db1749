package import ArkivedCore
package import Foundation

/// All iCalendar files in a folder and its subfolders, such as those that vdirsyncer keeps, with
/// one event in each file.
package struct CalendarFolderSource: CalendarSource {
  package let url: URL
  /// The maximum size of a file, in bytes.
  package var limit = 256 << 20
  /// The total time to wait for files that are being written.
  package var patience = Duration.seconds(5)

  package init(url: URL) { self.url = url }

  @concurrent package func fetch(
    known: [String: String], state: JSON?, into sink: any CalendarSink
  ) async throws -> JSON? {
    let listing = try CalendarFolderListing(url.path)
    guard !listing.files.isEmpty || known.keys.allSatisfy(listing.isClosed) else {
      throw CalendarSourceError.emptied(path: url.path)
    }
    for (place, reason) in listing.closed.sorted(by: { $0.key < $1.key }) {
      await sink.warn(
        place, "can’t be read: \(reason). What was imported from there stays as it is.")
    }
    let names = Set(listing.files.map(\.name))
    for name in known.keys.sorted() where !names.contains(name) && !listing.isClosed(name) {
      try await sink.remove(name)
    }
    var run = Run(source: self, known: known, last: FileMemory(state), total: names.count)
    for name in known.keys where listing.isClosed(name) { run.memory.keep(name, from: run.last) }
    var waiting: [CalendarFolderListing.File] = []
    for file in listing.files {
      try Task.checkCancellation()
      if try await !run.read(file, into: sink) { waiting.append(file) }
    }
    let deadline = ContinuousClock.now + patience
    while !waiting.isEmpty, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(100))
      var still: [CalendarFolderListing.File] = []
      for file in waiting where try await !run.read(file, into: sink) { still.append(file) }
      waiting = still
    }
    for file in waiting {
      await run.leave(file.name, .incomplete(path: file.name), sink)
    }
    try await sink.progress(names.count, of: names.count)
    return run.memory.json
  }

  /// A single fetch.
  private struct Run {
    let source: CalendarFolderSource
    let known: [String: String]
    let last: FileMemory
    let total: Int
    var memory = FileMemory()
    var done = 0
    let scratch = ScratchFolder()

    init(source: CalendarFolderSource, known: [String: String], last: FileMemory, total: Int) {
      self.source = source
      self.known = known
      self.last = last
      self.total = total
    }

    /// Reads a file.
    ///
    /// - Returns: false if the file is being written.
    mutating func read(
      _ file: CalendarFolderListing.File, into sink: any CalendarSink
    ) async throws -> Bool {
      let version = known[file.name]
      if last.isUnchanged(file.name, file.stamp, version: version) {
        memory.keep(file.name, from: last)
        try await count(sink)
        return true
      }
      let outcome: FileSnapshot.Outcome
      do {
        outcome = try FileSnapshot.read(
          file.path, limit: source.limit, patience: source.patience, scratch: scratch.url)
      } catch let error as CalendarSourceError {
        await leave(file.name, error, sink)
        try await count(sink)
        return true
      }
      switch outcome {
      case .isBeingWritten: return false
      case .isCut: await leave(file.name, .incomplete(path: file.name), sink)
      case .whole(let snapshot):
        defer { snapshot.discard() }
        let isTaken = version.flatMap(FileMemory.hash) != Substring(snapshot.hash)
        if isTaken {
          try await sink.take(
            CalendarResource(
              name: file.name, version: snapshot.version, content: snapshot.content))
        }
        memory.note(file.name, snapshot, version: version, isTaken: isTaken)
      }
      try await count(sink)
      return true
    }

    /// Keeps the previous state of a file that can't be used.
    mutating func leave(
      _ name: String, _ error: CalendarSourceError, _ sink: any CalendarSink
    ) async {
      memory.keep(name, from: last)
      await sink.warn(name, error.description)
    }

    private mutating func count(_ sink: any CalendarSink) async throws {
      done += 1
      if done.isMultiple(of: 64) { try await sink.progress(done, of: total) }
    }
  }
}

/// The calendar files in a folder and its subfolders, sorted by name.
///
/// Hidden and temporary files are skipped. A folder reached twice counts once, so links can't form
/// a cycle.
struct CalendarFolderListing {
  struct File {
    /// The path below the folder.
    let name: String
    let path: String
    let stamp: FileStamp
  }

  private static let endings = [".ics", ".ical", ".ifb", ".icalendar"]
  private static let deepest = 64

  private(set) var files: [File] = []
  /// The subfolders that were listed.
  private(set) var folders: [String] = []
  /// The folders and files that can't be read, with the reason.
  private(set) var closed: [String: String] = [:]
  private var visited: Set<[UInt64]> = []

  /// Lists a folder.
  ///
  /// - Throws: `CalendarSourceError` if the folder itself can't be read.
  init(_ folder: String) throws {
    let stamp = try FileStamp(at: folder)
    guard stamp.isFolder else {
      throw CalendarSourceError.unreadable(path: folder, reason: "not a folder")
    }
    visited.insert(stamp.place)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw CalendarSourceError.unreadable(path: folder, reason: Self.reason(error))
    }
    try walk(names, in: folder, prefix: "", depth: 0)
  }

  /// Returns true if a name is in an unreadable folder.
  func isClosed(_ name: String) -> Bool {
    guard !closed.isEmpty else { return false }
    return closed[name] != nil
      || name.indices.contains { name[$0] == "/" && closed[String(name[..<$0])] != nil }
  }

  private mutating func walk(
    _ names: [String], in folder: String, prefix: String, depth: Int
  ) throws {
    for entry in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      try Task.checkCancellation()
      guard !entry.hasPrefix("."), !entry.hasPrefix("~"), !entry.hasPrefix("#") else { continue }
      let name = prefix + entry
      let path = folder + "/" + entry
      let isCalendar = Self.endings.contains { entry.lowercased().hasSuffix($0) }
      let stamp: FileStamp
      do throws(CalendarSourceError) {
        stamp = try FileStamp(at: path)
      } catch {
        // The file was removed just now, or is a link to something missing, such as an unmounted
        // disk.
        var isLink = false
        if case .missing = error {
          isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        }
        if isLink {
          closed[name] = "it links to something that doesn’t exist"
        } else if case .unreadable(_, let reason) = error {
          closed[name] = reason
        }
        continue
      }
      if stamp.isFile, isCalendar {
        files.append(File(name: name, path: path, stamp: stamp))
      } else if stamp.isFolder {
        guard depth < Self.deepest, visited.insert(stamp.place).inserted else { continue }
        do {
          let inner = try FileManager.default.contentsOfDirectory(atPath: path)
          folders.append(path)
          try walk(inner, in: path, prefix: name + "/", depth: depth + 1)
        } catch let error as CancellationError {
          throw error
        } catch {
          closed[name] = Self.reason(error)
        }
      }
    }
  }

  private static func reason(_ error: any Error) -> String {
    let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
    return code.map { String(cString: strerror(Int32($0))) } ?? "\(error)"
  }
}

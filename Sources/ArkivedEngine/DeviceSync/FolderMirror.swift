import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Copies files between a shared folder on a WebDAV server and a local copy of it.
///
/// Devices use the copy like any other shared folder. The server may delay, truncate or lose files,
/// like any other service that transfers a folder. The copy contains attachment files only while
/// they are being transferred; otherwise an empty file replaces each.
struct FolderMirror: Sendable {
  /// The folder for all such copies, in the archive's folder.
  static let folderName = "device-sync"

  let home: URL
  let address: String
  let credentials: CalendarCredentials

  private func file(_ path: String) -> URL { home.appendingPathComponent(path) }

  /// The size and date of a local file; nil if it doesn't exist.
  private func fingerprint(of path: String) -> String? {
    guard
      let found = try? FileManager.default.attributesOfItem(atPath: file(path).path),
      let size = found[.size] as? Int, let date = found[.modificationDate] as? Date,
      found[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return "\(size) \(date.timeIntervalSince1970)"
  }

  private func size(of path: String) -> Int? {
    fingerprint(of: path).flatMap { Int($0.prefix { $0 != " " }) }
  }

  private func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: file(path).path)) ?? []).sorted()
      .filter { !$0.hasPrefix(".") }
  }

  /// Creates a folder and its parents, which only their owner may read.
  func makeFolder(_ url: URL) throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Writes a file that only its owner may read.
  func write(_ content: Data, to url: URL) throws {
    try DurableFile.write(to: url, isFlushed: false) { append in try append(content) }
  }

  func opened() async throws -> WebDAVFolder {
    try await WebDAVFolder(address, credentials: credentials)
  }

  // MARK: Downloads

  /// Fetches new files from a group's folder.
  ///
  /// - Throws: `WebDAVFailure`; files fetched until then are kept.
  func bring(_ circle: String, own: String) throws {
    try Blocking.run { try await bring("arkived-\(circle)", own, from: try await opened()) }
  }

  private func bring(_ circle: String, _ own: String, from server: WebDAVFolder) async throws {
    guard let devices = try await server.list(circle) else {
      throw WebDAVFailure(.missing, server.place + circle, status: 404)
    }
    var index = readIndex()
    defer { try? write(index) }
    if !devices.contains(where: { $0.name == own }) {
      // Another program removed it on the server.
      for name in index.stored.keys where name.hasPrefix("\(circle)/\(own)/") {
        index.stored[name] = nil
        index.marks[name] = nil
      }
    }
    var room = Room()
    for device in devices where device.isFolder && device.name.count == 16 {
      let path = "\(circle)/\(device.name)"
      if device.name == own {
        try await compare(path, server, &index)
      } else {
        try await bring(device: path, server, &index, &room)
      }
    }
  }

  private func bring(
    device path: String, _ server: WebDAVFolder, _ index: inout Index, _ room: inout Room
  ) async throws {
    guard var list = try await server.list(path) else { return }
    try makeFolder(file(path))
    // Everything that a head announces is in a list that was read after it.
    if let head = list.first(where: { $0.name == SharedFolder.head }),
      try await fetchHead("\(path)/\(head.name)", head, server, &index)
    {
      list = try await server.list(path) ?? list
    }
    list = list.filter {
      $0.isFolder ? $0.name == DeviceSyncJob.files : SharedFolder.isOurs($0.name)
    }
    for entry in list where !entry.isFolder && entry.name != SharedFolder.head {
      _ = try await fetch("\(path)/\(entry.name)", entry, server, &index)
      try room.use(size(of: "\(path)/\(entry.name)") ?? 0, from: server.place)
    }
    removeGone(path, Set(list.map(\.name)), &index)
    let shelf = "\(path)/\(DeviceSyncJob.files)"
    guard list.contains(where: \.isFolder),
      let files = try await server.list(shelf)?.filter({
        !$0.isFolder && SharedFolder.isAttachment($0.name)
      })
    else { return }
    try makeFolder(file(shelf))
    for entry in files where size(of: "\(shelf)/\(entry.name)") == nil {
      try write(Data(), to: file("\(shelf)/\(entry.name)"))
    }
    removeGone(shelf, Set(files.map(\.name)), &index)
  }

  /// Fetches a head, even if its mark is the same as before.
  ///
  /// Heads are replaced and mostly have the same size, and the marks of many servers consist of the
  /// size and the time in seconds.
  ///
  /// - Returns: true if it is a new one.
  private func fetchHead(
    _ path: String, _ entry: WebDAVFolder.Entry, _ server: WebDAVFolder, _ index: inout Index
  ) async throws -> Bool {
    let before = try? Data(contentsOf: file(path))
    index.marks[path] = nil
    guard try await fetch(path, entry, server, &index) else { return false }
    return try Data(contentsOf: file(path)) != before
  }

  /// Fetches a file unless it is already here or is larger than any file of ours.
  ///
  /// - Returns: true if it was fetched.
  private func fetch(
    _ path: String, _ entry: WebDAVFolder.Entry, _ server: WebDAVFolder, _ index: inout Index
  ) async throws -> Bool {
    let isHere = size(of: path).map { size in entry.size.map { $0 == size } ?? true } ?? false
    let limit = SealedFile.largest(named: entry.name)
    guard !isHere || index.marks[path] != entry.mark, entry.size ?? 0 <= limit else { return false }
    do {
      try await server.fetch(
        path, entry, to: file(path), limit: try room(for: entry.size, limit: limit))
    } catch let failure as WebDAVFailure where failure.kind == .missing {
      // It was removed in the meantime.
      return false
    }
    index.marks[path] = entry.mark
    return true
  }

  private func removeGone(_ path: String, _ kept: Set<String>, _ index: inout Index) {
    for name in names(in: path) where !kept.contains(name) {
      try? FileManager.default.removeItem(at: file("\(path)/\(name)"))
      index.marks["\(path)/\(name)"] = nil
    }
  }

  /// Compares this device's files on the server with those it uploaded.
  ///
  /// Files that another device wrote there are fetched, so that a copy of this archive is noticed.
  /// Files that are missing or have a different size are uploaded again.
  private func compare(
    _ path: String, _ server: WebDAVFolder, _ index: inout Index
  ) async throws {
    guard let list = try await server.list(path) else { return }
    try makeFolder(file(path))
    for entry in list where !entry.isFolder && SharedFolder.isOurs(entry.name) {
      let name = "\(path)/\(entry.name)"
      let limit = SealedFile.largest(named: entry.name)
      let mark = index.marks[name]
      // Files that were removed locally are removed from the server later.
      let isRemoved = size(of: name) == nil && index.stored[name] != nil
      guard mark != entry.mark, !isRemoved else { continue }
      let isWhole = entry.size.map { $0 == size(of: name) } ?? true
      if mark == nil, index.stored[name] != nil, isWhole {
        index.marks[name] = entry.mark
      } else if size(of: name) != nil, entry.name != SharedFolder.head, mark == nil || !isWhole {
        // Either the upload was truncated, or `store` finds out who wrote it.
        index.stored[name] = nil
      } else if entry.size ?? 0 <= limit {
        try await server.fetch(
          name, entry, to: file(name), limit: try room(for: entry.size, limit: limit))
        index.marks[name] = entry.mark
        index.stored[name] = fingerprint(of: name)
      }
    }
    let there = Set(list.map { "\(path)/\($0.name)" })
    for name in index.stored.keys
    where name.hasPrefix(path + "/") && !name.contains("/\(DeviceSyncJob.files)/")
      && !there.contains(name) && size(of: name) != nil
    {
      index.stored[name] = nil
      index.marks[name] = nil
    }
  }

  /// Fetches the invitations of all groups that a code belongs to.
  ///
  /// - Throws: `WebDAVFailure`.
  func bringInvitations(_ name: String) throws {
    try Blocking.run {
      let server = try await opened()
      guard let circles = try await server.list("") else {
        throw WebDAVFailure(.missing, server.place, status: 404)
      }
      for circle in circles where circle.isFolder && circle.name.hasPrefix("arkived-") {
        for device in try await server.list(circle.name) ?? [] where device.isFolder {
          let path = "\(circle.name)/\(device.name)"
          guard let entry = try await server.list(path)?.first(where: { $0.name == name }),
            entry.size ?? 0 < 10_000
          else { continue }
          try makeFolder(file(path))
          try await server.fetch(
            "\(path)/\(name)", entry, to: file("\(path)/\(name)"), limit: 10_000)
        }
      }
    }
  }

  // MARK: Uploads

  /// Uploads the files that this device wrote and deletes those it removed.
  ///
  /// - Parameters:
  ///   - circle: the group.
  ///   - own: this device.
  ///   - isFirst: true to create the group's folder.
  /// - Throws: `WebDAVFailure`; files uploaded until then stay uploaded.
  func send(_ circle: String, own: String, isFirst: Bool = false) throws {
    let path = "arkived-\(circle)/\(own)"
    let known = readIndex()
    let unsent = unsent(path, known).filter { name in
      fingerprint(of: name).map { !known.isRefused(name, $0) } ?? true
    }
    let stored = known.stored.keys.filter { $0.hasPrefix(path + "/") }
    let gone = stored.filter { size(of: $0) == nil }
    guard !unsent.isEmpty || !gone.isEmpty || isFirst else { return }
    try Blocking.run {
      var index = known
      let server = try await opened()
      defer { try? write(index) }
      if isFirst { try await server.makeFolder("arkived-\(circle)") }
      if stored.isEmpty { try await server.makeFolder(path) }
      if unsent.contains(where: { $0.contains("/\(DeviceSyncJob.files)/") }) {
        try await server.makeFolder("\(path)/\(DeviceSyncJob.files)")
      }
      var first: WebDAVFailure?
      for name in unsent {
        do {
          try await store(name, server, &index)
          index.refused[name] = nil
        } catch let failure as WebDAVFailure where failure.kind == .tooLarge {
          // The other files are uploaded all the same.
          first = first ?? failure
          if let print = fingerprint(of: name) { index.refuse(name, print) }
        }
      }
      for name in gone {
        try await server.remove(name)
        index.stored[name] = nil
        index.marks[name] = nil
        index.refused[name] = nil
      }
      if let first { throw first }
    }
  }

  /// Returns this device's files whose current version isn't on the server: the log, the head that
  /// announces it, then attachments.
  private func unsent(_ path: String, _ index: Index) -> [String] {
    let shelf = "\(path)/\(DeviceSyncJob.files)"
    let own = names(in: path).filter { $0 != SharedFolder.head && $0 != DeviceSyncJob.files }
      .map { "\(path)/\($0)" }
    let files = names(in: shelf).map { "\(shelf)/\($0)" }.filter { size(of: $0) ?? 0 > 0 }
    return (own + ["\(path)/\(SharedFolder.head)"] + files).filter { name in
      guard let print = fingerprint(of: name) else { return false }
      return index.stored[name] != print
    }
  }

  /// Returns the number of this device's files that aren't on the server yet.
  func unsentCount(_ circle: String, own: String) -> Int {
    unsent("arkived-\(circle)/\(own)", readIndex()).count
  }

  private func store(
    _ name: String, _ server: WebDAVFolder, _ index: inout Index
  ) async throws {
    guard let print = fingerprint(of: name) else { return }
    let isNew = index.stored[name] == nil
    if try await !server.store(file(name), as: name, isNew: isNew) {
      // An upload whose response was lost, or another device with this device's keys.
      guard try await isOurs(name, server) else { return }
      _ = try await server.store(file(name), as: name, isNew: false)
    }
    guard name.contains("/\(DeviceSyncJob.files)/") else {
      index.stored[name] = print
      index.marks[name] = nil
      return
    }
    let folder = String(name[..<(name.lastIndex(of: "/") ?? name.endIndex)])
    let entry = try await server.list(folder)?.first { name.hasSuffix("/\($0.name)") }
    guard let entry, entry.size.map({ print.hasPrefix("\($0) ") }) ?? true else {
      throw WebDAVFailure(.unusable, server.place)
    }
    try write(Data(), to: file(name))
    index.stored[name] = print
  }

  /// Returns true if the server's file is the beginning of the local one.
  ///
  /// Otherwise the server's file replaces the local one, and the next exchange sees that another
  /// copy of this archive wrote it.
  private func isOurs(_ name: String, _ server: WebDAVFolder) async throws -> Bool {
    guard !name.contains("/\(DeviceSyncJob.files)/"), !name.hasSuffix("/\(SharedFolder.head)")
    else { return true }
    let folder = String(name[..<(name.lastIndex(of: "/") ?? name.endIndex)])
    guard
      let entry = try await server.list(folder)?.first(where: { name.hasSuffix("/\($0.name)") }),
      entry.size ?? 0 <= SealedFile.largest(named: entry.name)
    else { return true }
    let other = home.appendingPathComponent(".other")
    try await server.fetch(
      name, entry, to: other, limit: SealedFile.largest(named: entry.name))
    let (there, here) = (try Data(contentsOf: other), try Data(contentsOf: file(name)))
    guard !here.starts(with: there) else { return true }
    try write(there, to: file(name))
    return false
  }

  // MARK: Files of attachments

  /// Fetches a file whose place is taken by an empty file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the largest size it can have, in bytes; a larger one isn't fetched.
  /// - Throws: `WebDAVFailure`.
  func fetch(file path: String, limit: Int?) throws {
    guard size(of: path) == 0 else { return }
    try Blocking.run {
      let server = try await opened()
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
      guard
        let entry = try await server.list(folder)?.first(where: { path.hasSuffix("/\($0.name)") })
      else { return }
      if let limit, entry.size ?? 0 > limit { return }
      try await server.fetch(
        path, entry, to: file(path), limit: try room(for: entry.size, limit: limit ?? .max))
    }
  }

  /// Replaces a fetched file with an empty one.
  func drop(file path: String) { try? write(Data(), to: file(path)) }
}

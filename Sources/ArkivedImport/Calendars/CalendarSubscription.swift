package import ArkivedCore
import ArkivedCrypto
package import Foundation
import NIOCore
import NIOHTTP1

/// A calendar whose address returns the whole calendar as one iCalendar text:
/// `webcal://…/basic.ics`.
package struct CalendarSubscription: CalendarSource {
  package let url: URL
  package let credentials: CalendarCredentials
  /// The folder for the text's cached copy, which can be deleted at any time.
  package let cacheFolder: URL
  /// The maximum size of the text, in bytes.
  package var limit = 256 << 20
  /// The time limit of a fetch.
  package var patience = Duration.seconds(600)
  /// True if the name and password may be sent over an unencrypted connection.
  package var allowsPlainHTTP = false
  package var network = CalendarNetwork.system

  package static let name = "calendar.ics"

  package init(url: URL, credentials: CalendarCredentials = .none, cacheFolder: URL) {
    self.url = url
    self.credentials = credentials
    self.cacheFolder = cacheFolder
  }

  @concurrent package func fetch(
    known: [String: String], state: JSON?, into sink: any CalendarSink
  ) async throws -> JSON? {
    let address = try CalendarAddress(url)
    // The path of a private calendar is its secret.
    let place = address.shownShort
    return try await FetchDeadline.run(patience, place: place) {
      let client = try await CalendarClient(
        address, credentials: credentials, allowsPlainHTTP: allowsPlainHTTP, network: network,
        place: place)
      return try await fetch(address, client, known[Self.name], state, into: sink)
    }
  }

  private func fetch(
    _ address: CalendarAddress, _ client: CalendarClient, _ version: String?, _ state: JSON?,
    into sink: any CalendarSink
  ) async throws -> JSON? {
    var request = CalendarClient.Request(address: address, leavesHost: true)
    request.headers = [("Accept", "text/calendar, */*;q=0.5")]
    // The condition is valid only for content that the archive has, and whose copy is still there.
    let copy = cacheFolder.appendingPathComponent(Self.name).path
    if version != nil, let state, FileManager.default.fileExists(atPath: copy) {
      if let tag = state["etag"]?.string { request.headers.append(("If-None-Match", tag)) }
      if let date = state["modified"]?.string {
        request.headers.append(("If-Modified-Since", date))
      }
    }
    request.mayBePacked = true
    do {
      return try await take(request, client, version, state, into: sink)
    } catch is CalendarClient.Unpacking {
      request.mayBePacked = false
    }
    do {
      return try await take(request, client, version, state, into: sink)
    } catch is CalendarClient.Unpacking {
      throw CalendarSourceError.unusableAnswer(
        place: client.place, reason: "it’s compressed incorrectly")
    }
  }

  private func take(
    _ request: CalendarClient.Request, _ client: CalendarClient, _ version: String?, _ state: JSON?,
    into sink: any CalendarSink
  ) async throws -> JSON? {
    let answer = try await client.send(request)
    if answer.status == 304, version != nil { return state }
    guard answer.status == 200 else { throw client.refusal(answer) }
    let (file, hash) = try await store(answer, client)
    if hash != version {
      try await sink.take(CalendarResource(name: Self.name, version: hash, content: .file(file)))
    }
    try await sink.progress(1, of: 1)
    var kept = JSONObject()
    kept["etag"] = answer.headers.first(name: "ETag").map(JSON.string)
    kept["modified"] = answer.headers.first(name: "Last-Modified").map(JSON.string)
    return .object(kept)
  }

  /// Stores a text in the cache atomically.
  private func store(
    _ answer: CalendarClient.Answer, _ client: CalendarClient
  ) async throws -> (file: URL, hash: String) {
    try FileManager.default.createDirectory(
      at: cacheFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    removeLeftovers()
    let temporary = cacheFolder.appendingPathComponent(".incoming-\(UUID().uuidString)")
    let isMade = FileManager.default.createFile(
      atPath: temporary.path, contents: nil, attributes: [.posixPermissions: 0o600])
    guard isMade else {
      throw CalendarSourceError.unreadable(
        path: cacheFolder.path, reason: "can’t write there")
    }
    var isKept = false
    defer { if !isKept { try? FileManager.default.removeItem(at: temporary) } }
    let handle = try FileHandle(forWritingTo: temporary)
    defer { try? handle.close() }
    var shape = CalendarShape()
    var hash = SHA256()
    try await client.read(answer, limit: limit) { piece in
      let view = piece.readableBytesView
      shape.add(view)
      // A web page is refused before it has arrived completely.
      if shape.count >= 4096, shape.component != "VCALENDAR" { throw refusal(shape, client) }
      try view.withUnsafeBytes { bytes in
        hash.update(bufferPointer: bytes)
        do {
          try handle.write(contentsOf: bytes)
        } catch {
          throw CalendarSourceError.unreadable(
            path: cacheFolder.path, reason: "can’t write there; is the disk full?")
        }
      }
    }
    guard shape.component == "VCALENDAR" else { throw refusal(shape, client) }
    guard shape.isWhole else {
      throw CalendarSourceError.unusableAnswer(
        place: client.place,
        reason: "it ends after \(shape.count) bytes without END:VCALENDAR")
    }
    let file = cacheFolder.appendingPathComponent(Self.name)
    guard rename(temporary.path, file.path) == 0 else {
      throw CalendarSourceError.unreadable(
        path: file.path, reason: String(cString: strerror(errno)))
    }
    isKept = true
    return (file, hash.finalize().hexadecimal)
  }

  private func refusal(_ shape: CalendarShape, _ client: CalendarClient) -> CalendarSourceError {
    .notACalendar(place: client.place, came: credentials.redacted(shape.otherwise))
  }

  /// Removes files left by a fetch that stopped more than a day ago.
  private func removeLeftovers() {
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: cacheFolder, includingPropertiesForKeys: [.contentModificationDateKey])) ?? []
    for file in files where file.lastPathComponent.hasPrefix(".incoming-") {
      let date = try? file.resourceValues(forKeys: [.contentModificationDateKey])
        .contentModificationDate
      guard let date, date.timeIntervalSinceNow < -86_400 else { continue }
      try? FileManager.default.removeItem(at: file)
    }
  }
}

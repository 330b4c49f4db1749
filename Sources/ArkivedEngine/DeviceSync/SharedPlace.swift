import ArkivedCore
import ArkivedCrypto
package import ArkivedImport
import ArkivedStore
package import Foundation

/// The place where the owner's devices exchange changes: a folder on this computer, or one on a
/// WebDAV server.
package enum SharedPlace: Sendable {
  case folder(URL)
  case address(String, CalendarCredentials)

  /// Reads a path or an address as a person enters it.
  package init(_ text: String, credentials: CalendarCredentials = .none) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !WebDAVFolder.isAddress(text) else {
      self = .address(text, credentials)
      return
    }
    let path = HomeFolder.expandingTilde(text, ProcessInfo.processInfo.environment)
    self = .folder(URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL)
  }

  /// The form that is stored and shown, without a password.
  var text: String {
    switch self {
    case .folder(let url): url.path
    case .address(let address, _): address
    }
  }

  /// The name under which the server's password is stored among the archive's secrets.
  private static let secret = UUID(hashing: "the shared folder of the owner's devices")

  private static func secrets(of archive: Archive) throws -> CalendarSecrets {
    guard let file = archive.databaseFile else {
      throw ArchiveError.refused(
        "An archive in memory can’t store secrets. Choose a folder with --archive.")
    }
    return CalendarSecrets(
      file: file.deletingLastPathComponent().appendingPathComponent(CalendarSecrets.fileName))
  }

  /// Checks that the place exists, and stores the password of an address.
  ///
  /// - Throws: `ArchiveError.notFound` if it doesn’t, `WebDAVFailure`.
  func prepare(for archive: Archive) throws {
    switch self {
    case .folder(let url):
      guard SharedFolder.isFolder(url) else {
        throw ArchiveError.notFound("No folder at \(url.path).")
      }
    case .address(let address, let credentials):
      let secrets = try Self.secrets(of: archive)
      try Blocking.run {
        let folder = try await WebDAVFolder(address, credentials: credentials)
        guard try await folder.list("") != nil else { throw WebDAVFailure(.missing, folder.place) }
      }
      try secrets.write(credentials, for: Self.secret)
    }
  }

  /// Prepares a place for code that moves to it.
  ///
  /// If that fails, the earlier place's password is stored again. Otherwise, the new one would be
  /// sent to the earlier server.
  func prepared<Value>(for archive: Archive, _ body: () throws -> Value) throws -> Value {
    guard case .address = self else {
      try prepare(for: archive)
      return try body()
    }
    let secrets = try Self.secrets(of: archive)
    let earlier = try secrets.read(Self.secret)
    do {
      try prepare(for: archive)
      return try body()
    } catch {
      try? secrets.write(earlier, for: Self.secret)
      throw error
    }
  }

  /// Deletes the password and the local copy of a server's files.
  static func forget(_ archive: Archive) throws {
    guard let file = archive.databaseFile else { return }
    try secrets(of: archive).remove(secret)
    try? FileManager.default.removeItem(
      at: file.deletingLastPathComponent().appendingPathComponent(FolderMirror.folderName))
  }

  /// Returns a group's local folder, or for an address the local copy of the remote folder.
  static func open(
    _ text: String, circle: String, of archive: Archive
  ) throws -> SharedFolder {
    guard WebDAVFolder.isAddress(text), let file = archive.databaseFile else {
      return SharedFolder(home: URL(fileURLWithPath: text, isDirectory: true), circle: circle)
    }
    let name = String(SHA256.hash(data: text.utf8).hexadecimal.prefix(8))
    let home = file.deletingLastPathComponent().appendingPathComponent(FolderMirror.folderName)
      .appendingPathComponent(name)
    var folder = SharedFolder(home: home, circle: circle)
    folder.mirror = FolderMirror(
      home: home, address: text, credentials: try secrets(of: archive).read(secret))
    return folder
  }
}

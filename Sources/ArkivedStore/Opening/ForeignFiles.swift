import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Archive {
  /// Returns why a folder in the archive's folder can't be used, or nil if it can: it or a file in it
  /// belongs to another user, as after a command that was run with `sudo`.
  ///
  /// - Parameter name: the folder's name, such as `index`.
  package func obstacle(in name: String) -> String? {
    guard let databaseFile else { return nil }
    let folder = databaseFile.deletingLastPathComponent().appendingPathComponent(name)
    guard FileIdentity(of: folder.path) != nil else { return nil }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let paths = names.sorted().map { folder.appendingPathComponent($0).path }
    // The folder is asked for the right to enter it, too.
    guard FileIdentity.mayUse(folder.path, entering: true),
      paths.allSatisfy({ FileIdentity.mayUse($0) || FileIdentity(of: $0) == nil })
    else {
      return "\(folder.path) can’t be read and written. If it belongs to another user, run: "
        + Self.ownerRemedy(for: folder, like: databaseFile)
    }
    return nil
  }

  /// Files and folders of the archive that don't belong to the owner of its database, the topmost of each
  /// branch, by their paths.
  func foreignFiles() -> [String] {
    guard let databaseFile, let database = FileIdentity(of: databaseFile.path) else { return [] }
    let home = databaseFile.deletingLastPathComponent()
    guard let walk = FileManager.default.enumerator(atPath: home.path) else { return [] }
    var found: [String] = []
    while let name = walk.nextObject() as? String {
      let path = home.appendingPathComponent(name).path
      var about = stat()
      guard lstat(path, &about) == 0, about.st_uid != database.owner else { continue }
      found.append(path)
      walk.skipDescendants()
    }
    return found.sorted()
  }

  /// The command that gives a file or folder to the owner of the database.
  static func ownerRemedy(for file: URL, like database: URL) -> String {
    "sudo chown -R --reference='\(database.path)' '\(file.path)'"
  }
}

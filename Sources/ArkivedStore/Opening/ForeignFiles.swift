import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Archive {
  /// Returns the reason a folder in the archive's folder can't be used, or nil if it can: it or a
  /// file in it belongs to another user, as after a command that was run with `sudo`.
  ///
  /// - Parameters:
  ///   - name: the folder's name, such as `index`.
  ///   - isWritten: false checks only the permission to read, which is all that a read-only archive
  ///     has.
  /// - Returns: the reason.
  package func obstacle(in name: String, isWritten: Bool) -> String? {
    guard let databaseFile else { return nil }
    let folder = databaseFile.deletingLastPathComponent().appendingPathComponent(name)
    guard FileIdentity(of: folder.path) != nil else { return nil }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    // Reading alone takes no lock.
    let used = names.filter { isWritten || !$0.hasSuffix(".lock") }
    guard FileIdentity.mayUse(folder.path, writing: isWritten, entering: true),
      used.allSatisfy({ name in
        let path = folder.appendingPathComponent(name).path
        return FileIdentity.mayUse(path, writing: isWritten) || FileIdentity(of: path) == nil
      })
    else {
      let rights = isWritten ? "can’t be read or written" : "can’t be read"
      return "\(folder.path) \(rights). If it belongs to another user, run: "
        + Self.ownerRemedy(for: folder, like: databaseFile)
    }
    return nil
  }

  /// Returns the paths of the archive's files and folders that don't belong to the owner of its
  /// database, only the topmost of each branch.
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

  /// Returns the command that gives a file or folder to the owner of the database.
  static func ownerRemedy(for file: URL, like database: URL) -> String {
    "sudo chown -R --reference=\(shellQuoted(database.path)) \(shellQuoted(file.path))"
  }

  /// Returns a path as one word of a POSIX shell, in quotes only if it needs them.
  package static func shellWord(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:@%".contains($0) }
    return isPlain && !path.isEmpty ? path : shellQuoted(path)
  }

  /// Returns a text as one word of a POSIX shell, in quotes.
  package static func shellQuoted(_ text: String) -> String {
    var quoted = "'".unicodeScalars
    // A quote with a combining accent is one character, but the shell sees a quote.
    for scalar in text.unicodeScalars {
      if scalar == "'" {
        quoted.append(contentsOf: #"'\''"#.unicodeScalars)
      } else {
        quoted.append(scalar)
      }
    }
    quoted.append("'")
    return String(quoted)
  }
}

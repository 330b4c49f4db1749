import ArkivedImport
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A list of all files below a folder except hidden ones, by relative path, and of everything that
/// cannot be read.
///
/// Foundation's enumerator silently skips names that are not UTF-8, such as those that Windows and
/// old Unix systems wrote (`K\xF6ln.jpg`), and everything in folders with such names. It also stops
/// at the first folder that may not be opened.
struct FolderListing {
  private let root: String
  /// Regular files, in order.
  private(set) var files: [String] = []
  /// Symbolic links in order, which are not followed.
  private(set) var links: [String] = []
  /// The number of names per folder that are not valid text; the empty path is the whole folder.
  private var nameless: [String: Int] = [:]
  /// The folders that cannot be opened, with the reason.
  private var locked: [String: String] = [:]

  /// Lists a folder.
  ///
  /// - Throws: `ImportRefusal` if the folder itself cannot be opened.
  init(of folder: URL) throws(ImportRefusal) {
    root = folder.path
    var waiting = [""]
    while let next = waiting.popLast() { read(next, &waiting) }
    if let reason = locked[""] {
      throw ImportRefusal(place: root, message: "the folder can’t be opened: \(reason)")
    }
    files.sort()
    links.sort()
  }

  /// Returns diagnostics about everything that was skipped, for the run's account.
  ///
  /// - Parameter prefix: the beginning of the names of the folder's files.
  /// - Returns: the diagnostics.
  func problems(named prefix: String) -> [Diagnostic] {
    func place(_ path: String) -> String {
      path.isEmpty ? (prefix.isEmpty ? root : String(prefix.dropLast())) : prefix + path
    }
    let names = nameless.sorted { $0.key < $1.key }.map { path, count in
      Diagnostic(
        .skipped, place: place(path),
        message: "names that aren’t valid UTF-8: \(count). These files and folders were skipped. "
          + "Rename them, or pack the folder as a zip archive", mayPass: true)
    }
    let folders = locked.sorted { $0.key < $1.key }.map { path, reason in
      Diagnostic(
        .skipped, place: place(path), message: "the folder can’t be opened: \(reason)",
        mayPass: true)
    }
    return names + folders
  }

  private mutating func read(_ folder: String, _ waiting: inout [String]) {
    let path = folder.isEmpty ? root : "\(root)/\(folder)"
    guard let stream = opendir(path) else {
      locked[folder] = String(cString: strerror(errno))
      return
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      guard entry.pointee.d_name.0 != 0x2E else { continue }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      guard let name else {
        nameless[folder, default: 0] += 1
        continue
      }
      let below = folder.isEmpty ? name : "\(folder)/\(name)"
      var status = stat()
      guard lstat("\(root)/\(below)", &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG: files.append(below)
      case S_IFDIR: waiting.append(below)
      case S_IFLNK: links.append(below)
      // Pipes, sockets and devices have no content.
      default: break
      }
    }
  }
}

import ArkivedCore
import ArkivedSearch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Secrets stored in files.
package enum SecretFile {
  /// The reason that a file provides no secret.
  package enum Problem: Error, Hashable, Sendable {
    /// The file is missing, or can't be read.
    case unreadable(String)
    /// Other users can read the file.
    case open(String)
    case malformed(String)

    /// A sentence without its final full stop.
    package var description: String {
      switch self {
      case .unreadable(let path): "\(path) cannot be read"
      case .open(let path): "\(path) may be read by others; chmod 600 it first"
      case .malformed(let path): "\(path) must hold one line of letters, digits and signs"
      }
    }
  }

  /// Returns the single line of a file that only its owner may read.
  package static func token(in path: String) throws(Problem) -> String {
    let file = URL(fileURLWithPath: HomeFolder.expandingTilde(path))
    guard let handle = try? FileHandle(forReadingFrom: file) else {
      throw .unreadable(file.path)
    }
    var status = stat()
    guard fstat(handle.fileDescriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw .open(file.path)
    }
    let data: Data?
    do {
      data = try handle.read(upToCount: 16_384)
    } catch {
      throw .unreadable(file.path)
    }
    let text = String(decoding: data ?? Data(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard EmbeddingSettings.isToken(text) else { throw .malformed(file.path) }
    return text
  }
}

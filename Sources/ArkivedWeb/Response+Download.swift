import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  private static var pieceSize: Int { 1 << 20 }

  /// Creates a download whose content is read and sent in pieces.
  ///
  /// - Parameters:
  ///   - content: the content, usually of a mapped file.
  ///   - headers: its type and name.
  init(download content: Data, _ headers: HTTPFields) {
    self.init(
      status: .ok, headers: headers,
      body: .init(contentLength: content.count) { writer in
        var start = content.startIndex
        while start < content.endIndex {
          let end = min(start + Response.pieceSize, content.endIndex)
          let piece = content[start..<end]
          try await writer.write(try await offServer { ByteBuffer(bytes: piece) })
          start = end
        }
        try await writer.finish(nil)
      })
  }

  /// Returns the value of `Content-Disposition` that names a download.
  ///
  /// Other characters than ASCII letters, digits and a few signs are replaced.
  static func disposition(_ name: String) -> String {
    let plain = name.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
        ? character : "_"
    }
    return "attachment; filename=\"\(String(plain))\""
  }
}

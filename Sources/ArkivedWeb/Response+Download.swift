import ArkivedBackup
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// The size above which content is sent in pieces.
  static var pieceSize: Int { 1 << 20 }

  /// Creates a download whose content is read and sent in pieces.
  ///
  /// - Parameters:
  ///   - content: the content, usually of a mapped file.
  ///   - headers: its type and name.
  init(download content: Data, _ headers: HTTPFields) {
    self.init(status: .ok, headers: headers, body: Response.body(inPieces: content))
  }

  /// Returns a body that is read and sent in pieces, so memory holds one of them at a time.
  ///
  /// - Parameter content: the content, usually of a mapped file.
  /// - Returns: the body.
  static func body(inPieces content: Data) -> ResponseBody {
    guard content.count > pieceSize else {
      return ResponseBody(byteBuffer: ByteBuffer(bytes: content))
    }
    return ResponseBody(contentLength: content.count) { writer in
      var start = content.startIndex
      while start < content.endIndex {
        let end = min(start + Response.pieceSize, content.endIndex)
        let piece = content[start..<end]
        try await writer.write(try await offServer { ByteBuffer(bytes: piece) })
        start = end
      }
      try await writer.finish(nil)
    }
  }

  /// Creates a download of a file that is read while it's sent.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - headers: its type and name.
  init(download file: PlainFile, _ headers: HTTPFields) {
    self.init(
      status: .ok, headers: headers, body: Response.body(of: file, 0..<file.count))
  }

  /// Returns a body with a part of a file that is read while it's sent.
  ///
  /// If another program cuts it meanwhile, or its disk is removed, only this answer ends; a mapped
  /// file would end the server.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - part: the part.
  /// - Returns: the body.
  static func body(of file: PlainFile, _ part: Range<Int>) -> ResponseBody {
    ResponseBody(contentLength: part.count) { writer in
      var offset = part.lowerBound
      while offset < part.upperBound {
        let next = offset..<min(offset + Response.pieceSize, part.upperBound)
        let piece = try await offServer { try Response.piece(of: file, next) }
        try await writer.write(piece)
        offset += piece.readableBytes
      }
      try await writer.finish(nil)
    }
  }

  private static func piece(of file: PlainFile, _ part: Range<Int>) throws -> ByteBuffer {
    var bytes = [UInt8](repeating: 0, count: part.count)
    let count = try bytes.withUnsafeMutableBytes { try file.read(at: part.lowerBound, into: $0) }
    guard count > 0 else { throw CocoaError(.fileReadCorruptFile) }
    return ByteBuffer(bytes: bytes[..<count])
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

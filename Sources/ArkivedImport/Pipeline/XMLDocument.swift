import ArkivedCore
import Foundation

/// Feeds XML files to streams.
enum XMLDocument {
  /// Reads a file from start to end, in UTF-8, UTF-16 or, if the file says so, a one-byte Western
  /// European encoding.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - stream: parses the file.
  ///   - sink: receives the results.
  ///   - isOver: called after each piece; reading ends when it returns true.
  /// - Returns: why and where the file ended early; nil if it was read to its end.
  /// - Throws: what the stream's events throw.
  static func read(
    _ file: ImportFile, by stream: XMLStream, into sink: any ImportSink, isOver: () -> Bool
  ) throws -> Diagnostic? {
    var source = try TextBytes(file.url)
    defer { source.close() }
    let isLatin = try isLatin(file)
    var reached = 0
    do {
      while !isOver(), let piece = try source.readChunk() {
        reached += piece.count
        sink.reach(reached)
        var bytes = isLatin ? WindowsLatin.utf8(piece[...]) : piece
        try bytes.withUnsafeMutableBufferPointer { try stream.read($0) }
      }
      if !isOver() { try stream.finish() }
    } catch let error as XMLStream.Unreasonable {
      return Diagnostic(
        .skipped, place: "\(file.name):\(stream.line)", message: error.description)
    }
    return nil
  }

  /// Returns true if the file declares a Western European encoding with one byte per character.
  private static func isLatin(_ file: ImportFile) throws -> Bool {
    let head = HeadText.of(try ZipMembers.head(of: file, count: 200)).lowercased()
    guard let end = head.range(of: "?>") else { return false }
    return ["iso-8859-1", "windows-1252", "latin1"].contains {
      head[..<end.lowerBound].contains($0)
    }
  }

  /// Returns an element's name without the prefix of its namespace.
  static func local(_ name: UnsafePointer<CChar>) -> String {
    let full = String(cString: name)
    return full.lastIndex(of: ":").map { String(full[full.index(after: $0)...]) } ?? full
  }
}

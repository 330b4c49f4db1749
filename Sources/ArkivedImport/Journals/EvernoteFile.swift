import Foundation

/// A file of a note.
struct EvernoteFile {
  var type = ""
  var name: String?
  /// The MD5 of its content, by which the note's text refers to it.
  var hash = ""
  /// The name of its content in the folder of the run; nil if it has none.
  var path: String?
  var isBroken = false
}

/// Writes Base64 to a file piece by piece.
struct EvernoteFileWriter {
  private static let pieceSize = 1 << 16

  private let url: URL
  private var handle: FileHandle?
  private var digits: [UInt8] = []
  private var hash = MD5()
  private var failure: (any Error)?
  private var isBroken = false

  /// Creates a writer; the file is created with the first byte.
  ///
  /// - Parameters:
  ///   - url: the file to create.
  ///   - isBase64: false if the data has an unknown encoding.
  init(_ url: URL, isBase64: Bool) {
    self.url = url
    isBroken = !isBase64
  }

  /// Takes digits; white space is skipped.
  mutating func take(_ part: UnsafeBufferPointer<UInt8>) {
    guard !isBroken, failure == nil else { return }
    for byte in part where byte > 0x20 { digits.append(byte) }
    if digits.count >= Self.pieceSize { write() }
  }

  private mutating func write() {
    let whole = digits.count / 4 * 4
    guard whole > 0 else { return }
    guard let bytes = Data(base64Encoded: Data(digits.prefix(whole))) else {
      isBroken = true
      digits = []
      return
    }
    digits.removeFirst(whole)
    hash.update([UInt8](bytes))
    do {
      if handle == nil {
        try Data().write(to: url)
        handle = try FileHandle(forWritingTo: url)
      }
      try handle?.write(contentsOf: bytes)
    } catch {
      failure = error
    }
  }

  /// Ends the file.
  ///
  /// - Returns: the description of the content.
  /// - Throws: any error from writing.
  mutating func finish(_ file: EvernoteFile) throws -> EvernoteFile {
    var file = file
    if !digits.isEmpty, !isBroken {
      while digits.count % 4 != 0 { digits.append(UInt8(ascii: "=")) }
      write()
    }
    let isWritten = handle != nil
    try close()
    if let failure { throw failure }
    file.isBroken = isBroken
    if isWritten, !isBroken {
      file.hash = hash.finish()
      file.path = url.lastPathComponent
    } else if isWritten {
      try? FileManager.default.removeItem(at: url)
    }
    return file
  }

  mutating func close() throws {
    let open = handle
    handle = nil
    try open?.close()
  }

  /// Removes the file of a note that can't be read.
  mutating func discard() {
    let isWritten = handle != nil
    try? close()
    if isWritten { try? FileManager.default.removeItem(at: url) }
  }
}

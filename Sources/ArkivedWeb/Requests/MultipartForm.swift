import Foundation
import HTTPTypes

/// The files and plain fields of a multipart form (RFC 7578).
struct MultipartForm {
  struct File {
    var name: String
    var content: Data
  }

  private(set) var files: [File] = []
  /// The typed values of fields that are not files, by name; if a name is repeated, the first value
  /// counts.
  private(set) var fields: [String: String] = [:]

  static func boundary(_ contentType: String?) -> String? {
    guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else {
      return nil
    }
    for part in contentType.split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2,
        pair[0].trimmingCharacters(in: .whitespaces).lowercased() == "boundary"
      else { continue }
      let value = pair[1].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
      return (1...70).contains(value.utf8.count) ? value : nil
    }
    return nil
  }

  /// Parses a form.
  ///
  /// - Throws: `WebFailure` if the body ends within a part.
  init(_ body: Data, boundary: String) throws {
    let delimiter = Data("--\(boundary)".utf8)
    guard var position = body.range(of: delimiter)?.upperBound else {
      throw WebFailure(.badRequest, "Invalid form", "The form’s boundary is missing.")
    }
    while body[position...].starts(with: "\r\n".utf8) {
      guard let next = body.range(of: Data("\r\n".utf8) + delimiter, in: position..<body.endIndex),
        let headEnd = body.range(of: Data("\r\n\r\n".utf8), in: position..<next.lowerBound)
      else {
        throw WebFailure(.badRequest, "Invalid form", "The form arrived incomplete. Send it again.")
      }
      let head = String(decoding: body[position..<headEnd.lowerBound], as: UTF8.self)
      // A file field without a chosen file is submitted with neither name nor content.
      let content = body[headEnd.upperBound..<next.lowerBound]
      if let name = Self.fileName(head) {
        if !name.isEmpty || !content.isEmpty { files.append(File(name: name, content: content)) }
      } else if let name = Self.value("name", head), fields[name] == nil {
        fields[name] = String(decoding: content, as: UTF8.self)
      }
      position = next.upperBound
    }
  }

  /// Returns the file name in a part's head, or nil if the part is not a file.
  static func fileName(_ head: String) -> String? {
    value("filename", head) ?? value("filename*", head).map(decoded)
  }

  /// Returns a value of the head's content disposition, quoted or plain (RFC 2183 §2).
  static func value(_ key: String, _ head: String) -> String? {
    // A name may contain characters that Unicode treats as line endings.
    for line in head.components(separatedBy: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { continue }
      if let value = parameters(of: String(parts[1]))[key] { return value }
    }
    return nil
  }

  /// Returns the values of a content disposition by their lower-case names.
  private static func parameters(of disposition: String) -> [String: String] {
    // Scalars, because a quotation mark and an accent after it are one character.
    let signs = Array(disposition.unicodeScalars)
    var found: [String: String] = [:]
    var place = 0
    func text(_ isEnd: (Unicode.Scalar) -> Bool) -> String {
      var text = String.UnicodeScalarView()
      while place < signs.count, !isEnd(signs[place]) {
        text.append(signs[place])
        place += 1
      }
      return String(text)
    }
    func quoted() -> String {
      var text = String.UnicodeScalarView()
      place += 1
      while place < signs.count, signs[place] != "\"" {
        // Other backslashes are parts of a path that some programs send.
        let isEscape = signs[place] == "\\" && signs[(place + 1)...].first == "\""
        if isEscape, signs[(place + 2)...].contains("\"") { place += 1 }
        text.append(signs[place])
        place += 1
      }
      return String(text)
    }
    while place < signs.count {
      let name = text { $0 == "=" || $0 == ";" }
      if place < signs.count, signs[place] == "=" {
        place += 1
        while place < signs.count, signs[place] == " " { place += 1 }
        let isQuoted = place < signs.count && signs[place] == "\""
        let value = isQuoted ? quoted() : text { $0 == ";" }.trimmingCharacters(in: .whitespaces)
        let key = name.trimmingCharacters(in: .whitespaces).lowercased()
        if found[key] == nil { found[key] = value }
        if isQuoted { _ = text { $0 == ";" } }
      }
      place += 1
    }
    return found
  }

  /// Decodes a name with its character set and language before it (RFC 8187).
  private static func decoded(_ value: String) -> String {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return value }
    return String(parts[2]).removingPercentEncoding ?? String(parts[2])
  }
}

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
  static func fileName(_ head: String) -> String? { value("filename", head) }

  /// Returns a value of the head's content disposition.
  static func value(_ key: String, _ head: String) -> String? {
    // A name may contain characters that Unicode treats as line endings.
    for line in head.components(separatedBy: "\r\n")
    where line.lowercased().hasPrefix("content-disposition:") {
      guard
        let start = line.range(of: " \(key)=\"")?.upperBound
          ?? line.range(of: ";\(key)=\"")?.upperBound
      else { continue }
      return String(line[start...].prefix { $0 != "\"" })
    }
    return nil
  }
}

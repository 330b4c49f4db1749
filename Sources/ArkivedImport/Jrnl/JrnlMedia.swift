import ArkivedCore
import Foundation

/// Finds the files inside the journal's folder to which an entry's Markdown points.
struct JrnlMedia {
  struct File {
    /// The path below the journal's folder, with `/`.
    var path: String
    var caption: String?
    var mediaType: MediaType
  }

  /// The journal's folder; files outside it are never touched.
  let folder: URL

  private let journal: String
  /// The folder's path components without symbolic links, for comparison with absolute paths.
  private let root: [String]
  /// The path components of the file's own folder below `folder`, where relative paths start, too.
  private let start: [String]

  init(folder: URL, file: URL) {
    self.folder = folder
    journal = file.resolvingSymlinksInPath().path
    root = folder.resolvingSymlinksInPath().pathComponents
    let own = file.deletingLastPathComponent().pathComponents
    start = Array(own.dropFirst(folder.pathComponents.count))
  }

  /// Returns the files, each once, and messages about pictures that can't be imported.
  func files(in text: String) -> (files: [File], problems: [String]) {
    var files: [File] = []
    var problems: [String] = []
    for link in JrnlLink.all(in: text) {
      switch locate(link.target) {
      case .elsewhere: break
      case .missing:
        if link.isImage {
          problems.append(
            "the image \(FieldError.shown(link.target)) isn’t in the journal’s folder; its link "
              + "stays in the text")
        }
      case .outside:
        problems.append(
          "the file \(FieldError.shown(link.target)) is outside the journal’s folder and wasn’t "
            + "imported; its link stays in the text")
      case .found(let path):
        guard !files.contains(where: { $0.path == path }) else { continue }
        files.append(
          File(
            path: path, caption: link.label.isEmpty ? nil : link.label, mediaType: mediaType(path)))
      }
    }
    return (files, problems)
  }

  /// Returns the file at a path as written in a link; nil if there is none inside the folder.
  func file(at target: String) -> File? {
    guard case .found(let path) = locate(target) else { return nil }
    return File(path: path, caption: nil, mediaType: mediaType(path))
  }

  private func mediaType(_ path: String) -> MediaType {
    let handle = try? FileHandle(forReadingFrom: folder.appendingPathComponent(path))
    defer { try? handle?.close() }
    let head = try? handle?.read(upToCount: 4096)
    return MediaType(sniffing: head ?? Data(), fileName: path)
  }

  // MARK: Paths

  private enum Location {
    /// An address on the network, or a place in the text.
    case elsewhere
    case missing
    case outside
    case found(String)
  }

  private func locate(_ target: String) -> Location {
    var path = target
    if path.isEmpty || path.hasPrefix("#") || path.hasPrefix("//") { return .elsewhere }
    if path.lowercased().hasPrefix("file://") {
      path = String(path.dropFirst(7))
      if path.lowercased().hasPrefix("localhost/") { path = String(path.dropFirst(9)) }
    } else if let colon = path.firstIndex(of: ":"),
      path[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
      )
    {
      // A single letter is a Windows drive.
      return path[..<colon].count > 1 ? .elsewhere : .outside
    }
    guard !path.utf8.contains(0) else { return .missing }
    var result = Location.missing
    for spelling in spellings(path) {
      let location = locate(spelled: spelling)
      if case .found = location { return location }
      if case .outside = location { result = location }
    }
    return result
  }

  /// Returns a path as written, percent-decoded, and with Windows backslashes converted.
  private func spellings(_ path: String) -> [String] {
    var spellings = [path]
    if let decoded = path.removingPercentEncoding, decoded != path { spellings.append(decoded) }
    if path.contains("\\") {
      spellings.append(path.replacingOccurrences(of: "\\", with: "/"))
    }
    return spellings
  }

  private func locate(spelled path: String) -> Location {
    let parts = path.split(separator: "/").map(String.init)
    if path.hasPrefix("/") {
      let below = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath()
        .pathComponents
      guard below.starts(with: root), let name = parts.last else { return .outside }
      return locate(Array(below.dropFirst(root.count)) + [name], from: [])
    }
    let own = locate(parts, from: start)
    if case .found = own { return own }
    guard !start.isEmpty else { return own }
    let whole = locate(parts, from: [])
    if case .found = whole { return whole }
    if case .missing = own { return own }
    return whole
  }

  private func locate(_ parts: [String], from start: [String]) -> Location {
    var path = start
    for part in parts where part != "." {
      if part == ".." {
        guard path.popLast() != nil else { return .outside }
      } else {
        path.append(part)
      }
    }
    guard !path.isEmpty, path.allSatisfy({ !$0.hasPrefix(".") && !$0.contains("\\") }) else {
      return .missing
    }
    var url = folder
    for (index, part) in path.enumerated() {
      url.appendPathComponent(part)
      // This doesn't follow links, which could point outside the folder.
      guard
        let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
          as? FileAttributeType
      else { return .missing }
      if type == .typeSymbolicLink { return .outside }
      guard type == (index == path.count - 1 ? .typeRegular : .typeDirectory) else {
        return .missing
      }
    }
    guard url.resolvingSymlinksInPath().path != journal else { return .elsewhere }
    return .found(path.joined(separator: "/"))
  }
}

/// A Markdown link or picture: `![label](target "title")`.
struct JrnlLink: Hashable {
  var isImage: Bool
  var label: String
  var target: String

  /// The maximum length of a label or target, in bytes.
  private static let lengthLimit = 1024
  /// The maximum number of links found in a text.
  static let countLimit = 10_000

  /// Returns the inline links of a text, in time linear in its length.
  static func all(in text: String) -> [JrnlLink] {
    var links: [JrnlLink] = []
    var text = text
    text.withUTF8 { bytes in
      var index = 0
      var count = 0
      while count < countLimit,
        let hit = bytes.next(UInt8(ascii: "]"), from: index), hit + 1 < bytes.count
      {
        index = hit
        guard bytes[index + 1] == UInt8(ascii: "(") else {
          index += 1
          continue
        }
        count += 1
        if let (target, end) = target(bytes, from: index + 2) {
          let (label, isImage) = label(bytes, before: index)
          links.append(JrnlLink(isImage: isImage, label: label, target: target))
          index = end
        } else {
          index += 2
        }
      }
    }
    return links
  }

  private static func target(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (target: String, end: Int)? {
    var index = start
    let limit = min(bytes.count, start + lengthLimit)
    while index < limit, bytes[index] == 0x20 { index += 1 }
    guard index < limit else { return nil }
    let isPointed = bytes[index] == UInt8(ascii: "<")
    if isPointed { index += 1 }
    var target: [UInt8] = []
    var depth = 0
    while index < limit {
      let byte = bytes[index]
      if byte < 0x20 { return nil }
      if byte == UInt8(ascii: "\\"), index + 1 < limit, isPunctuation(bytes[index + 1]) {
        target.append(bytes[index + 1])
        index += 2
        continue
      }
      if isPointed {
        if byte == UInt8(ascii: ">") { return (String(decoding: target, as: UTF8.self), index + 1) }
      } else if (byte == UInt8(ascii: ")") && depth == 0)
        || (byte == 0x20 && isEnd(bytes, from: index, limit: limit))
      {
        return (String(decoding: target, as: UTF8.self), index + 1)
      } else if byte == UInt8(ascii: "(") {
        depth += 1
      } else if byte == UInt8(ascii: ")") {
        depth -= 1
      }
      target.append(byte)
      index += 1
    }
    return nil
  }

  /// Returns true if a space ends a target, because a title or the closing bracket follows.
  ///
  /// Strictly every space does, but people leave spaces in file names.
  private static func isEnd(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int
  ) -> Bool {
    var index = start
    while index < limit, bytes[index] == 0x20 { index += 1 }
    guard index < limit else { return true }
    return [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ")")].contains(bytes[index])
  }

  private static func label(
    _ bytes: UnsafeBufferPointer<UInt8>, before end: Int
  ) -> (label: String, isImage: Bool) {
    let limit = max(0, end - lengthLimit)
    var index = end
    while index > limit {
      index -= 1
      if bytes[index] == UInt8(ascii: "[") {
        let isImage = index > 0 && bytes[index - 1] == UInt8(ascii: "!")
        return (String(decoding: bytes[(index + 1)..<end], as: UTF8.self), isImage)
      }
    }
    return ("", false)
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
      || (0x7B...0x7E).contains(byte)
  }
}

import ArkivedCore
package import Foundation

/// The information in the name of a file in an inbox folder.
///
/// Sources: what the programs themselves document or write. Syncthing's temporary and conflicting
/// files (its documentation, "Syncing"), Nextcloud's and ownCloud's ("conflicted copy", `.~`
/// names), Dropbox's ("conflicted copy"), iCloud's placeholders (`.name.icloud`), KDE's and
/// Firefox's `.part`, Chromium's `.crdownload`.
package struct InboxName: Hashable, Sendable {
  /// The name in the folder.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The file extension in lower case, without the dot; empty if there is none.
  package var ending: String { Self.ending(of: name) }

  /// The name without its extension.
  package var stem: String { Self.stem(of: name) }

  private static func ending(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  private static func stem(of name: String) -> String {
    let ending = ending(of: name)
    return ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
  }

  // MARK: Files of other programs

  private static let unfinishedEndings: Set<String> = [
    "part", "partial", "crdownload", "download", "tmp", "temp", "swp", "swx", "filepart", "icloud",
    "opdownload", "!sync", "lock",
  ]

  private static let systemNames: Set<String> = [
    "desktop.ini", "thumbs.db", "ehthumbs.db", "icon\r", "$recycle.bin",
  ]

  /// True if the file is incomplete or belongs to some program; it is skipped silently.
  package var isPassing: Bool {
    let small = name.lowercased()
    return small.hasPrefix(".") || small.hasPrefix("~") || small.hasSuffix("~")
      || small.hasPrefix("#") || Self.unfinishedEndings.contains(ending)
      || Self.systemNames.contains(small)
  }

  // MARK: Conflicting copies

  /// The name of the original if a sync program marked this file as a conflicting copy; otherwise
  /// nil.
  ///
  /// `Plan.sync-conflict-20260305-182211-ABCDEF7.txt` (Syncthing), `Plan (conflicted copy
  /// 2026-03-05 182211).txt` (Nextcloud), `Plan (Sam's conflicted copy 2026-03-05).txt` (Dropbox),
  /// `Plan_conflict-20260305-182211.txt` (ownCloud).
  package var conflictOf: String? {
    let ending = name.dropFirst(stem.count)
    guard let base = Self.conflictBase(stem), !base.isEmpty else { return nil }
    return base + ending
  }

  private static func conflictBase(_ stem: String) -> String? {
    for mark in [".sync-conflict-", "_conflict-"] {
      guard let range = stem.range(of: mark, options: .backwards),
        stem[range.upperBound...].first?.isNumber == true
      else { continue }
      return String(stem[..<range.lowerBound])
    }
    guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "("),
      stem[open...].lowercased().contains("conflicted copy")
    else { return nil }
    return stem[..<open].trimmingCharacters(in: .whitespaces)
  }

  // MARK: Kinds

  /// The kind of a file, which decides how it is imported.
  package enum Kind: Hashable, Sendable {
    /// Lines in the form of typed input.
    case text
    /// A page of Markdown.
    case page
    /// A photo or a video.
    case picture
    case sound
    case calendar
    /// A file that describes a photo next to it.
    case beside
    /// A file that the inbox doesn't accept, with the reason as the end of a sentence.
    case other(String)
  }

  private static let soundTypes = [
    "m4a": "audio/mp4", "aac": "audio/aac", "amr": "audio/amr", "caf": "audio/x-caf",
    "3ga": "audio/3gpp", "opus": "audio/ogg", "ogg": "audio/ogg", "oga": "audio/ogg",
    "mp3": "audio/mpeg", "wav": "audio/wav", "flac": "audio/flac", "weba": "audio/webm",
  ]

  private static let pageEndings: Set<String> = ["md", "markdown", "mdown", "mkd"]
  private static let textEndings: Set<String> = ["txt", "text", "log", ""]

  /// True if the file may be a text or a page and is read whole, unless its first bytes say
  /// otherwise.
  package var mayBeText: Bool {
    Self.pageEndings.contains(ending) || Self.textEndings.contains(ending)
  }

  private static let besideEndings: Set<String> = ["xmp", "aae"]

  /// The key that a photo shares with its companion files: `img_1` of `IMG_1.HEIC`, `IMG_1.MOV`,
  /// `IMG_1.AAE` and `IMG_1.HEIC.xmp`.
  package var kinship: String {
    let inner = InboxName(stem)
    let isOfName = Self.besideEndings.contains(ending) && inner.ending.contains { $0.isLetter }
    return (isOfName ? inner.stem : stem).lowercased()
  }

  /// Returns the file's kind, judged by its first bytes before its name.
  ///
  /// - Parameter head: up to 4 KiB.
  /// - Returns: the kind.
  package func kind(head: Data) -> Kind {
    if Self.besideEndings.contains(ending) { return .beside }
    if ICalendarImporter().recognises(head: [UInt8](head), fileName: name) { return .calendar }
    let type = MediaType(sniffing: head, fileName: name).name
    if soundType(head: head) != nil { return .sound }
    if ImageReader.types.contains(type) || type.hasPrefix("video/") { return .picture }
    if head.isEmpty { return .other("it’s empty") }
    if Self.pageEndings.contains(ending) { return .page }
    guard Self.textEndings.contains(ending) else {
      return .other(
        "the inbox accepts text, Markdown, photos, videos, audio and calendars. Use “arkived "
          + "import” for another program’s export, or attach any other file to an entry")
    }
    guard type == "text/plain" || InboxText.isText(head) else {
      return .other("it contains no text")
    }
    return .text
  }

  /// Returns the media type of a recording, or nil if it isn't one; a recorder's `.m4a` begins like
  /// a video.
  package func soundType(head: Data) -> String? {
    let type = MediaType(sniffing: head, fileName: name).name
    if type.hasPrefix("audio/") { return type }
    guard ["application/octet-stream", "video/mp4"].contains(type), !head.isEmpty else {
      return nil
    }
    return Self.soundTypes[ending]
  }

  /// The title of a recording if its name says more than that it is a recording and when it was
  /// made; nil for `Voice 001`, `Recording_20260305_182211`, `New Recording 3`.
  package var soundTitle: String? {
    let usual: Set<String> = [
      "voice", "voicenote", "memo", "note", "recording", "new", "audio", "rec", "sound", "ptt",
      "aud",
      "whatsapp", "at", "wa", "signal", "standard", "aufnahme", "neue", "sprachmemo",
    ]
    let words = stem.lowercased().split { !$0.isLetter }.map(String.init)
    guard words.contains(where: { $0.count > 1 && !usual.contains($0) }) else { return nil }
    return stem.replacing("_", with: " ").trimmingCharacters(in: .whitespaces)
  }
}

/// The text of a small file.
package enum InboxText {
  /// The size limit in bytes, more than any quick note has.
  package static let limit = 4 << 20

  /// Returns the text with LF line ends, and true if it was read as Windows-1252; nil if it isn't
  /// text.
  package static func read(_ content: Data) -> (text: String, isLatin: Bool)? {
    var text: String?
    if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) {
      text = String(data: content, encoding: .utf16)
      if text?.contains("\0") == true { text = nil }
    } else if !content.contains(0) {
      let bytes = [UInt8](
        content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content)
      guard let utf8 = String(validating: bytes, as: UTF8.self) else {
        return (lines(String(decoding: WindowsLatin.utf8(bytes[...]), as: UTF8.self)), true)
      }
      text = utf8
    }
    return text.map { (lines($0), false) }
  }

  private static func lines(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }

  /// Returns true if the beginning of a file looks like text.
  static func isText(_ head: Data) -> Bool {
    head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) || !head.contains(0)
  }
}

import ArkivedCore
import Foundation

/// A photo, video, recording or PDF as an entry describes it. Its file lies in a folder beside the
/// journal and is named after `md5`.
struct DayOneMedia: Hashable {
  enum Kind: String, CaseIterable {
    case photo, video, audio, pdf

    /// The member of an entry that lists them.
    var key: String {
      switch self {
      case .photo: "photos"
      case .video: "videos"
      case .audio: "audios"
      case .pdf: "pdfAttachments"
      }
    }

    /// The folder that holds their files.
    var folder: String { self == .pdf ? "pdfs" : key }

    /// How addresses in a text name the kind.
    var linkWord: String { self == .pdf ? "pdfAttachment" : rawValue }

    /// What a reader calls one of them.
    var word: String { self == .pdf ? "PDF" : rawValue }

    /// The ending of a file whose entry names none.
    var usualEnding: String {
      switch self {
      case .photo: "jpeg"
      case .video: "mov"
      case .audio: "m4a"
      case .pdf: "pdf"
      }
    }

    var attachmentType: AttachmentType {
      switch self {
      case .photo: .photo
      case .audio: .audioNote
      case .video, .pdf: .file
      }
    }

    init?(word: String) {
      switch word.lowercased() {
      case "photo", "image": self = .photo
      case "video": self = .video
      case "audio": self = .audio
      case "pdf", "pdfattachment": self = .pdf
      default: return nil
      }
    }

    /// "Photo", "3 photos", "2 photos, 1 video".
    static func title(of kinds: [Kind]) -> String {
      let counts = allCases.map { kind in (kind, kinds.count { $0 == kind }) }
        .filter { $0.1 > 0 }
      if counts.count == 1, let (kind, count) = counts.first, count == 1 {
        return kind.word.prefix(1).uppercased() + kind.word.dropFirst()
      }
      return counts.map { kind, count in "\(count) \(kind.word)\(count == 1 ? "" : "s")" }
        .joined(separator: ", ")
    }
  }

  var kind: Kind
  /// What texts name it by.
  var identifier: String
  var md5: String?
  /// The file's ending, in lower case.
  var ending: String?
  /// The name it had before it came to Day One.
  var name: String?
  var caption: String?
  var order: Int?
  var date: Instant?

  /// The media of an entry, in the order in which it lists them.
  static func all(of entry: JSON) -> [DayOneMedia] {
    Kind.allCases.flatMap { kind in
      (entry[kind.key]?.array ?? []).compactMap { DayOneMedia($0, kind) }
    }
  }

  private init?(_ json: JSON, _ kind: Kind) {
    guard json.object != nil else { return nil }
    func text(_ key: String) -> String? {
      json[key]?.string.flatMap { $0.isEmpty || $0 == "(null)" ? nil : $0 }
    }
    self.kind = kind
    md5 = text("md5").flatMap(Self.stem)
    identifier = text("identifier") ?? md5 ?? ""
    let format = text("type") ?? text("format")
    ending = format.flatMap(Self.ending)
    name = (text("filename") ?? text("pdfName")).flatMap(Self.fileName)
    caption = text("caption") ?? text("title")
    order = json["orderInEntry"]?.int
    date = text("date").flatMap { Instant($0) }
    guard !identifier.isEmpty else { return nil }
  }

  /// What identifies the content: media of one entry that share it are one.
  var key: String { "\(kind.folder)/\(md5 ?? identifier.lowercased())" }

  /// The names, without ending, that its file may have.
  var stems: [String] { [md5, Self.stem(identifier)].compactMap { $0 } }

  /// A name for the attachment: as it was called, with the ending that its content has now, since
  /// exports hold an IMG_1.HEIC as a JPEG.
  var attachmentName: String {
    let ending = ending ?? kind.usualEnding
    guard let name else { return "\(md5 ?? Self.stem(identifier) ?? kind.rawValue).\(ending)" }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      name.distance(from: dot, to: name.endIndex) <= 6
    else { return "\(name).\(ending)" }
    return "\(name[..<dot]).\(ending)"
  }

  /// A text as the name of a file without its ending; nil when it could be anything else.
  static func stem(_ text: String) -> String? {
    guard (1...100).contains(text.utf8.count),
      text.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      })
    else { return nil }
    return text.lowercased()
  }

  /// The ending of files of a format: recordings are said to be `aac` and lie in `.m4a`.
  static func ending(_ format: String) -> String? {
    let format = format.lowercased()
    guard (1...8).contains(format.utf8.count),
      format.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
    else { return nil }
    return format == "aac" || format == "alac" ? "m4a" : format
  }

  private static func fileName(_ text: String) -> String? {
    let last = text.split(whereSeparator: { "/\\:".contains($0) }).last ?? ""
    let name = String(last.unicodeScalars.filter { $0.properties.generalCategory != .control })
      .trimmingCharacters(in: .whitespaces)
    return name.isEmpty || name.hasPrefix(".") ? nil : String(name.prefix(120))
  }
}

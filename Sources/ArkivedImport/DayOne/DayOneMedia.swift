import ArkivedCore
import Foundation

/// A photo, video, recording or PDF as an entry describes it.
///
/// Its file is in a folder next to the journal and is named after `md5`.
struct DayOneMedia: Hashable {
  enum Kind: String, CaseIterable {
    case photo, video, audio, pdf

    /// The entry's member that lists media of the kind.
    var key: String {
      switch self {
      case .photo: "photos"
      case .video: "videos"
      case .audio: "audios"
      case .pdf: "pdfAttachments"
      }
    }

    /// The folder of their files.
    var folder: String { self == .pdf ? "pdfs" : key }

    /// The word for the kind in a text's addresses.
    var linkWord: String { self == .pdf ? "pdfAttachment" : rawValue }

    /// The singular for display.
    var word: String { self == .pdf ? "PDF" : rawValue }

    /// The default file extension if an entry names none.
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

    /// Returns a title such as "Photo", "3 photos" or "2 photos, 1 video".
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
  /// The identifier used in texts.
  var identifier: String
  var md5: String?
  /// The file extension, in lower case.
  var ending: String?
  /// The original name before the import into Day One.
  var name: String?
  var caption: String?
  var order: Int?
  var date: Instant?

  /// Returns the media of an entry in its order.
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

  /// The key of the content; media of an entry with the same key are one.
  var key: String { "\(kind.folder)/\(md5 ?? identifier.lowercased())" }

  /// The possible file names, without extension.
  var stems: [String] { [md5, Self.stem(identifier)].compactMap { $0 } }

  /// A name for the attachment: the original name with the extension of the current content,
  /// because exports contain an IMG_1.HEIC as a JPEG.
  var attachmentName: String {
    let ending = ending ?? kind.usualEnding
    guard let name else { return "\(md5 ?? Self.stem(identifier) ?? kind.rawValue).\(ending)" }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      name.distance(from: dot, to: name.endIndex) <= 6
    else { return "\(name).\(ending)" }
    return "\(name[..<dot]).\(ending)"
  }

  /// Returns a text as a file name without its extension, or nil if it could be anything else.
  static func stem(_ text: String) -> String? {
    guard (1...100).contains(text.utf8.count),
      text.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      })
    else { return nil }
    return text.lowercased()
  }

  /// Returns the file extension of a format; recordings declared as `aac` are `.m4a` files.
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

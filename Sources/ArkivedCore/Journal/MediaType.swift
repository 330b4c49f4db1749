package import Foundation

/// The type of a file, detected from its first bytes.
///
/// The name matters only for kinds of plain text.
package struct MediaType: Hashable, Sendable {
  /// The media type as registered with IANA.
  package let name: String

  package init(name: String) { self.name = name }

  /// Detects the type of a file.
  ///
  /// - Parameters:
  ///   - content: at least the first 16 bytes, if the file has as many.
  ///   - fileName: the file's name.
  package init(sniffing content: Data, fileName: String) {
    let head = [UInt8](content.prefix(64))
    func at(_ offset: Int, _ text: String) -> Bool {
      head.count >= offset + text.utf8.count && head[offset...].starts(with: text.utf8)
    }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      name = "image/jpeg"
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      name = "image/png"
    } else if at(0, "GIF8") {
      name = "image/gif"
    } else if at(0, "RIFF"), at(8, "WEBP") {
      name = "image/webp"
    } else if at(0, "II*\0") || at(0, "MM\0*") {
      name = "image/tiff"
    } else if at(4, "ftyp"), at(8, "hei") || at(8, "mif1") {
      name = "image/heic"
    } else if at(4, "ftyp"), at(8, "avif") {
      name = "image/avif"
    } else if at(4, "ftyp"), at(8, "M4A") {
      name = "audio/mp4"
    } else if at(4, "ftyp") {
      name = "video/mp4"
    } else if at(0, "RIFF"), at(8, "WAVE") {
      name = "audio/wav"
    } else if at(0, "OggS") {
      name = "audio/ogg"
    } else if at(0, "ID3") || head.starts(with: [0xFF, 0xFB]) {
      name = "audio/mpeg"
    } else if at(0, "fLaC") {
      name = "audio/flac"
    } else if at(0, "%PDF-") {
      name = "application/pdf"
    } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      name = MediaType.matroska(content.prefix(4096))
    } else if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      name = "application/zip"
    } else {
      let isText = !content.prefix(4096).contains(0)
      let ending = fileName.split(separator: ".").last.map { $0.lowercased() } ?? ""
      name =
        isText && ["txt", "md", "markdown", "csv", "log"].contains(ending)
        ? "text/plain" : "application/octet-stream"
    }
  }

  /// Returns the media type of a Matroska file, the format browsers record into; the names of its
  /// tracks' codecs are near the beginning.
  private static func matroska(_ head: Data) -> String {
    func has(_ text: String) -> Bool { head.range(of: Data(text.utf8)) != nil }
    guard has("webm") else { return "video/x-matroska" }
    return has("V_VP") || has("V_AV1") ? "video/webm" : "audio/webm"
  }

  package var attachmentType: AttachmentType {
    if name.hasPrefix("image/") { return .photo }
    if name.hasPrefix("audio/") { return .audioNote }
    return .file
  }

  /// True if a browser may show it inline: images and sound that cannot run code.
  package var isSafeInline: Bool {
    [
      "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "audio/mp4",
      "audio/wav", "audio/ogg", "audio/mpeg", "audio/flac", "audio/webm", "video/mp4",
      "video/webm",
    ].contains(name)
  }
}

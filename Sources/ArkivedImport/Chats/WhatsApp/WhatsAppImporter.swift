import ArkivedCore
import Foundation

/// Imports chats that WhatsApp exports: `_chat.txt` (iOS) and `WhatsApp Chat with Ann.txt`
/// (Android), alone, next to their media, or in the zip archive that contains both.
///
/// All messages of a day become one entry.
///
/// The formats have no specification. They are the ones that phones write in various languages, as
/// read by the parsers whatstk, whatsapp-chat-parser, whats_json and chat-analytics.
package struct WhatsAppImporter: Importer {
  package let format = "whatsapp"
  static let service = ChatDays.Service(
    name: "WhatsApp", source: .whatsAppImport, provider: "whatsapp")
  private static let sizeLimit: Int64 = 2 << 30
  private static let candidateLimit = 200

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let ending = fileName.split(separator: ".").last?.lowercased() ?? ""
    guard ending != "md", ending != "csv" else { return false }
    return Self.isChat(head, fileName)
  }

  /// Returns true if the first line with words has a date in a chat's format, and one of the first
  /// lines has a sender.
  private static func isChat(_ head: [UInt8], _ fileName: String) -> Bool {
    let lines = HeadText.plain(head).split(separator: 0x0A).lazy.filter { line in
      !line.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
    }
    guard let first = lines.first, case .header(let header) = WhatsAppHeader.look(at: Array(first)),
      !header.isISO && !header.isOfOldForm || fileName.lowercased().contains("chat")
    else { return false }
    return lines.contains { line in
      guard case .header(let header) = WhatsAppHeader.look(at: Array(line)) else { return false }
      let rest = String(decoding: line[(line.startIndex + header.end)...], as: UTF8.self)
      return WhatsAppWords(rest[...]).sender != nil
    }
  }

  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    !Self.chats(in: zip).isEmpty
  }

  /// Files sent in a chat are stored next to its text, whatever their type.
  package func owns(_ zip: ZipFile) -> Bool {
    let chats = Self.chats(in: zip)
    guard let chat = chats.first, chats.count == 1,
      chat.fileName == "_chat.txt" || chat.fileName.contains("WhatsApp")
    else { return false }
    return zip.entries.allSatisfy { $0.isHidden || $0.folder == chat.folder }
  }

  private static func chats(in zip: ZipFile) -> [ZipFile.Entry] {
    let candidates = zip.entries.filter { entry in
      entry.name.lowercased().hasSuffix(".txt") && !entry.isHidden
        && entry.name.count { $0 == "/" } <= 1
    }
    guard candidates.count <= candidateLimit else { return [] }
    let heads = zip.heads(of: candidates)
    return candidates.filter { chat in heads[chat.index].map { isChat($0, chat.name) } ?? false }
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
    return folders.contains(String(name[..<start])) && WhatsAppFiles.isWhatsAppName(name[start...])
  }

  // MARK: Reading

  /// The chat is named after its file.
  package func readsName(of file: ImportFile) -> Bool { true }

  package func surroundings(of file: ImportFile) -> [String]? { file.isZip ? [] : [""] }

  /// If nothing indicates the order of dates, the locale decides.
  package var settings: String { "\(DateOrder.inProcess)" }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    guard file.isZip else {
      let folder = file.url.deletingLastPathComponent()
      let reader = WhatsAppReader(
        file, named: Self.name(of: file.name), folder: folder, context: context, sink: sink
      ) { name in
        // A name from outside must be a name, not a path.
        guard !name.contains("/"), !name.hasPrefix("."), name != file.url.lastPathComponent else {
          return nil
        }
        let kind = try? FileManager.default
          .attributesOfItem(atPath: folder.appendingPathComponent(name).path)[.type]
        return kind as? FileAttributeType == .typeRegular ? name : nil
      }
      return try reader.read()
    }
    let zip: ZipFile
    do {
      zip = try ZipFile(file.url)
    } catch {
      throw ImportRefusal(place: file.name, message: "the zip archive cannot be read: \(error)")
    }
    let chats = Self.chats(in: zip)
    guard !chats.isEmpty else {
      throw ImportRefusal(place: file.name, message: "the zip archive contains no WhatsApp chat")
    }
    let folders = Set(chats.map(\.folder))
    let chosen = zip.entries.filter { !$0.isHidden && folders.contains($0.folder) }
    let files = try ZipMembers.unpack(
      zip, chosen, of: file, sizeLimit: Self.sizeLimit, context: context, sink: sink)
    let names = Set(chats.map { "\(file.name)/\($0.name)" })
    let media = files.filter { !names.contains($0.name) }
    var used: Set<String> = []
    for chat in files where names.contains(chat.name) {
      let own = media.filter { $0.folder == chat.folder }
      let paths = Dictionary(
        own.map { (Self.fileName(of: $0.name), $0.url.lastPathComponent) },
        uniquingKeysWith: { first, _ in first })
      let name = Self.name(of: chat.name) ?? Self.name(of: file.name)
      let reader = WhatsAppReader(
        chat, named: name, folder: chat.url.deletingLastPathComponent(), context: context,
        sink: sink
      ) { name in
        guard let path = paths[name] else { return nil }
        used.insert(path)
        return path
      }
      try reader.read()
    }
    let orphans = media.filter { !used.contains($0.url.lastPathComponent) }
    guard let first = orphans.first else { return }
    sink.diagnose(
      Diagnostic(
        .skipped, place: first.name,
        message: orphans.count == 1
          ? "no message refers to this file; skipped"
          : "no message refers to this file or to \(orphans.count - 1) more; skipped"))
  }

  private static func fileName(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  // MARK: Names

  private static let joints = [
    " with ", " mit ", " con ", " com ", " avec ", " met ", " med ", " с ", " z ", " ile ", " - ",
    " – ",
  ]

  /// Returns the name of a chat: `WhatsApp Chat with Ann.txt` is Ann’s.
  static func name(of path: String) -> String? {
    for part in path.split(separator: "/").reversed().prefix(2) {
      var stem = String(part)
      for ending in [".txt", ".zip"] where stem.lowercased().hasSuffix(ending) {
        stem = String(stem.dropLast(ending.count))
      }
      guard let word = stem.range(of: "WhatsApp", options: .caseInsensitive) else { continue }
      let rest = stem[word.upperBound...]
      let joint = joints.compactMap { rest.range(of: $0) }.min { $0.lowerBound < $1.lowerBound }
      guard let joint else { continue }
      var name = rest[joint.upperBound...].trimmingCharacters(in: .whitespaces)
      // The suffix that a browser adds to a second download.
      if name.hasSuffix(")"), let open = name.range(of: " (", options: .backwards),
        let number = Int(name[open.upperBound...].dropLast()), number < 100
      {
        name = String(name[..<open.lowerBound])
      }
      if !name.isEmpty { return ChatName.settled(name) }
    }
    return nil
  }
}

import ArkivedCore
import Foundation

/// Imports what Telegram Desktop exports as JSON: `result.json` of one chat or of all, alone, next
/// to its media folders, or in a zip archive.
///
/// All messages of a chat and day become one entry.
///
/// Source of the format: the export of Telegram Desktop (`export_output_json.cpp`), and how
/// chat-analytics and tg-parser read it.
package struct TelegramImporter: Importer {
  package let format = "telegram"
  package let keepsZones = true
  static let service = ChatDays.Service(
    name: "Telegram", source: .telegramImport, provider: "telegram")

  package init() {}

  // MARK: Recognising

  static let kinds: Set<String> = [
    "personal_chat", "bot_chat", "saved_messages", "replies", "verify_codes", "private_group",
    "private_supergroup", "public_group", "public_supergroup", "private_channel", "public_channel",
  ]
  private static let sections = [
    "personal_information", "profile_pictures", "contacts", "frequent_contacts", "sessions",
    "web_sessions", "chats", "left_chats", "stories", "other_data",
  ]

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head).drop { $0.isWhitespace }
    guard text.first == "{" else { return false }
    let start = text.dropFirst().drop { $0.isWhitespace }
    if start.hasPrefix("\"about\"") {
      return Self.sections.contains { text.contains("\"\($0)\"") }
    }
    guard text.contains("\"messages\""), start.hasPrefix("\"") else { return false }
    return Self.kinds.contains {
      text.contains("\"type\": \"\($0)\"") || text.contains("\"type\":\"\($0)\"")
    }
  }

  package func recognises(_ zip: ZipFile, fileName: String) -> Bool { Self.result(in: zip) != nil }

  package func owns(_ zip: ZipFile) -> Bool {
    guard let result = Self.result(in: zip) else { return false }
    return zip.entries.allSatisfy { $0.isHidden || $0.folder.hasPrefix(result.folder) }
  }

  private static func result(in zip: ZipFile) -> ZipFile.Entry? {
    let candidates = zip.entries.filter { entry in
      entry.name.lowercased().hasSuffix(".json") && !entry.isHidden
        && entry.name.count { $0 == "/" } <= 1
    }
    guard candidates.count <= 20 else { return nil }
    let heads = zip.heads(of: candidates)
    let found = candidates.filter { entry in
      heads[entry.index].map { Self().recognises(head: $0, fileName: entry.name) } ?? false
    }
    return found.count == 1 ? found[0] : nil
  }

  private static let folders: Set<String> = [
    "photos", "files", "video_files", "voice_messages", "round_video_messages", "stickers",
    "contacts", "profile_pictures", "stories", "animations", "audio_files", "chats", "lists",
    "css", "js", "images",
  ]

  package func accompanies(_ name: String, filesIn homes: Set<String>) -> Bool {
    homes.contains { home in
      guard name.hasPrefix(home) else { return false }
      let rest = name.dropFirst(home.count)
      return rest.contains("/") && Self.folders.contains(String(rest.prefix { $0 != "/" }))
    }
  }

  // MARK: Reading

  package func surroundings(of file: ImportFile) -> [String]? {
    file.isZip ? [] : Self.folders.sorted()
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    guard file.isZip else {
      var reader = TelegramReader(
        file, folder: file.url.deletingLastPathComponent(), context: context, sink: sink
      ) { $0 }
      return try reader.read()
    }
    var archive = try ChatArchive(file)
    guard let result = Self.result(in: archive.zip) else {
      throw ImportRefusal(
        place: file.name, message: "the zip archive contains no result.json from Telegram Desktop")
    }
    let chosen = archive.zip.entries.filter { entry in
      !entry.isHidden && entry.folder.hasPrefix(result.folder)
        && !["html", "css", "js"].contains(entry.name.split(separator: ".").last ?? "")
        && !entry.name.hasSuffix("_thumb.jpg")
    }
    try archive.unpack(chosen, context: context, sink: sink)
    guard let list = archive.files[result.name] else {
      throw ImportRefusal(
        place: "\(file.name)/\(result.name)", message: "the message list can’t be unpacked")
    }
    var reader = TelegramReader(
      list, folder: archive.folder ?? list.url, context: context, sink: sink
    ) { archive.path(of: result.folder + $0) }
    try reader.read()
  }
}

import ArkivedCore
import Foundation

/// Imports Signal chats as programs write them in unencrypted form: the folders of signal-export
/// (`NAME/data.json` or `NAME/chat.md`, with `media/`), the JSON lines of signal-cli, and the
/// frames of Signal’s own backup as JSON lines (`main.jsonl`).
///
/// All messages of a chat and day become one entry.
///
/// Sources of the formats: signal-export’s models, signal-cli’s JSON-RPC manual and the parts of it
/// that signalbot reads, and Signal's `Backup.proto`.
package struct SignalImporter: Importer {
  package let format = "signal"
  package let keepsZones = true
  static let service = ChatDays.Service(name: "Signal", source: .signalImport, provider: "signal")

  package init() {}

  // MARK: Recognising

  /// The formats in which a file stores messages.
  enum Form { case messages, page, envelopes, frames }

  static func form(_ head: [UInt8], _ fileName: String) -> Form? {
    let last = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let text = HeadText.of(head).drop { $0.isWhitespace }
    if last == "chat.md" || last == "index.md" {
      return SignalPage.header(text.prefix { !$0.isNewline }) == nil ? nil : .page
    }
    let line = text.prefix { !$0.isNewline }
    guard line.first == "{" || line.first == "[" else { return nil }
    if line.contains("\"backupTimeMs\""), line.contains("\"version\"") { return .frames }
    if text.contains("\"envelope\""),
      ["dataMessage", "syncMessage", "typingMessage", "receiptMessage", "sourceDevice"]
        .contains(where: { text.contains("\"\($0)\"") })
    {
      return .envelopes
    }
    let members = ["date", "sender", "body", "attachments"]
    let isMessage = members.prefix(3).allSatisfy { line.contains("\"\($0)\"") }
    return isMessage && line.first == "{"
      && (line.contains("\"quote\"") || line.contains("\"reactions\""))
      ? .messages : nil
  }

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    Self.form(head, fileName) != nil
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard let last = parts.last else { return false }
    let home = parts.dropLast().map { $0 + "/" }.joined()
    if folders.contains(home) { return last == "index.html" }
    guard parts.count >= 2 else { return false }
    let above = parts.dropLast(2).map { $0 + "/" }.joined()
    return ["media", "files"].contains(parts[parts.count - 2]) && folders.contains(above)
  }

  // MARK: Reading

  /// The chat is named after its folder.
  package let namesPaths = true
  package func readsName(of file: ImportFile) -> Bool { true }
  package func surroundings(of file: ImportFile) -> [String]? { ["media", "files", "data.json"] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    guard let form = Self.form(try ZipMembers.head(of: file), file.name) else {
      throw ImportRefusal(
        place: file.name,
        message: "this isn’t a Signal export that Arkived can read: no signal-export messages, "
          + "signal-cli envelopes or backup frames found")
    }
    if form == .page, context.files.contains(where: { $0.name == "\(file.folder)data.json" }) {
      // It has the same content in more detail.
      return
    }
    var reader = SignalReader(file, context: context, sink: sink)
    switch form {
    case .page: try reader.readPage()
    case .messages, .envelopes, .frames: try reader.readLines(form)
    }
  }
}

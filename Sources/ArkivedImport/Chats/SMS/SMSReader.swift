import ArkivedCore
import Foundation

/// Reads one backup.
final class SMSReader: XMLEvents {
  private struct Part {
    var kind: String
    var text: String?
    var name: String?
    var file: String?
  }

  /// A multimedia message whose parts have not been read yet.
  private struct Draft {
    var fields: [String: String]
    var parts: [Part] = []
    /// The author, in a conversation with several people.
    var author: String?
    var addresses: [String] = []
    var line: Int
  }

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var days: ChatDays
  private var folder: URL?
  private var draft: Draft?
  private var stream: XMLStream?
  private var losses: [(line: Int, reason: String)] = []
  /// People's names, keyed by the ends of their numbers.
  private var names: [String: String] = [:]
  private var count = 0

  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    days = ChatDays(SMSImporter.service, context: context, sink: sink, keepsOrder: false)
  }

  private func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
    sink.diagnose(Diagnostic(severity, place: place, message: message))
  }

  func read() throws {
    let stream = XMLStream(self, root: "smses", records: ["sms", "mms"])
    self.stream = stream
    defer { self.stream = nil }
    var bytes = try SMSBytes(file.url) { [self] in try makeFolder() }
    defer { bytes.close() }
    do {
      while var piece = try bytes.next() {
        try piece.withUnsafeMutableBufferPointer { try stream.read($0) }
        sink.reach(bytes.offset)
      }
      try stream.finish()
    } catch let error as XMLStream.Unreasonable {
      throw ImportRefusal(place: file.name, message: "it can’t be read: \(error.description)")
    }
    guard stream.isBegun else {
      throw ImportRefusal(
        place: file.name,
        message: "this isn’t a backup of text messages: the smses element is missing")
    }
    try days.finish()
    for loss in losses.prefix(20) {
      tell(
        .skipped, "\(file.name):\(loss.line)",
        "\(loss.reason); everything up to the next message was skipped. Create the backup again")
    }
    if losses.count > 20 {
      tell(.skipped, file.name, "other places in the file that can’t be read: \(losses.count - 20)")
    }
    days.tellRest(at: file.name, advice: "Create the backup again with media")
    guard days.entries > 0 else {
      if let first = losses.first {
        throw ImportRefusal(place: "\(file.name):\(first.line)", message: first.reason)
      }
      return tell(.note, file.name, "nothing to import: no messages found")
    }
  }

  private func makeFolder() throws -> URL {
    if let folder { return folder }
    let made = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    folder = made
    days.folder = made
    return made
  }

  // MARK: Events

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
    switch String(cString: name) {
    case "sms": try take(fields(attributes), parts: nil, line: stream?.line ?? 0)
    case "mms": draft = Draft(fields: fields(attributes), line: stream?.line ?? 0)
    case "part":
      let part = fields(attributes)
      draft?.parts.append(
        Part(
          kind: part["ct"]?.lowercased() ?? "", text: part["text"],
          name: part["cl"] ?? part["fn"] ?? part["name"], file: part["data"]))
    case "addr":
      let fields = fields(attributes)
      guard let address = fields["address"], address != "insert-address-token" else { return }
      if fields["type"] == "137" {
        draft?.author = address
      } else {
        draft?.addresses.append(address)
      }
    default: break
    }
  }

  func end(_ name: UnsafePointer<CChar>) throws {
    guard strcmp(name, "mms") == 0, let message = draft else { return }
    draft = nil
    try take(message.fields, parts: message, line: message.line)
  }

  func lost(line: Int, byte: Int, reason: String) {
    draft = nil
    losses.append((line, reason))
  }

  /// Returns the attributes that have a meaningful value.
  private func fields(_ attributes: XMLAttributes) -> [String: String] {
    var fields: [String: String] = [:]
    attributes.forEach { name, value in
      let text = String(cString: value)
      if !text.isEmpty, text != "null" { fields[String(cString: name)] = text }
    }
    return fields
  }

  // MARK: Messages

  private func take(_ fields: [String: String], parts: Draft?, line: Int) throws {
    let place = "\(file.name):\(line)"
    count += 1
    guard let told = fields["date"], let number = Int64(told),
      // Some programs write seconds.
      let time = ChatJSON.instant(milliseconds: number < 100_000_000_000 ? number * 1_000 : number),
      number > 0
    else {
      return tell(
        .skipped, "\(place) field “date”",
        "skipped: \(FieldError.shown(fields["date"] ?? "")) isn’t a time in milliseconds since 1970"
      )
    }
    let box = fields[parts == nil ? "type" : "msg_box"] ?? "1"
    let isOwn = box != "1"
    let chat = chat(fields, parts)
    var message = ChatMessage(
      time: time, wall: nil, sender: .owner, text: fields["body"] ?? "", place: place)
    if !isOwn { message.sender = .other(author(parts, chat)) }
    if let parts { add(parts, to: &message) }
    if let subject = fields["subject"] ?? fields["sub"], !subject.hasPrefix("proto:") {
      message.text = message.text.isEmpty ? subject : "\(subject)\n\(message.text)"
    }
    switch box {
    case "3": message.text = "(draft) \(message.text)"
    case "4", "5", "6": message.text = "(not sent) \(message.text)"
    default: break
    }
    if message.text.isEmpty, message.files.isEmpty {
      // One that was announced and never fetched.
      message.text = parts == nil ? "(empty message)" : "(multimedia message without content)"
    }
    try days.take(message, in: chat)
  }

  private func add(_ draft: Draft, to message: inout ChatMessage) {
    var texts: [String] = []
    for part in draft.parts {
      switch part.kind {
      case "application/smil": break
      case "text/plain":
        if let text = part.text { texts.append(text) }
      default:
        let kind = part.kind.split(separator: "/").last.map(String.init) ?? "file"
        let name = part.name ?? "attachment.\(kind == "jpeg" ? "jpg" : kind)"
        let path = part.file == "broken" ? nil : part.file
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
        message.files.append(
          ChatFile(name: last ?? name, path: path, replacement: "(\(name) not in the backup)"))
      }
    }
    message.text = texts.joined(separator: "\n")
  }

  // MARK: People

  /// Returns the last digits of a number, which are the same however it is written; otherwise the
  /// name of a service.
  private static func key(_ address: String) -> String {
    guard let phone = PhoneNumber.canonical(address) else { return NameFolding.key(address) }
    return String(phone.drop { $0 == "+" }.suffix(9))
  }

  private func chat(_ fields: [String: String], _ parts: Draft?) -> Chat {
    var addresses = (fields["address"] ?? "").split(separator: "~").map(String.init)
      .filter { $0 != "insert-address-token" }
    if addresses.isEmpty, let parts {
      addresses = [parts.author].compactMap(\.self) + parts.addresses
    }
    let told = fields["contact_name"].flatMap { $0 == "(Unknown)" ? nil : $0 }
    if addresses.count > 1 {
      let parted = (told ?? "").components(separatedBy: ", ")
      if parted.count == addresses.count {
        for (address, name) in zip(addresses, parted) where name != "(Unknown)" && !name.isEmpty {
          names[Self.key(address)] = ChatName.settled(name)
        }
      }
      let shown = addresses.map { name(of: $0) }
      return Chat(
        key: Set(addresses.map(Self.key)).sorted().joined(separator: "~"),
        name: shown.prefix(6).joined(separator: ", "))
    }
    let address = addresses.first ?? ""
    let key = Self.key(address)
    if let told { names[key] = ChatName.settled(told) }
    let shown = name(of: address)
    // Numbers of services, and words instead of numbers, don't identify people.
    let isSomebody = told != nil || PhoneNumber.canonical(address) != nil
    return Chat(
      key: key.isEmpty ? "unknown" : key, name: shown.isEmpty ? "unknown" : shown,
      company: isSomebody ? .pair : .strangers)
  }

  private func name(of address: String) -> String {
    names[Self.key(address)] ?? ChatName.settled(address)
  }

  private func author(_ parts: Draft?, _ chat: Chat) -> String {
    guard chat.company == .group, let author = parts?.author else { return chat.name }
    return name(of: author)
  }
}

import ArkivedCore
import Foundation

/// Reads a `result.json` twice, because the names of chats may come after their messages.
struct TelegramReader {
  /// The data about a chat apart from its messages.
  private struct Head {
    var name = ""
    var kind = ""
    var id: Int64?

    var chat: Chat {
      let shown = kind == "saved_messages" ? "Saved messages" : name
      let company: Chat.Company =
        switch kind {
        case "personal_chat": .pair
        case "private_group", "private_supergroup": .group
        default: .strangers
        }
      let settled = ChatName.settled(shown)
      return Chat(
        key: id.map(String.init) ?? "\(kind)/\(NameFolding.key(settled))",
        name: settled.isEmpty && company == .pair ? "Deleted account" : settled,
        company: settled.isEmpty && company == .pair ? .strangers : company)
    }
  }

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private let path: (String) -> String?
  private var days: ChatDays
  private var heads: [Head] = []
  /// The number of the chat being read.
  private var number = 0
  private var owner: Int64?
  private var sections: [String] = []
  private var messages = 0
  private var skipped = 0

  init(
    _ file: ImportFile, folder: URL, context: ImportContext, sink: any ImportSink,
    path: @escaping (String) -> String?
  ) {
    self.file = file
    self.context = context
    self.sink = sink
    self.path = path
    days = ChatDays(
      TelegramImporter.service, context: context, sink: sink, keepsOrder: false, folder: folder)
  }

  private func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
    sink.diagnose(Diagnostic(severity, place: place, message: message))
  }

  mutating func read() throws {
    var failure: JSONStreamError?
    try? walk { _, _, stream in try stream.skip() }
    do {
      try walk { reader, head, stream in try reader.take(&stream, head.chat) }
    } catch let error as JSONStreamError {
      failure = error
    }
    try days.finish()
    if let failure {
      guard days.entries > 0 else {
        throw ImportRefusal(
          place: file.name,
          message: "this Telegram Desktop export can’t be read: \(failure)")
      }
      tell(.skipped, file.name, "only part of the file could be read: \(failure). Export it again")
    }
    if !sections.isEmpty {
      tell(.note, file.name, "not imported: \(sections.joined(separator: ", "))")
    }
    if skipped > 0 {
      tell(
        .skipped, file.name, "skipped messages that Telegram couldn’t export: \(skipped)")
    }
    days.tellRest(
      at: file.name, advice: "Export again with these kinds of media and a higher size limit")
    if days.entries == 0 { tell(.note, file.name, "nothing to import: no messages found") }
  }

  // MARK: The document

  private typealias Body = (inout TelegramReader, Head, inout JSONStream) throws -> Void

  /// Iterates over all chats.
  ///
  /// - Parameter body: takes the list of a chat's messages.
  /// - Throws: what `body` throws.
  private mutating func walk(_ body: Body) throws {
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    let isFirst = heads.isEmpty
    number = 0
    var head = Head()
    var isChat = false
    // Applies to a truncated file too.
    defer { if isFirst, isChat { heads.append(head) } }
    try stream.members { key, stream in
      switch key {
      case "name", "type", "id", "messages":
        isChat = true
        try member(key, &head, &stream, body)
      case "chats", "left_chats": try chats(&stream, isFirst, body)
      case "personal_information":
        guard let bytes = try stream.bytes() else { return }
        owner = (try? ChatJSON.value(bytes)).flatMap { ChatJSON.integer($0["user_id"]) }
      case "about": try stream.skip()
      default:
        if !isFirst { sections.append(key.replacing("_", with: " ")) }
        try stream.skip()
      }
    }
  }

  private mutating func chats(
    _ stream: inout JSONStream, _ isFirst: Bool, _ body: Body
  ) throws {
    try stream.members { key, stream in
      guard key == "list", try stream.kind() == .array else { return try stream.skip() }
      try stream.elements { stream in
        guard try stream.kind() == .object else { return try stream.skip() }
        var head = Head()
        defer {
          if isFirst { heads.append(head) }
          number += 1
        }
        try stream.members { key, stream in try member(key, &head, &stream, body) }
      }
    }
  }

  private mutating func member(
    _ key: String, _ head: inout Head, _ stream: inout JSONStream, _ body: Body
  ) throws {
    switch key {
    case "messages":
      guard try stream.kind() == .array else { return try stream.skip() }
      // Known from the first pass, regardless of the position of its members.
      try body(&self, heads.indices.contains(number) ? heads[number] : head, &stream)
    case "name", "type", "id":
      guard let bytes = try stream.bytes(), let value = try? ChatJSON.value(bytes) else { return }
      switch key {
      case "name": head.name = value.string ?? ""
      case "type": head.kind = value.string ?? ""
      default: head.id = ChatJSON.integer(value)
      }
    default: try stream.skip()
    }
  }

  // MARK: Messages

  private mutating func take(_ stream: inout JSONStream, _ chat: Chat) throws {
    var index = 0
    try stream.elements { stream in
      index += 1
      messages += 1
      let place = "\(file.name) chat “\(chat.name.prefix(40))” message \(index)"
      if messages.isMultiple(of: 1_000) { sink.reach(stream.offset) }
      guard let bytes = try stream.bytes() else {
        return tell(
          .skipped, place, "skipped: it is larger than \(JSONStream.lengthLimit >> 20) MiB")
      }
      guard let json = try? ChatJSON.value(bytes), json.object != nil else {
        return tell(.skipped, place, "skipped: it isn’t a valid JSON object")
      }
      try take(json, chat, place)
    }
  }

  private mutating func take(_ json: JSON, _ chat: Chat, _ place: String) throws {
    let kind = json["type"]?.string ?? "message"
    guard kind == "message" || kind == "service" else {
      skipped += 1
      return
    }
    guard let (time, wall) = time(of: json) else {
      let value = json["date_unixtime"]?.string ?? json["date"]?.string ?? ""
      return tell(
        .skipped, "\(place) field “date”",
        "skipped: \(FieldError.shown(value)) isn’t a valid date and time")
    }
    var message = ChatMessage(
      time: time, wall: wall, sender: sender(of: json, chat), text: "", place: place)
    let text = TelegramText(json)
    if kind == "service" {
      message.text = text.notice
      if json["action"]?.string != "phone_call" { message.sender = .service }
    } else {
      message.text = text.words
      message.files = text.files(path)
    }
    guard !message.text.isEmpty || !message.files.isEmpty else { return }
    try days.take(message, in: chat)
  }

  private func time(of json: JSON) -> (Instant, WallTime?)? {
    if let seconds = ChatJSON.integer(json["date_unixtime"]) {
      guard (0..<100_000_000_000).contains(seconds),
        let instant = ChatJSON.instant(milliseconds: seconds * 1_000)
      else { return nil }
      return (instant, nil)
    }
    // Before 2021, the time on the clock of the computer that exported it.
    guard let date = json["date"]?.string, date.count >= 19,
      let day = DayKey(String(date.prefix(10))),
      let second = TableTimes.secondOfDay(String(date.dropFirst(11).prefix(8)))
    else { return nil }
    let wall = WallTime(day: day, secondOfDay: second)
    return (context.zones.instant(of: wall), wall)
  }

  private func sender(of json: JSON, _ chat: Chat) -> ChatMessage.Sender {
    let id = json["from_id"] ?? json["actor_id"]
    let number =
      ChatJSON.integer(id) ?? id?.string.flatMap { Int64($0.drop { !$0.isNumber }) }
    let name = ChatName.settled(json["from"]?.string ?? json["actor"]?.string ?? "")
    if chat.name == "Saved messages", chat.company == .strangers { return .owner }
    if let owner, number == owner { return .owner }
    if chat.company == .pair {
      // In a chat of two, anyone who isn't the other person is the owner.
      let isOther = number.map { String($0) == chat.key } ?? false || name == chat.name
      return isOther ? .other(chat.name) : .owner
    }
    guard name.isEmpty else { return .other(name) }
    // Only the number tells one of them from another.
    return .deleted("Deleted account" + (number.map { " \($0)" } ?? ""))
  }
}

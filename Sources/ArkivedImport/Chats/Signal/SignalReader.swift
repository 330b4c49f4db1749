import ArkivedCore
import Foundation

/// Reads one file.
struct SignalReader {
  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var days: ChatDays
  private let folder: URL
  private var people = SignalPeople()
  private var lines = 0
  private var others = 0

  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    folder = file.url.deletingLastPathComponent()
    days = ChatDays(
      SignalImporter.service, context: context, sink: sink, keepsOrder: false, folder: folder)
  }

  private func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
    sink.diagnose(Diagnostic(severity, place: place, message: message))
  }

  // MARK: Pages

  /// Returns the chat of a folder from signal-export.
  ///
  /// - Parameter senders: the senders, up to a few.
  /// - Returns: the chat.
  private func chat(of senders: [String]) -> Chat {
    let name = ChatName.settled(folder.lastPathComponent)
    let others = senders.filter { $0 != "Me" }
    let key = "folder/\(NameFolding.key(name))"
    if name == "Note to Self" { return Chat(key: key, name: name, company: .strangers) }
    let isPair =
      others.count <= 1
      && others.allSatisfy { NameFolding.key(ChatName.settled($0)) == NameFolding.key(name) }
    return Chat(key: key, name: name, company: isPair && !others.isEmpty ? .pair : .group)
  }

  private static func sender(_ name: String, _ chat: Chat) -> ChatMessage.Sender {
    switch name {
    case "Me": .owner
    case "No-Sender", "": .service
    default: .other(chat.company == .pair ? chat.name : ChatName.settled(name))
    }
  }

  mutating func readPage() throws {
    var senders: [String] = []
    try forEachLine { _, text in
      guard let header = SignalPage.header(text[...]), senders.count < 4,
        !senders.contains(header.sender)
      else { return }
      senders.append(header.sender)
    }
    let chat = chat(of: senders)
    var draft: (header: SignalPage.Header, text: String, line: Int)?
    func handOn() throws {
      guard let draft else { return }
      let (files, text) = SignalPage.split(draft.text)
      let message = ChatMessage(
        time: context.zones.instant(of: draft.header.wall), wall: draft.header.wall,
        sender: Self.sender(draft.header.sender, chat), text: text,
        files: files.map {
          ChatFile(name: $0.name, path: ChatPath.settled($0.path), replacement: nil)
        }, place: "\(file.name):\(draft.line)")
      guard !message.files.isEmpty || !text.isEmpty else { return }
      try days.take(message, in: chat)
    }
    var lost = 0
    try forEachLine { number, text in
      if let header = SignalPage.header(text[...]) {
        try handOn()
        draft = (header, String(header.text), number)
      } else if draft != nil {
        draft?.text += "\n\(text)"
      } else if !text.allSatisfy(\.isWhitespace) {
        lost += 1
      }
    }
    try handOn()
    if lost > 0 {
      tell(.skipped, "\(file.name):1", "skipped \(lost) lines before the first message")
    }
    try finish()
  }

  // MARK: JSON Lines

  mutating func readLines(_ form: SignalImporter.Form) throws {
    if form == .messages {
      var senders: [String] = []
      try forEachLine { _, text in
        guard senders.count < 4, let json = try? ChatJSON.value(Array(text.utf8)),
          let sender = json["sender"]?.string, !senders.contains(sender)
        else { return }
        senders.append(sender)
      }
      people.chat = chat(of: senders)
    }
    try forEachLine { number, text in
      let place = "\(file.name):\(number)"
      // A list of all recipients, one per line.
      var line = text.trimmingCharacters(in: .whitespaces)[...]
      if line.first == "[" { line.removeFirst() }
      while let last = line.last, last == "," || last == "]" && !line.hasSuffix("}]}]") {
        line.removeLast()
      }
      guard !line.isEmpty else { return }
      lines += 1
      guard let json = try? ChatJSON.value(Array(line.utf8)), json.object != nil else {
        return tell(.skipped, place, "skipped: it isn’t a valid JSON object")
      }
      switch form {
      case .messages: try takeMessage(json, place)
      case .envelopes:
        try takeEnvelope(json["envelope"] ?? json["params"]?["envelope"] ?? json, json, place)
      case .frames: try takeFrame(json, place)
      case .page: break
      }
    }
    if others > 0 {
      tell(.note, file.name, "skipped lines without a message, such as receipts: \(others)")
    }
    try finish()
  }

  private mutating func takeMessage(_ json: JSON, _ place: String) throws {
    guard let date = json["date"]?.string, let (time, wall) = time(date) else {
      return tell(
        .skipped, "\(place) field “date”",
        "skipped: \(FieldError.shown(json["date"]?.string ?? "")) isn’t a valid date and time")
    }
    var parts: [String] = []
    let quote = (json["quote"]?.string ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    if !quote.isEmpty { parts.append(quote) }
    if json["deleted"]?.bool == true { parts.append("(This message was deleted)") }
    parts.append((json["body"]?.string ?? "").trimmingCharacters(in: .whitespacesAndNewlines))
    if let sticker = json["sticker"]?.string ?? json["sticker"]?["emoji"]?.string, !sticker.isEmpty
    {
      parts.append("(sticker \(sticker))")
    }
    let reactions = (json["reactions"]?.array ?? []).compactMap { reaction -> String? in
      // An object, or a pair in the form of Python's tuples.
      let name = reaction["name"]?.string ?? reaction.array?.first?.string
      let emoji = reaction["emoji"]?.string ?? reaction.array?.last?.string
      return name.flatMap { name in emoji.map { "\(name): \($0)" } }
    }
    if !reactions.isEmpty { parts.append("(\(reactions.joined(separator: ", ")))") }
    let files = (json["attachments"]?.array ?? []).compactMap { attachment -> ChatFile? in
      guard let path = attachment["path"]?.string else { return nil }
      let plain = path.removingPercentEncoding ?? path
      return ChatFile(
        name: attachment["name"]?.string ?? plain, path: ChatPath.settled(plain), replacement: nil)
    }
    let message = ChatMessage(
      time: time, wall: wall, sender: Self.sender(json["sender"]?.string ?? "", people.chat),
      text: parts.filter { !$0.isEmpty }.joined(separator: "\n"), files: files, place: place)
    guard !message.text.isEmpty || !files.isEmpty else { return }
    try days.take(message, in: people.chat)
  }

  /// Returns a time with an offset, or the wall-clock time on the computer that exported it.
  private func time(_ text: String) -> (Instant, WallTime?)? {
    if let instant = Instant(text) { return (instant, nil) }
    guard text.count >= 19, let day = DayKey(String(text.prefix(10))),
      let second = TableTimes.secondOfDay(String(text.dropFirst(11).prefix(8)))
    else { return nil }
    let wall = WallTime(day: day, secondOfDay: second)
    return (context.zones.instant(of: wall), wall)
  }

  private mutating func takeEnvelope(_ json: JSON, _ whole: JSON, _ place: String) throws {
    let sent = json["syncMessage"]?["sentMessage"]
    let data =
      sent?["editMessage"]?["dataMessage"] ?? sent ?? json["dataMessage"]
      ?? json["editMessage"]?["dataMessage"]
    guard let data, data.object != nil else {
      others += 1
      return
    }
    guard
      let time = ChatJSON.instant(
        milliseconds: ChatJSON.integer(data["timestamp"]) ?? ChatJSON.integer(json["timestamp"]))
    else {
      return tell(
        .skipped, "\(place) field “timestamp”", "skipped: the time of the message is missing")
    }
    let source = SignalPeople.Address(json, "source")
    let chat: Chat
    if let group = data["groupInfo"], let id = group["groupId"]?.string {
      chat = people.group(id, named: group["groupName"]?.string ?? group["name"]?.string)
    } else if let sent {
      chat = people.pair(SignalPeople.Address(sent, "destination"), own: source)
    } else {
      chat = people.pair(source, own: nil)
    }
    var text = data["message"]?.string ?? ""
    if let quote = data["quote"]?["text"]?.string, !quote.isEmpty { text = "> \(quote)\n\(text)" }
    if let reaction = data["reaction"]?["emoji"]?.string { text = "(\(reaction))" }
    if data["remoteDelete"] != nil || data["isExpirationUpdate"]?.bool == true, text.isEmpty {
      others += 1
      return
    }
    if data["sticker"]?.object != nil { text += "(sticker)" }
    let files = (data["attachments"]?.array ?? []).map { attachment in
      let id = attachment["id"]?.string ?? ""
      let name = attachment["filename"]?.string ?? (id.isEmpty ? "attachment" : id)
      return ChatFile(name: name, path: id.isEmpty ? nil : ChatPath.settled(id), replacement: nil)
    }
    guard !text.isEmpty || !files.isEmpty else {
      others += 1
      return
    }
    try days.take(
      ChatMessage(
        time: time, wall: nil, sender: sent != nil ? .owner : .other(people.name(of: source)),
        text: text, files: files, place: place), in: chat)
  }

  private mutating func takeFrame(_ json: JSON, _ place: String) throws {
    if let recipient = json["recipient"] { return people.take(recipient: recipient) }
    if let chat = json["chat"] { return people.take(chat: chat) }
    guard let item = json["chatItem"] else { return }
    guard let time = ChatJSON.instant(milliseconds: ChatJSON.integer(item["dateSent"])) else {
      return tell(
        .skipped, "\(place) field “dateSent”", "skipped: the time of the message is missing")
    }
    let words = SignalFrame(item)
    guard !words.text.isEmpty || !words.files.isEmpty else {
      others += 1
      return
    }
    let id = item["chatId"].map { SignalPeople.id($0) } ?? ""
    let author = item["authorId"].map { SignalPeople.id($0) } ?? ""
    let isOwn = item["outgoing"] != nil || author == people.own
    try days.take(
      ChatMessage(
        time: time, wall: nil,
        sender: words.isNotice
          ? .service : isOwn ? .owner : .other(people.name(ofRecipient: author)),
        text: words.text, files: words.files, place: place), in: people.chat(id))
  }

  // MARK: The file

  private func forEachLine(_ body: (Int, String) throws -> Void) throws {
    var reader = try LineReader(file.url)
    defer { reader.close() }
    var isTold = false
    while let line = try reader.next() {
      guard case .bytes(var bytes) = line else {
        tell(
          .skipped, "\(file.name):\(reader.number)",
          "skipped: the line is longer than \(LineReader.lengthLimit >> 20) MiB")
        continue
      }
      if reader.number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      if reader.number.isMultiple(of: 1_000) { sink.reach(reader.offset) }
      if let text = String(validating: bytes, as: UTF8.self) {
        try body(reader.number, text)
      } else {
        if !isTold, context.notes.isFirst("signal encoding \(file.name)") {
          tell(
            .note, "\(file.name):\(reader.number)", "not valid UTF-8; read as Windows-1252")
        }
        isTold = true
        try body(reader.number, String(decoding: WindowsLatin.utf8(bytes[...]), as: UTF8.self))
      }
    }
  }

  private mutating func finish() throws {
    try days.finish()
    days.tellRest(at: file.name, advice: "Export again with attachments")
    if days.entries == 0 { tell(.note, file.name, "nothing to import: no messages found") }
  }
}

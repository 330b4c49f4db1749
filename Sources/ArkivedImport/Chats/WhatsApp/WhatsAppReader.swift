import ArkivedCore
import Foundation

/// Reads one chat.
struct WhatsAppReader {
  /// The maximum length of a line; chats have no longer lines.
  private static let lineLimit = 1 << 20
  /// The number of bytes after which a message continues as another one.
  private static let messageLimit = 512 << 10

  private let file: ImportFile
  private let name: String?
  private let folder: URL
  private let context: ImportContext
  private let sink: any ImportSink
  private let path: (String) -> String?

  /// Creates a reader for a chat whose media are looked up by name, below the folder or with
  /// `path`.
  init(
    _ file: ImportFile, named name: String?, folder: URL, context: ImportContext,
    sink: any ImportSink, path: @escaping (String) -> String?
  ) {
    self.file = file
    self.name = name
    self.folder = folder
    self.context = context
    self.sink = sink
    self.path = path
  }

  private func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
    sink.diagnose(Diagnostic(severity, place: place, message: message))
  }

  func read() throws {
    let survey = try survey()
    guard survey.headers > 0 else {
      throw ImportRefusal(
        place: file.name,
        message: "this isn’t a WhatsApp chat: no line starts with a date and time as in WhatsApp "
          + "exports")
    }
    let dates = survey.dates.reading()
    if dates.isAssumed {
      tell(
        .note, file.name,
        "the chat doesn’t show whether its dates start with the day or the month. They were read "
          + "with the \(dates.first) first. If that’s wrong, undo this import and run it again "
          + "with LC_TIME=\(dates.first == "day" ? "en_US" : "en_GB").UTF-8")
    }
    var days = ChatDays(
      WhatsAppImporter.service, context: context, sink: sink, keepsOrder: true, folder: folder)
    try readMessages(
      of: survey.chat(named: name), dates, isOfOldForm: survey.isOfOldForm, into: &days)
    try days.finish()
    days.tellRest(at: file.name, advice: "Export the chat with media to import them")
    if days.entries == 0 {
      tell(.note, file.name, "nothing to import: nobody wrote anything in this chat")
    }
  }

  // MARK: Survey

  private struct Survey {
    var dates: WhatsAppDates
    var headers = 0
    /// Those who write, up to a few.
    var senders: [String] = []
    /// The name shown as the sender of the first notice: on iOS, the chat itself.
    var title: String?
    /// True if the chat's first date ends with a colon; in other chats, such dates are quoted.
    var isOfOldForm = false

    func chat(named name: String?) -> Chat {
      let title = title.flatMap { $0.isEmpty ? nil : $0 }
      let shown = name ?? title ?? senders.prefix(3).sorted().joined(separator: ", ")
      let key = NameFolding.key(shown)
      guard senders.count <= 2 else { return Chat(key: key, name: shown) }
      let isPartner = senders.contains { NameFolding.key($0) == key }
      if isPartner { return Chat(key: key, name: shown, company: .pair) }
      // If only one person wrote, it is unknown whether that is the owner.
      return Chat(key: key, name: shown, company: senders.count == 1 ? .strangers : .group)
    }
  }

  private func survey() throws -> Survey {
    let latest = context.homeZone.dayKey(at: context.now).advanced(by: 1)
    var survey = Survey(dates: WhatsAppDates(latest: latest))
    var source = try TextBytes(file.url)
    defer { source.close() }
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      line.removeAll(keepingCapacity: true)
      guard try source.readLine(into: &line, limit: Self.lineLimit, tooLong: &isTooLong) else {
        break
      }
      guard case .header(let header) = WhatsAppHeader.look(at: line) else { continue }
      if survey.headers == 0 { survey.isOfOldForm = header.isOfOldForm }
      guard header.isOfOldForm == survey.isOfOldForm else { continue }
      survey.headers += 1
      survey.dates.take(header)
      guard survey.senders.count < 4 else { continue }
      let words = WhatsAppWords(
        String(decoding: line[header.end...].prefix(400), as: UTF8.self)[...])
      guard let sender = words.sender else { continue }
      if survey.headers == 1, words.isMarked, !words.namesFile {
        survey.title = sender
      } else if !words.isMarked || sender != survey.title, !survey.senders.contains(sender) {
        survey.senders.append(sender)
      }
    }
    return survey
  }

  // MARK: Reading

  private struct Draft {
    var time: Instant
    var wall: WallTime
    var words: WhatsAppWords
    var bytes: Int
    var line: Int
  }

  private func readMessages(
    of chat: Chat, _ dates: WhatsAppDates.Reading, isOfOldForm: Bool, into days: inout ChatDays
  ) throws {
    var source = try TextBytes(file.url)
    defer { source.close() }
    var line: [UInt8] = []
    var number = 0
    var offset = 0
    var draft: Draft?
    var isFirst = true
    var lost = 0
    while true {
      line.removeAll(keepingCapacity: true)
      var isTooLong = false
      guard try source.readLine(into: &line, limit: Self.lineLimit, tooLong: &isTooLong) else {
        break
      }
      number += 1
      offset += line.count + 1
      if line.last == 0x0D { line.removeLast() }
      guard !isTooLong else {
        tell(
          .skipped, "\(file.name):\(number)",
          "skipped: the line is longer than \(Self.lineLimit >> 20) MiB")
        continue
      }
      switch WhatsAppHeader.look(at: line) {
      case .header(let header) where header.isOfOldForm == isOfOldForm:
        guard let day = dates.day(header) else {
          tellImpossible(line, number)
          go(on: line, &draft, &lost)
          continue
        }
        try handOn(draft, chat, &days)
        let wall = WallTime(day: day, secondOfDay: header.secondOfDay)
        draft = Draft(
          time: context.zones.instant(of: wall), wall: wall,
          words: WhatsAppWords(text(line[header.end...], number)[...]), bytes: line.count,
          line: number)
        // iOS writes the notice about encryption under the name of the chat. A chat that was cut at
        // its limit may also begin with somebody's photo.
        if isFirst, let words = draft?.words, words.isMarked, !words.namesFile {
          draft?.words.sender = nil
        }
        isFirst = false
        if number.isMultiple(of: 1_000) { sink.reach(offset) }
      case .impossible:
        tellImpossible(line, number)
        go(on: line, &draft, &lost)
      case .header, .none:
        if let open = draft, open.bytes > Self.messageLimit {
          try handOn(open, chat, &days)
          draft?.words.text = ""
          draft?.bytes = 0
        }
        go(on: line, &draft, &lost)
      }
    }
    try handOn(draft, chat, &days)
    if lost > 0 {
      tell(
        .skipped, "\(file.name):1",
        "skipped \(lost == 1 ? "1 line" : "\(lost) lines") before the first message")
    }
  }

  private func tellImpossible(_ line: [UInt8], _ number: Int) {
    let shown = String(decoding: line.prefix(40), as: UTF8.self)
    tell(
      .note, "\(file.name):\(number)",
      "\(FieldError.shown(ChatText.plain(shown))) has a date or time that doesn’t exist; the line was "
        + "added to the message before it")
  }

  /// Adds a line to the message that it continues.
  private func go(on line: [UInt8], _ draft: inout Draft?, _ lost: inout Int) {
    guard draft != nil else {
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { lost += 1 }
      return
    }
    draft?.words.text += "\n" + ChatText.plain(text(line[...], 0))
    draft?.bytes += line.count + 1
  }

  private func text(_ bytes: ArraySlice<UInt8>, _ number: Int) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if context.notes.isFirst("whatsapp encoding \(file.name)") {
      tell(.note, "\(file.name):\(number)", "not valid UTF-8; read as Windows-1252")
    }
    return String(decoding: WindowsLatin.utf8(bytes), as: UTF8.self)
  }

  private func handOn(_ draft: Draft?, _ chat: Chat, _ days: inout ChatDays) throws {
    guard let draft else { return }
    let words = draft.words
    var message = ChatMessage(
      time: draft.time, wall: draft.wall, sender: .service, text: words.text,
      place: "\(file.name):\(draft.line)")
    // On iOS, notices of a group look as if the group had written them.
    if let sender = words.sender, !(words.isMarked && isNotice(sender, chat)) {
      message.sender = .other(sender)
      let (files, text) = WhatsAppFiles.split(words.text, isMarked: words.isMarked, path: path)
      (message.files, message.text) = (files, text)
    }
    guard !message.files.isEmpty || !message.text.allSatisfy(\.isWhitespace) else { return }
    try days.take(message, in: chat)
  }

  private func isNotice(_ sender: String, _ chat: Chat) -> Bool {
    chat.company != .pair && NameFolding.key(sender) == chat.key
  }
}

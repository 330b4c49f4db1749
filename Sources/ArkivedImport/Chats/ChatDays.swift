import ArkivedCore
import Foundation

/// Combines all messages that a conversation has on a day into one entry.
///
/// It stores the days that are being collected, in bounded memory. If a day grows too large, or
/// more messages arrive after it has been passed on, it continues in further entries, so nothing is
/// lost.
struct ChatDays {
  /// A service whose conversations are imported.
  struct Service {
    /// The beginning of the entries’ texts, such as `WhatsApp`.
    var name: String
    var source: ActivitySource
    var provider: String
  }

  /// The maximum amount of text in an entry; more text creates another entry for the same day.
  private static let textLimit = 1 << 20
  private static let attachmentLimit = 2_000
  /// The maximum amount of data held; beyond that, the days that have been unchanged longest are
  /// passed on.
  private static let heldLimit = 24 << 20

  private struct Day {
    var chat: Chat
    var day: DayKey
    var messages: [(time: Instant, text: String)] = []
    var people: [String] = []
    var attachments: [Attachment] = []
    /// The names and contents of its attachments, used to check whether they changed.
    var contents: [String] = []
    var bytes = 0
    var place: String
    /// The number of messages received when its last message arrived.
    var touched = 0
    /// The number of messages written by people; notices alone don't create an entry.
    var written = 0
  }

  private struct Key: Hashable {
    var chat: String
    var day: Int
  }

  let service: Service
  private let context: ImportContext
  private let sink: any ImportSink
  /// True if messages arrive in the order they were written, which is more reliable than their
  /// times.
  private let keepsOrder: Bool
  /// The base folder of file paths.
  var folder: URL?
  private var open: [Key: Day] = [:]
  /// The number of entries that have been passed on for each day.
  private var parts: [Key: Int] = [:]
  private var count = 0
  private var held = 0
  private(set) var entries = 0
  /// The number of messages passed on.
  private(set) var messages = 0
  /// Days with nothing but notices.
  private(set) var silentDays = 0
  /// Files that messages refer to but that are missing.
  private(set) var missing: [String] = []
  private(set) var missingCount = 0

  init(
    _ service: Service, context: ImportContext, sink: any ImportSink, keepsOrder: Bool,
    folder: URL? = nil
  ) {
    self.service = service
    self.context = context
    self.sink = sink
    self.keepsOrder = keepsOrder
    self.folder = folder
  }

  // MARK: Messages

  mutating func take(_ message: ChatMessage, in chat: Chat) throws {
    let wall = message.wall ?? context.zones.zone(at: message.time).wallTime(at: message.time)
    let key = Key(chat: chat.key, day: wall.day.daysSinceEpoch)
    count += 1
    var day =
      open.removeValue(forKey: key)
      ?? Day(chat: chat, day: wall.day, place: message.place)
    held -= day.bytes
    day.touched = count
    let text = add(message, at: wall, to: &day)
    day.messages.append((message.time, text))
    day.bytes += text.utf8.count + 64
    held += day.bytes
    if case .service = message.sender {} else { day.written += 1 }
    if day.bytes > Self.textLimit || day.attachments.count >= Self.attachmentLimit {
      held -= day.bytes
      try handOn(day, key)
    } else {
      open[key] = day
      if held > Self.heldLimit { try handOnRested() }
    }
  }

  private mutating func add(
    _ message: ChatMessage, at wall: WallTime, to day: inout Day
  ) -> String {
    var parts: [String] = []
    for file in message.files {
      if let marker = attach(file, message, to: &day) {
        parts.append(marker)
      } else {
        if missing.count < 3 { missing.append(file.name) }
        missingCount += 1
        parts.append(ChatText.markdown(file.replacement ?? "(\(file.name))"))
      }
    }
    let text = message.text.trimmingCharacters(in: .whitespacesAndNewlines)
    if !text.isEmpty { parts.append(ChatText.markdown(text)) }
    let body = parts.joined(separator: "  \n")
    switch message.sender {
    case .owner: return "**\(wall.clockText) Me:** \(body)"
    case .service: return "\(wall.clockText) – \(body)"
    case .other(let name):
      if !day.people.contains(name), day.people.count < 500 { day.people.append(name) }
      return "**\(wall.clockText) \(MarkdownEscapes.escapedLine(name)):** \(body)"
    case .deleted(let name):
      return "**\(wall.clockText) \(MarkdownEscapes.escapedLine(name)):** \(body)"
    }
  }

  /// - Returns: the replacement in the text; nil if the file is missing.
  private mutating func attach(
    _ file: ChatFile, _ message: ChatMessage, to day: inout Day
  ) -> String? {
    guard let path = file.path, let folder,
      let type = Self.type(of: folder.appendingPathComponent(path))
    else { return nil }
    var name = String(file.name.prefix(200))
    // Two files of the same name on a day are distinguished in the text.
    if day.attachments.contains(where: { $0.originalName == name && $0.relativePath != path }) {
      name = "\(day.attachments.count + 1)-\(name)"
    }
    if !day.attachments.contains(where: { $0.relativePath == path }) {
      day.attachments.append(
        Attachment(
          id: context.identities.next(), type: type.attachmentType, relativePath: path,
          mediaType: type.name, originalName: name, createdAt: message.time,
          updatedAt: message.time))
      day.contents.append(name)
    }
    let word =
      type.name.hasPrefix("image/")
      ? "photo"
      : type.name.hasPrefix("video/") ? "video" : type.name.hasPrefix("audio/") ? "audio" : "file"
    return DayOneMarker(word: word, name: name)
      .markdown(
        isImage: word == "photo", text: word == "file" ? MarkdownEscapes.escapedLine(name) : "")
  }

  /// Returns the media type; nil if the file doesn't exist, or if it is empty, a link or anything
  /// else.
  private static func type(of file: URL) -> MediaType? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let handle = try? FileHandle(forReadingFrom: file)
    else { return nil }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: 4_096), !head.isEmpty else { return nil }
    return MediaType(sniffing: head, fileName: file.lastPathComponent)
  }

  // MARK: Results

  /// Passes on all remaining days.
  mutating func finish() throws {
    for (key, day) in open.sorted(by: {
      ($0.key.day, $0.key.chat) < ($1.key.day, $1.key.chat)
    }) { try handOn(day, key) }
    open = [:]
    held = 0
  }

  private mutating func handOnRested() throws {
    for (key, day) in open.sorted(by: { $0.value.touched < $1.value.touched })
    where held > Self.heldLimit / 2 {
      open[key] = nil
      held -= day.bytes
      try handOn(day, key)
    }
  }

  private mutating func handOn(_ finished: Day, _ key: Key) throws {
    var day = finished
    guard day.written > 0 else {
      silentDays += 1
      return
    }
    if !keepsOrder {
      // Stable, for messages of one moment.
      day.messages = day.messages.enumerated()
        .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
    let part = parts[key, default: 0] + 1
    parts[key] = part
    let start = day.messages.lazy.map(\.time).min() ?? context.now
    let notes = day.messages.map(\.text).joined(separator: "\n\n")
    let title = text(of: day.chat) + (part > 1 ? " (\(part))" : "")
    var activity = Activity(
      id: context.identities.next(), dayKey: day.day, startAt: start,
      timeZone: context.zones.zone(at: start).identifier, kind: .social, text: title,
      description: day.written == 1 ? "1 message" : "\(day.written) messages", notes: notes,
      source: service.source, people: mentions(of: day), attachments: day.attachments,
      createdAt: context.now, updatedAt: context.now)
    let content = [title, notes] + day.contents
    activity.externalRefs = [
      ExternalRef(
        provider: service.provider,
        externalID: "\(day.chat.key)/\(day.day)" + (part > 1 ? "/\(part)" : ""),
        fetchedAt: context.now,
        contentHash: TableIdentity.hash(content.joined(separator: "\u{1F}")))
    ]
    entries += 1
    messages += day.written
    try sink.take(
      ImportedRecord(.activity(activity), place: day.place, attachmentsFolder: folder))
  }

  private func text(of chat: Chat) -> String {
    let name = chat.name.count > 120 ? chat.name.prefix(120) + "…" : chat.name[...]
    if name.isEmpty { return service.name }
    return chat.company == .pair ? "\(service.name) with \(name)" : "\(service.name): \(name)"
  }

  private func mentions(of day: Day) -> [Mention] {
    switch day.chat.company {
    case .pair: day.chat.name.isEmpty ? [] : [Mention(name: day.chat.name)]
    case .group: day.people.map { Mention(name: $0) }
    case .strangers: []
    }
  }

  // MARK: Omissions

  /// Reports missing media and days without messages.
  func tellRest(at place: String, advice: String) {
    func tell(_ message: String) {
      sink.diagnose(Diagnostic(.note, place: place, message: message))
    }
    if missingCount > 0 {
      let example = FieldError.shown(missing.first ?? "")
      tell(
        (missingCount == 1
          ? "1 media file, \(example), is missing from the export. "
          : "\(missingCount) media files, such as \(example), are missing from the export. ")
          + advice)
    }
    if silentDays > 0 {
      tell(
        silentDays == 1
          ? "skipped 1 day that has only system messages"
          : "skipped \(silentDays) days that have only system messages")
    }
  }
}

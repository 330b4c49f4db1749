import ArkivedCore
import Foundation

/// A day of a conversation from two exports.
struct ChatDayUnion {
  private let old: Activity
  private var new: Activity
  /// The addresses of the new day's files in its text that have another name in the stored one.
  private var renamed: [String: String] = [:]

  private static let address = "](attachment:"

  init(old: Activity, new: Activity) {
    (self.old, self.new) = (old, new)
    renameFiles()
  }

  /// Gives the new day's files the names they have in the stored one, and others a name that isn't
  /// taken.
  private mutating func renameFiles() {
    var taken: [String: String?] = [:]
    var named: [String: String] = [:]
    for file in old.attachments {
      guard let name = file.originalName else { continue }
      taken[name] = .some(file.contentHash)
      if let hash = file.contentHash { named[hash] = named[hash] ?? name }
    }
    for index in new.attachments.indices {
      let file = new.attachments[index]
      guard let name = file.originalName else { continue }
      var other = name
      if let hash = file.contentHash, let known = named[hash] {
        other = known
      } else if let hash = file.contentHash {
        var number = 2
        while case .some(.some(let own)) = taken[other], own != hash {
          other = "\(number)-\(name)"
          number += 1
        }
      }
      taken[other] = .some(file.contentHash)
      if other != name {
        new.attachments[index].originalName = other
        renamed[Self.shown(name)] = Self.shown(other)
      }
    }
  }

  /// Returns a file's name as it stands in addresses.
  private static func shown(_ name: String) -> String {
    let link = DayOneMarker(word: "", name: name).markdown(isImage: false, text: "x")
    return String(link.dropFirst("[x\(address)".count).dropLast())
  }

  /// Returns the addresses of the files in a text, in order.
  private static func addresses(in text: String) -> [String] {
    text.components(separatedBy: address).dropFirst().map { String($0.prefix { $0 != ")" }) }
  }

  private func withRenamedFiles(_ text: String) -> String {
    guard !renamed.isEmpty, text.contains(Self.address) else { return text }
    let parts = text.components(separatedBy: Self.address)
    return parts[0]
      + parts.dropFirst().map { part in
        let name = String(part.prefix { $0 != ")" })
        return Self.address + (renamed[name] ?? name) + part.dropFirst(name.count)
      }.joined()
  }

  // MARK: Items

  private static func items(of notes: String?) -> [GatheredItem] {
    let parts = (notes ?? "").components(separatedBy: "\n\n")
    let messages = parts.map(message)
    // A paragraph of a message may look like a notice: `12:30 – lunch`.
    var latest = Array(repeating: 24 * 60, count: parts.count)
    for index in parts.indices.dropLast().reversed() {
      latest[index] = messages[index + 1]?.minute ?? latest[index + 1]
    }
    var items: [GatheredItem] = []
    for (index, part) in parts.enumerated() {
      let earliest = items.last?.minute ?? 0
      if let message = messages[index] {
        items.append(message)
      } else if let notice = notice(part), let minute = notice.minute,
        earliest <= minute, minute <= latest[index]
      {
        items.append(notice)
      } else if items.isEmpty {
        items.append(GatheredItem(text: part, minute: nil, sender: nil, words: part))
      } else {
        items[items.count - 1].text += "\n\n" + part
        items[items.count - 1].words += "\n\n" + part
      }
    }
    return items
  }

  /// Returns the message that a part of the notes begins: `**09:15 Ann:** Hi`.
  private static func message(_ part: String) -> GatheredItem? {
    guard part.hasPrefix("**"), let minute = GatheredDay.minute(part.dropFirst(2)) else {
      return nil
    }
    let behind = part.dropFirst(7)
    guard behind.first == " ", let end = behind.range(of: ":**") else { return nil }
    return GatheredItem(
      text: part, minute: minute, sender: String(behind[..<end.lowerBound].dropFirst()),
      words: String(behind[end.upperBound...].drop { $0 == " " }))
  }

  /// Returns the notice that a part of the notes begins: `09:15 – Ann left`.
  private static func notice(_ part: String) -> GatheredItem? {
    guard let minute = GatheredDay.minute(part[...]), part.dropFirst(5).hasPrefix(" – ") else {
      return nil
    }
    return GatheredItem(text: part, minute: minute, sender: nil, words: String(part.dropFirst(8)))
  }

  /// The parts of a message that stay the same if its files or reactions differ.
  private struct Core {
    var key: String
    var words: String
    var files: [String]
    /// True if a line in brackets replaces a file, or names reactions.
    var hasBrackets: Bool

    init(_ item: GatheredItem) {
      var kept: [Substring] = []
      var hasBrackets = false
      for line in item.words.split(separator: "\n", omittingEmptySubsequences: false) {
        let bare = line.drop { $0 == " " || $0 == "!" }
        let end = bare.reversed().drop { $0 == " " }.first
        if bare.first == "(", end == ")" {
          hasBrackets = true
        } else if !(bare.first == "[" && end == ")" && line.contains(ChatDayUnion.address)) {
          kept.append(line)
        }
      }
      words = kept.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
      files = ChatDayUnion.addresses(in: item.words)
      key = "\(item.minute ?? -1)\u{0}\(item.sender ?? "")\u{0}"
      self.hasBrackets = hasBrackets
    }
  }

  private static func isFuller(_ old: GatheredItem, _ new: GatheredItem) -> Bool {
    let (files, newFiles) = (addresses(in: old.words).count, addresses(in: new.words).count)
    guard files == newFiles else { return newFiles > files }
    guard old.sender == new.sender else {
      // A number whose name is known now. Other names stay, so exports don't take turns.
      func isName(_ sender: String?) -> Bool { sender?.contains(where: \.isLetter) ?? false }
      return isName(new.sender) && !isName(old.sender)
    }
    return new.text.utf8.count > old.text.utf8.count
  }

  // MARK: The day

  func activity(of chats: [ChatDays.Service]) -> Activity? {
    let stored = Self.items(of: old.notes)
    var items = GatheredItems(stored, Self.items(of: new.notes.map(withRenamedFiles)))
    // The same message with other reactions.
    items.pair(
      old: { item in
        let core = Core(item)
        guard item.sender != nil, !core.words.isEmpty || !core.files.isEmpty else { return nil }
        return core.key + core.words + "\u{0}" + core.files.joined(separator: "\u{0}")
      },
      new: { item in
        let core = Core(item)
        guard item.sender != nil else { return [] }
        return [core.key + core.words + "\u{0}" + core.files.joined(separator: "\u{0}")]
      })
    // The same message with and without its files, and perhaps without the text sent with them.
    items.pair(
      old: { Self.keys(Core($0), hasFiles: false).first },
      new: { Self.keys(Core($0), hasFiles: true) })
    for isWhole in [true, false] {
      items.pair(
        old: { item in
          let keys = Self.keys(Core(item), hasFiles: true)
          return isWhole ? keys.first : keys.last
        }, new: { Self.keys(Core($0), hasFiles: false) })
    }
    // The same file, left out by a phone in another language.
    items.pairIfContained(
      old: { Self.keys(Core($0), hasFiles: false).first },
      new: { Self.keys(Core($0), hasFiles: false) })
    let isWhatsApp = old.source == WhatsAppImporter.service.source
    let isPair = !isWhatsApp && chats.contains { old.text.hasPrefix("\($0.name) with ") }
    items.pairRenamed(isPair: isPair)
    guard let merged = items.merged(by: Self.isFuller) else { return nil }
    return activity(merged, of: chats)
  }

  /// Returns the keys of a message that has files, or a line in brackets instead.
  private static func keys(_ core: Core, hasFiles: Bool) -> [String] {
    guard core.files.isEmpty != hasFiles, hasFiles || core.hasBrackets else { return [] }
    let whole = core.key + core.words
    return hasFiles && !core.words.isEmpty ? [whole, core.key] : [whole]
  }

  private func activity(_ items: [GatheredItem], of chats: [ChatDays.Service]) -> Activity {
    var day = old
    let written = items.count { $0.sender != nil }
    let notes = items.map(\.text).joined(separator: "\n\n")
    day.notes = notes
    day.description = written == 1 ? "1 message" : "\(written) messages"
    if let start = [old.startAt, new.startAt].compactMap({ $0 }).min(), start != old.startAt {
      (day.startAt, day.timeZone) = (start, new.timeZone)
    }
    // An export in which only one person writes doesn't show that the chat is with one person.
    let isPair = chats.contains { new.text.hasPrefix("\($0.name) with ") }
    if isPair, chats.contains(where: { old.text.hasPrefix("\($0.name): ") }) { day.text = new.text }
    day.people = people(of: items)
    day.attachments = attachments(in: notes)
    day.externalRefs = new.externalRefs
    let content = [day.text, notes] + day.attachments.map { $0.originalName ?? "" }
    let hash = TableIdentity.hash(content.joined(separator: "\u{1F}"))
    for index in day.externalRefs.indices { day.externalRefs[index].contentHash = hash }
    return day
  }

  /// Returns the people of both days, in the order in which they first wrote.
  private func people(of items: [GatheredItem]) -> [Mention] {
    var places: [String: Int] = [:]
    for (index, item) in items.enumerated() {
      guard let sender = item.sender.map({ MarkdownEscapes.plain($0) }) else { continue }
      places[NameFolding.key(sender)] = places[NameFolding.key(sender)] ?? index
    }
    var people: [Mention] = []
    for person in old.people + new.people
    where !people.contains(where: { known in
      known.personID.map { $0 == person.personID } ?? false
        || NameFolding.key(known.name) == NameFolding.key(person.name)
    }) { people.append(person) }
    return people.enumerated().sorted { one, other in
      let (first, second) = (
        places[NameFolding.key(one.element.name)] ?? Int.max,
        places[NameFolding.key(other.element.name)] ?? Int.max
      )
      return (first, one.offset) < (second, other.offset)
    }.map(\.element)
  }

  /// Returns the files of both days, in the order in which they were sent.
  private func attachments(in notes: String) -> [Attachment] {
    var places: [String: Int] = [:]
    for (index, address) in Self.addresses(in: notes).enumerated() {
      places[address] = places[address] ?? index
    }
    var files = old.attachments
    var names = Set(files.compactMap(\.originalName))
    for file in new.attachments where names.insert(file.originalName ?? "").inserted {
      files.append(file)
    }
    func place(_ file: Attachment) -> Int {
      places[Self.shown(file.originalName ?? "")] ?? Int.max
    }
    return files.enumerated().sorted { one, other in
      (place(one.element), one.offset) < (place(other.element), other.offset)
    }.map(\.element)
  }
}

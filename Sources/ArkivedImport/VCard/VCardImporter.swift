import ArkivedCore
package import Foundation

/// Imports address books as vCards (`contacts.vcf`), one or many per file: people, each with a note
/// of the data for which people have no field.
///
/// Sources of the format: vCard 2.1 (versit, 1996), RFC 2426 (3.0), RFC 6350 (4.0) and RFC 6868,
/// and the properties that Apple's Contacts, Android, Google, Evolution and KAddressBook add to
/// them.
package struct VCardImporter: Importer {
  package let format = "vcard"
  package static let provider = "vcard"
  /// The beginning of the reference of a card without an ID, which changes with its name.
  package static let derivedReference = "card/"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let text = HeadText.of(head).drop { $0.isWhitespace }
    guard text.prefix(11).uppercased() == "BEGIN:VCARD" else { return false }
    return text.dropFirst(11).first?.isWhitespace ?? true
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  /// Returns the ID of the note with a card's data, which is the same for every import, from the
  /// reference of the card on its person.
  package static func noteID(ofCard reference: String) -> UUID {
    DerivedIdentity.of("vcard note", reference)
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var reader = try VCardReader(file: file, context: context, sink: sink)
    try reader.read()
  }
}

/// Reads one file.
struct VCardReader {
  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var lines: VCardLines
  private var folder: URL?
  private var count = 0
  private var groups = 0
  /// The names of properties that were not used, with the number of cards that have them.
  private var unread: [String: Int] = [:]

  /// The maximum number of properties in a card; anything with more isn't a card.
  private static let propertyLimit = 5_000

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) throws {
    self.file = file
    self.context = context
    self.sink = sink
    lines = try VCardLines(file.url)
  }

  /// True if the file is a card of a linked address book.
  private var isLinked: Bool { context.linkID != nil }

  private func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
    sink.diagnose(Diagnostic(severity, place: place, message: message))
  }

  mutating func read() throws {
    defer { lines.close() }
    var properties: [VCardProperty] = []
    var start: Int?
    /// The nesting depth of agents' cards in this one (2.1).
    var depth = 0
    while let line = try lines.property() {
      guard !line.bytes.isEmpty else { continue }
      guard !line.isTooLong, let property = VCardProperty(line) else {
        tellUnreadable(line, isInCard: start != nil)
        continue
      }
      switch (property.name, property.value.uppercased().trimmingCharacters(in: .whitespaces)) {
      case ("BEGIN", "VCARD"):
        if start == nil {
          (start, properties) = (line.number, [])
        } else if properties.last?.name == "AGENT", properties.last?.value.isEmpty ?? false {
          depth += 1
        } else {
          // The previous card was truncated.
          try finish(properties, start, isCut: true)
          (start, properties, depth) = (line.number, [], 0)
        }
      case ("END", "VCARD"):
        if depth > 0 {
          depth -= 1
        } else {
          try finish(properties, start, isCut: false)
          (start, properties) = (nil, [])
        }
      default:
        if start != nil, depth == 0, properties.count < Self.propertyLimit {
          properties.append(property)
        }
      }
    }
    try finish(properties, start, isCut: true)
    // In a linked address book each card is a file, and one without a name is only skipped.
    guard count + groups > 0 || isLinked else {
      throw ImportRefusal(
        place: file.name,
        message: "this isn’t an address book: no readable contacts found")
    }
    tellRest()
  }

  private func tellUnreadable(_ line: VCardLines.Line, isInCard: Bool) {
    let place = "\(file.name):\(line.number)"
    if line.isTooLong {
      let name = String(decoding: line.bytes.prefix { $0 != 0x3A && $0 != 0x3B }, as: UTF8.self)
      tell(
        .skipped, "\(place) field “\(name.prefix(20))”",
        "skipped: it is longer than \(VCardLines.lengthLimit >> 20) MiB")
    } else if isInCard, !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
      tell(
        .skipped, place,
        "\(FieldError.shown(String(decoding: line.bytes.prefix(60), as: UTF8.self))) isn’t a "
          + "valid vCard line; skipped")
    }
  }

  private mutating func finish(
    _ properties: [VCardProperty], _ start: Int?, isCut: Bool
  ) throws {
    guard let start else { return }
    let place = "\(file.name):\(start)"
    if isCut {
      tell(.skipped, place, "the card is incomplete and was read up to here. Export it again")
    }
    let card = VCard(properties, line: start)
    for problem in card.problems {
      tell(.note, "\(file.name):\(problem.line) field “\(problem.field)”", problem.message)
    }
    if card.isOfOtherEncoding, context.notes.isFirst("vcard encoding") {
      tell(.note, place, "some text isn’t UTF-8 and was read as Windows-1252")
    }
    for name in card.unread { unread[name, default: 0] += 1 }
    guard !card.isGroup else {
      groups += 1
      return
    }
    guard card.name != nil || !card.addresses.isEmpty || !card.phones.isEmpty else {
      if !isCut { tell(.skipped, place, "the card has no name, address or number; skipped") }
      return
    }
    try take(card, place)
    count += 1
    if count.isMultiple(of: 100) { sink.reach(start) }
  }

  // MARK: Results

  /// Returns the reference of a card.
  ///
  /// In a linked address book, a card without an ID of its own is known by its place there.
  private func reference(of card: VCard) -> String {
    guard let link = context.linkID, card.uid == nil else { return card.reference }
    return "\(link.uuidString)\(file.name)" + (count == 0 ? "" : "#\(count)")
  }

  private mutating func take(_ card: VCard, _ place: String) throws {
    let reference = reference(of: card)
    let aliases = card.aliases + card.phones
    let person = Person(
      id: context.identities.next(), name: card.name, email: card.addresses.first,
      furtherAddresses: Array(card.addresses.dropFirst()), aliases: aliases,
      relationshipSummary: card.occupation,
      externalRefs: [
        ExternalRef(
          provider: VCardImporter.provider, externalID: reference, fetchedAt: context.now)
      ], createdAt: context.now, updatedAt: context.now)
    try sink.take(ImportedRecord(.person(person), place: place))
    guard let text = card.noteText else { return }
    var note = Note(
      id: VCardImporter.noteID(ofCard: reference), title: person.displayName, text: text,
      tags: ImportedTags.valid(Tag.names(card.categories), at: place, sink),
      people: [Mention(name: person.displayName, personID: person.id)],
      createdAt: context.now, updatedAt: context.now)
    if let photo = card.photo { note.attachments = try attachment(photo, of: person, place) }
    guard !text.isEmpty || !note.attachments.isEmpty else { return }
    try sink.take(
      ImportedRecord(
        .goalSide(note), hasOwnIdentity: true, place: place, linksPeople: false,
        attachmentsFolder: folder))
  }

  private mutating func attachment(
    _ photo: VCard.Photo, of person: Person, _ place: String
  ) throws -> [Attachment] {
    let type = MediaType(sniffing: photo.data.prefix(4_096), fileName: "")
    guard type.name.hasPrefix("image/") else {
      tell(
        .skipped, "\(file.name):\(photo.line) field “PHOTO”",
        "photo not imported: it isn’t an image")
      return []
    }
    let folder = try folder ?? makeFolder()
    self.folder = folder
    let name = "\(context.identities.next().uuidString)"
    try photo.data.write(to: folder.appendingPathComponent(name))
    let ending = type.name == "image/jpeg" ? "jpg" : type.name.dropFirst("image/".count).description
    let title = person.displayName.prefix(60).map { $0 == "/" || $0 == "\\" ? "_" : $0 }
    return [
      Attachment(
        id: context.identities.next(), type: .photo, relativePath: name, mediaType: type.name,
        originalName: "\(String(title)).\(ending)", createdAt: context.now, updatedAt: context.now)
    ]
  }

  private func makeFolder() throws -> URL {
    let folder = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func tellRest() {
    guard !isLinked else { return tellOnce() }
    if groups > 0 {
      tell(
        .skipped, file.name,
        groups == 1
          ? "skipped 1 contact group" : "skipped \(groups) contact groups")
    }
    guard !unread.isEmpty else { return }
    let names = unread.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    tell(
      .note, file.name,
      "not imported: \(names.prefix(12).map { "\($0.key) (\($0.value))" }.joined(separator: ", "))"
        + (names.count > 12 ? " and \(names.count - 12) more fields" : ""))
  }

  /// Reports once what isn't imported from any card of a linked address book.
  private func tellOnce() {
    if groups > 0, context.notes.isFirst("vcard groups") {
      tell(.note, file.name, "this is a contact group. Groups are skipped")
    }
    for name in unread.keys.sorted() where context.notes.isFirst("vcard field \(name)") {
      tell(.note, file.name, "not imported: \(name), here and in other contacts")
    }
  }
}

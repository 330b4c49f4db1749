import ArkivedCore
import Foundation

/// Day One's export as plain text: consecutive entries, each beginning with lines such as
/// `<tab>Date:<tab>March 14, 2021 at 09:41:22 GMT+1`, `Weather:`, `Location:` and `Tags:`, then a
/// blank line and the text in Markdown.
///
/// Source of the format: Day One's guides on export and import, and the importers of Diarium, Mini
/// Diary and jrnl, which write and read the same format. It has no IDs: an entry is identified by
/// its time and its number among the entries with the same time.
struct DayOneTextExport {
  /// The maximum length of a line; a person doesn't write longer ones.
  private static let lineLimit = 4 << 20
  private static let textLimit = 64 << 20
  private static let dates = ["Date", "Datum", "Fecha", "Data"]

  private struct Entry {
    var line: Int
    var fields: [String: String]
    var lines: [String] = []
    var size = 0
    var isCut = false
    var isInText = false
  }

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private var entry: Entry?
  private var count = 0

  init(_ file: ImportFile, _ context: ImportContext, _ sink: any ImportSink) {
    (self.file, self.context, self.sink) = (file, context, sink)
  }

  static func isExport(_ head: [UInt8]) -> Bool {
    let text = HeadText.of(head)
    guard
      let line = text.split(whereSeparator: \.isNewline).first(where: {
        !$0.allSatisfy(\.isWhitespace)
      }), let (key, value) = field(String(line))
    else { return false }
    return dates.contains(key) && JournalDate(value) != nil
  }

  /// A line such as `<tab>Date:<tab>…`.
  private static func field(_ line: String) -> (key: String, value: String)? {
    guard line.hasPrefix("\t"), let colon = line.firstIndex(of: ":") else { return nil }
    let key = line[..<colon].trimmingCharacters(in: .whitespaces)
    guard !key.isEmpty, key.count <= 20, key.allSatisfy(\.isLetter) else { return nil }
    let rest = line[line.index(after: colon)...]
    guard rest.first == "\t" || rest.first == " " || rest.isEmpty else { return nil }
    return (key, rest.trimmingCharacters(in: .whitespaces))
  }

  /// - Throws: `ImportRefusal` if it can't be read, and errors from the sink.
  mutating func read() throws {
    var source = try TextBytes(file.url)
    defer { source.close() }
    var bytes: [UInt8] = []
    var isTooLong = false
    var number = 0
    while true {
      bytes.removeAll(keepingCapacity: true)
      guard
        try source.readLine(into: &bytes, limit: Self.lineLimit, tooLong: &isTooLong)
      else { break }
      number += 1
      if isTooLong {
        sink.diagnose(
          Diagnostic(
            .skipped, place: "\(file.name):\(number)",
            message: "skipped: the line is longer than 4 MiB"))
        isTooLong = false
      } else {
        try take(Self.text(bytes), at: number)
      }
    }
    try finish()
    if count == 0 { DayOneImporter.tellEmpty(file.name, sink) }
  }

  /// Returns the dates of a file as written.
  private static func writtenDates(of file: ImportFile) -> [String] {
    guard var source = try? TextBytes(file.url) else { return [] }
    defer { source.close() }
    var (found, bytes, isTooLong) = ([String](), [UInt8](), false)
    while (try? source.readLine(into: &bytes, limit: lineLimit, tooLong: &isTooLong)) ?? false {
      if let (key, value) = field(text(bytes)), dates.contains(key) { found.append(value) }
      bytes.removeAll(keepingCapacity: true)
    }
    return found
  }

  private static func text(_ bytes: [UInt8]) -> String {
    let line = bytes.last == 0x0D ? bytes.dropLast() : bytes[...]
    return String(validating: line, as: UTF8.self)
      ?? String(decoding: WindowsLatin.utf8(line), as: UTF8.self)
  }

  private mutating func take(_ line: String, at number: Int) throws {
    let field = Self.field(line)
    if let (key, value) = field, Self.dates.contains(key), JournalDate(value) != nil {
      try finish()
      entry = Entry(line: number, fields: ["Date": value])
      return
    }
    guard var current = entry else { return }
    // The local copy must not share the lines, because appending would then copy them.
    entry = nil
    defer { entry = current }
    if !current.isInText, let (key, value) = field {
      current.fields[key] = value
      return
    }
    current.isInText = current.isInText || !line.allSatisfy(\.isWhitespace)
    guard current.isInText else { return }
    current.size += line.utf8.count + 1
    if current.size > Self.textLimit {
      current.isCut = true
    } else {
      current.lines.append(line)
    }
  }

  // MARK: Entries

  private static let known: Set<String> = ["Date", "Weather", "Location", "Tags", "Starred"]

  private mutating func finish() throws {
    guard let entry, let written = entry.fields["Date"] else { return }
    let place = "\(file.name):\(entry.line)"
    let order = JournalDateOrder("dayone text \(file.name)", context) { [file] in
      Self.writtenDates(of: file)
    }.order(of: [written], at: place, into: sink)
    guard let date = JournalDate(written, order: order) else { return }
    self.entry = nil
    if entry.isCut {
      sink.diagnose(
        Diagnostic(
          .skipped, place: place, message: "the text of this entry was cut off after 64 MiB"))
    }
    for key in entry.fields.keys.sorted() where !Self.known.contains(key) {
      guard context.notes.isFirst("dayone text \(key)") else { continue }
      sink.diagnose(
        Diagnostic(
          .note, place: "\(place) field \(FieldError.shown(key))",
          message: "this field was skipped here and in other entries"))
    }
    let moment = date.moment(home: context.homeZone)
    let start =
      moment?.start
      ?? context.homeZone.instant(of: WallTime(day: date.day, hour: 12))
    let text = entry.lines.joined(separator: "\n")
    let name = JournalIdentity.of("dayone text", context).name(
      date.wall.map { "\($0)" } ?? "\(date.day)", content: text)
    var json: JSONObject = [
      "uuid": .string("text/\(name)"), "text": .string(text),
      "creationDate": .string("\(start)"),
      "timeZone": .string((moment?.zone ?? context.homeZone).identifier),
    ]
    if moment == nil { json["isAllDay"] = true }
    if let place = entry.fields["Location"] { json["location"] = ["placeName": .string(place)] }
    if let weather = entry.fields["Weather"] { json["weather"] = Self.weather(weather) }
    if let tags = entry.fields["Tags"] {
      json["tags"] = .array(
        tags.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) })
    }
    if let star = entry.fields["Starred"]?.lowercased() {
      json["starred"] = .bool(["yes", "true", "1", "ja"].contains(star))
    }
    let surroundings = DayOneEntry.Surroundings(
      context: context, files: DayOneMediaFiles(unpackedIn: file.url, paths: [], failures: [:]),
      media: [:])
    if try DayOneJournal.take(
      DayOneJSON.Parsed(json: .object(json)), place, surroundings, sink)
    {
      count += 1
    }
  }

  /// `12°C Mostly Cloudy`, `54 °F, clear`.
  private static func weather(_ text: String) -> JSON {
    guard let degree = text.firstIndex(of: "°"),
      let number = Double(text[..<degree].trimmingCharacters(in: .whitespaces)),
      number.isFinite
    else { return ["conditionsDescription": .string(text)] }
    let rest = text[text.index(after: degree)...]
    let isFahrenheit = rest.first == "F"
    let words = rest.dropFirst().trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
    let celsius = isFahrenheit ? ((number - 32) / 1.8 * 10).rounded() / 10 : number
    return ["temperatureCelsius": .number(celsius), "conditionsDescription": .string(words)]
  }
}

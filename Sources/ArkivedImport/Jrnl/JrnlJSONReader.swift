import ArkivedCore
import Foundation

/// Reads the output of `jrnl --export json`: a journal's document, or the file of a single entry.
struct JrnlJSONReader {
  private let file: ImportFile
  private let records: JrnlRecords
  /// The symbols of the journal's tags; nil until its list of tags is read.
  private var symbols: Set<Unicode.Scalar>?
  /// The document's members that may belong to an entry.
  private var single = JSONObject()
  private var singleLine = 1
  private var unknown: Set<String> = []

  /// The fields of an exported entry; the last two exist only if jrnl kept a Day One journal.
  static let fields: Set<String> = [
    "title", "body", "date", "time", "tags", "starred", "uuid", "creator",
  ]

  init(_ file: ImportFile, records: JrnlRecords) {
    self.file = file
    self.records = records
  }

  /// Reads all entries and passes them on.
  ///
  /// - Throws: `ImportRefusal` if nothing can be used, and any error that the sink throws.
  mutating func read() throws {
    var scanner = try JrnlJSONScanner(file.url)
    defer { scanner.close() }
    do {
      while let item = try scanner.next() { try take(item) }
    } catch let error as JrnlJSONError {
      let advice = error.isCutOff ? ". Export it again" : ""
      guard records.count > 0 else {
        throw ImportRefusal(
          place: "\(file.name):\(error.line)",
          message: "the JSON is invalid: \(error.message)\(advice)")
      }
      records.diagnose(
        .skipped, error.line,
        "the JSON is invalid from here on, so entries may be missing: \(error.message)\(advice)"
      )
      return
    }
    if !scanner.hasEntries, single["date"] != nil {
      try take(single, line: singleLine)
    } else if !scanner.hasEntries {
      throw ImportRefusal(
        place: "\(file.name):1",
        message: "the document is missing the “entries” list that jrnl "
          + "writes")
    } else if records.count == 0, records.firstProblem == nil {
      records.diagnose(.note, nil, "nothing to import: the export contains no entries")
    }
  }

  private mutating func take(_ item: JrnlJSONScanner.Item) throws {
    switch item {
    case .tooLong(let line):
      records.diagnose(.skipped, line, "skipped: this is longer than 64 MiB")
    case .entry(let bytes, let line):
      do {
        guard let object = try JSON(parsing: bytes).object else {
          return records.diagnose(.skipped, line, "skipped: the entry isn’t a JSON object")
        }
        try take(object, line: line)
      } catch let error as JSONSyntaxError {
        records.diagnose(.skipped, line, "skipped: the entry isn’t valid JSON: \(error)")
      }
    case .member(let key, let bytes, let line):
      guard let value = try? JSON(parsing: bytes) else {
        return records.diagnose(.note, line, field: key, "skipped: not valid JSON")
      }
      if key == "tags", let tags = value.object {
        symbols = JrnlTags.symbols(of: tags.keys)
      } else if Self.fields.contains(key) {
        if single.isEmpty { singleLine = line }
        single[key] = value
      } else {
        noteUnknown(key, line)
      }
    }
  }

  private mutating func noteUnknown(_ key: String, _ line: Int) {
    guard unknown.count < 20, unknown.insert(key).inserted else { return }
    records.diagnose(
      .note, line, field: String(key.prefix(60)), "unknown field; skipped")
  }

  private mutating func take(_ object: JSONObject, line: Int) throws {
    var fields = FieldReader(object)
    let entry: JrnlEntry
    do throws(FieldError) {
      entry = try self.entry(&fields, line)
    } catch {
      records.diagnose(.skipped, line, field: error.field, "skipped: \(error.description)")
      return
    }
    for key in fields.unknownKeys { noteUnknown(key, line) }
    try records.take(entry, line: line)
  }

  private func entry(
    _ fields: inout FieldReader, _ line: Int
  ) throws(FieldError) -> JrnlEntry {
    var title = try fields.string("title") ?? ""
    var body = try fields.string("body") ?? ""
    if title.utf8.contains(0) || body.utf8.contains(0) {
      title.removeAll { $0 == "\0" }
      body.removeAll { $0 == "\0" }
      records.diagnose(.note, line, "this entry: NUL characters were removed")
    }
    let moment = JrnlMoment(
      day: try Self.day(&fields), second: try Self.second(&fields), offset: nil)
    let starred = try fields.bool("starred")
    let listed = try fields.strings("tags")
    let text = "\(title)\n\(body)".replacingOccurrences(of: "\r\n", with: "\n")
    let (plainTitle, plainBody, isStarred) = JrnlEntry.split(text)
    let words = "\(plainTitle)\n\(plainBody)"
    let tags =
      listed.map { JrnlTags.names(listed: $0, in: words) }
      ?? JrnlTags.names(in: words, symbols: symbols ?? JrnlTags.usualSymbols)
    return JrnlEntry(
      moment: moment, title: plainTitle, body: plainBody, isStarred: starred ?? isStarred,
      tags: tags)
  }

  /// Returns the day, whose year may have fewer than four digits because Python doesn't pad it.
  private static func day(_ fields: inout FieldReader) throws(FieldError) -> DayKey {
    let text = try fields.required("date")
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers.allSatisfy({ (1...4).contains($0.utf8.count) }),
      let year = Int(numbers[0]), let month = Int(numbers[1]), let day = Int(numbers[2]),
      let key = DayKey(year: year, month: month, day: day)
    else {
      throw FieldError(
        "date", "is \(FieldError.shown(text)), but must be a day such as 2016-05-07")
    }
    return key
  }

  private static func second(_ fields: inout FieldReader) throws(FieldError) -> Int? {
    guard let text = try fields.string("time"), !text.isEmpty else { return nil }
    guard let stamp = JrnlStamp(text), stamp.date == nil, let second = stamp.second else {
      throw FieldError("time", "is \(FieldError.shown(text)), but must be a time such as 09:30")
    }
    return second
  }
}

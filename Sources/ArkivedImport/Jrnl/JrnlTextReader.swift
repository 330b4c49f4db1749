import ArkivedCore
import Foundation

/// Reads the entries of a journal's text in bounded memory, one at a time, with its line.
struct JrnlTextReader {
  /// An entry's text before its title is separated from its body.
  private struct Draft {
    var moment: JrnlMoment
    var line: Int
    /// The words after the date; the lines of the entry are joined with LF.
    var text: [UInt8]
    /// True if the last line added has a line end.
    var hasEnd: Bool
    /// The day of the file, if it differs from the entry's.
    var fileDay: DayKey?
  }

  /// The maximum size of an entry in bytes; the excess is skipped and reported.
  static let sizeLimit = 64 << 20

  private let file: ImportFile
  private let place: JrnlFile
  private let survey: JrnlSurvey
  private let records: JrnlRecords
  private var draft: Draft?
  private var isOverfull = false
  private var preambleStart = 0
  private var preambleCount = 0
  private var hadColours = false

  /// Opens a file.
  ///
  /// - Throws: Any error from reading the file.
  init(_ file: ImportFile, records: JrnlRecords) throws {
    self.file = file
    self.records = records
    place = JrnlFile(file)
    survey = try JrnlSurvey(
      file.url, day: place.pathDay ?? place.nameDay, isNamedJournal: place.isNamedJournal)
  }

  /// Reads all entries and passes them on.
  ///
  /// - Throws: `ImportRefusal` if no entry begins anywhere, and any error that the sink throws.
  mutating func read() throws {
    guard survey.lineCount > 0 else {
      throw ImportRefusal(place: "\(file.name):1", message: "the journal is empty")
    }
    guard survey.headerCount > 0 else {
      throw ImportRefusal(
        place: "\(file.name):1",
        message: "no line starts a jrnl entry, such as “[2016-05-07 09:30] A title”. If the "
          + "journal’s timeformat has no date, export it with “jrnl --export json” and import "
          + "that")
    }
    var lines = try JrnlLines(file.url)
    defer { lines.close() }
    lines.takesOutColours = survey.form != .bracketed
    while try lines.next() { try take(lines) }
    hadColours = lines.hadColours
    // The line end before the next header doesn't belong to the entry; the one at the file's end
    // does.
    if draft?.hasEnd == true { draft?.text.append(0x0A) }
    try finish()
    conclude()
  }

  private mutating func take(_ lines: JrnlLines) throws {
    if lines.isTooLong {
      records.diagnose(.skipped, lines.number, "skipped: this line is longer than 64 MiB")
      return
    }
    if let header = header(lines.line), let moment = moment(header.stamp, lines.number) {
      try finish()
      draft = Draft(
        moment: moment, line: lines.number, text: Array(lines.line[header.textStart...]),
        hasEnd: lines.hasEnd, fileDay: place.pathDay == moment.day ? nil : place.pathDay)
      return
    }
    guard draft != nil else {
      if !lines.isBlank {
        if preambleCount == 0 { preambleStart = lines.number }
        preambleCount += 1
      }
      return
    }
    if survey.form == .bracketed, JrnlHeaderForm.lacksSpace(lines.line) {
      records.diagnose(
        .note, lines.number,
        "as in jrnl, this date doesn’t start an entry because no space follows the bracket; it "
          + "stays in the previous entry")
    }
    append(lines)
  }

  private mutating func append(_ lines: JrnlLines) {
    guard let size = draft?.text.count, size + lines.line.count < Self.sizeLimit else {
      if !isOverfull {
        isOverfull = true
        records.diagnose(
          .skipped, lines.number,
          "skipped from here on: the entry is longer than 64 MiB")
      }
      return
    }
    draft?.text.append(0x0A)
    draft?.text.append(contentsOf: lines.line)
    draft?.hasEnd = lines.hasEnd
  }

  private func header(_ line: [UInt8]) -> JrnlHeader? {
    if let header = survey.form.header(line) {
      return survey.accepts(header.stamp) ? header : nil
    }
    guard place.pathDay != nil, survey.form == .bracketed else { return nil }
    return JrnlHeaderForm.timeOnly(line)
  }

  private func moment(_ stamp: JrnlStamp, _ line: Int) -> JrnlMoment? {
    let written = stamp.day(survey.order)
    guard let day = written ?? (stamp.date == nil ? place.pathDay : nil) else {
      // This is a date only in another order than the journal's.
      let other = JrnlDateOrder.allCases.lazy.compactMap { stamp.day($0) }.first
      guard let other else { return nil }
      records.diagnose(
        .note, line, "this date isn’t in the same format as the others; read as \(other)")
      return JrnlMoment(day: other, second: stamp.second, offset: stamp.offset)
    }
    if let pathDay = place.pathDay, day != pathDay {
      records.diagnose(
        .note, line,
        "the entry says \(day), but the file’s path says \(pathDay); the entry’s day was used"
      )
    }
    return JrnlMoment(day: day, second: stamp.second, offset: stamp.offset)
  }

  // MARK: An entry

  private mutating func finish() throws {
    guard var draft else { return }
    self.draft = nil
    isOverfull = false
    if draft.text.contains(0) {
      draft.text.removeAll { $0 == 0 }
      records.diagnose(.note, draft.line, "this entry: NUL characters were removed")
    }
    var text: String
    if let valid = String(validating: draft.text, as: UTF8.self) {
      text = valid
    } else {
      text = String(decoding: WindowsLatin.utf8(draft.text[...]), as: UTF8.self)
      records.diagnose(
        .note, draft.line, "this entry: its text isn’t UTF-8 and was read as Windows-1252")
    }
    if survey.isPrinted { text = JrnlPrint.unwrapped(text) }
    let isBare = survey.form != .bracketed
    let (title, body, isStarred) = JrnlEntry.split(text, cutsSentences: !isBare)
    let symbols: Set<Unicode.Scalar> =
      isBare && !survey.isPrinted ? ["@"] : JrnlTags.usualSymbols
    let entry = JrnlEntry(
      moment: draft.moment, title: title, body: body, isStarred: isStarred,
      tags: JrnlTags.names(in: "\(title)\n\(body)", symbols: symbols))
    try records.take(entry, line: draft.line, fileDay: draft.fileDay)
  }

  // MARK: The file

  private func conclude() {
    if preambleCount > 0 {
      records.diagnose(
        .skipped, preambleStart,
        "skipped: \(preambleCount) line\(preambleCount == 1 ? "" : "s") before the first entry. "
          + "To import this text, put a date in front of it")
    }
    if survey.isOrderGuessed {
      records.diagnose(
        .note, nil,
        "the file doesn’t show whether its dates start with the day or the month. They were read "
          + "with \(survey.order.name). If that’s wrong, undo this import and import the JSON "
          + "from “jrnl --export json” instead")
    }
    if survey.isPrinted {
      records.diagnose(
        .note, nil,
        "this is jrnl’s screen output: bars were removed, but stars are missing and long lines "
          + "may be wrapped. The journal’s own file or the output of “jrnl --export json” "
          + "contains everything")
    }
    if hadColours {
      records.diagnose(.note, nil, "terminal colours were removed from the text")
    }
  }
}

import ArkivedCore
import ArkivedCrypto
import Foundation

/// Converts the entries of a file to activities and passes them on.
final class JrnlRecords {
  private(set) var count = 0
  /// The first part that was skipped.
  private(set) var firstProblem: Diagnostic?

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private let media: JrnlMedia
  /// The number of times that each title occurred in the same minute.
  private var occurrences: [Occurrence: UInt32] = [:]

  /// A minute and the first bytes of its title's hash, small enough to store a million of them.
  private struct Occurrence: Hashable {
    var minute: Int
    var title: UInt64
  }

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    media = JrnlMedia(folder: JrnlFile(file).folder, file: file.url)
  }

  /// Reports a problem.
  ///
  /// - Parameters:
  ///   - severity: how serious it is.
  ///   - line: nil if it concerns the whole file.
  ///   - field: the field that it is about.
  ///   - message: what to report.
  func diagnose(
    _ severity: Diagnostic.Severity, _ line: Int?, field: String? = nil, _ message: String
  ) {
    var place = line.map { "\(file.name):\($0)" } ?? file.name
    if let field { place += " field “\(field)”" }
    let diagnostic = Diagnostic(severity, place: place, message: message)
    if severity == .skipped { firstProblem = firstProblem ?? diagnostic }
    sink.diagnose(diagnostic)
  }

  /// Takes an entry.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - line: the line where the entry begins.
  ///   - fileDay: the day of the folder journal's file, if it differs from the entry's.
  /// - Throws: Any error that the sink throws.
  func take(_ entry: JrnlEntry, line: Int, fileDay: DayKey? = nil) throws {
    guard !entry.title.isEmpty else {
      diagnose(.skipped, line, "skipped: the entry has no text")
      return
    }
    if context.notes.isFirst("jrnl zone"), entry.moment.second != nil {
      diagnose(
        .note, nil,
        "jrnl doesn’t record time zones; all times were read as \(context.homeZone)")
    }
    var activity = Activity(
      id: context.identities.next(), dayKey: entry.moment.day,
      timeZone: context.homeZone.identifier, text: entry.title,
      notes: entry.body.isEmpty ? nil : entry.body, source: .jrnlImport,
      isPinned: entry.isStarred, tags: entry.tags, createdAt: context.now, updatedAt: context.now)
    place(entry.moment, line, in: &activity)
    activity.attachments = attachments(entry, line)
    // Another day's file may contain the same entry.
    let identifier = self.identifier(entry) + (fileDay.map { "/\($0)" } ?? "")
    activity.externalRefs = [
      ExternalRef(
        provider: "jrnl", externalID: identifier, fetchedAt: context.now,
        contentHash: entry.contentHash)
    ]
    count += 1
    try sink.take(
      ImportedRecord(
        .activity(activity), place: "\(file.name):\(line)", linksPeople: false,
        attachmentsFolder: media.folder))
  }

  /// Returns the entry's identifier for later imports.
  ///
  /// jrnl has none, so it consists of the minute, the title, and the number among entries with the
  /// same minute and title. Every form of a journal has these, and a changed body doesn't affect
  /// them.
  private func identifier(_ entry: JrnlEntry) -> String {
    let digest = Array(SHA256.hash(data: Data(entry.titleKey.utf8)).prefix(8))
    let title = digest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let occurrence = Occurrence(minute: entry.moment.minute, title: title)
    let number = occurrences[occurrence, default: 0] + 1
    occurrences[occurrence] = number
    let digits = String(title, radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(entry.moment.minuteText)/\(padded)" + (number > 1 ? "/\(number)" : "")
  }

  private func place(_ moment: JrnlMoment, _ line: Int, in activity: inout Activity) {
    guard let second = moment.second else { return }
    let wall = WallTime(day: moment.day, secondOfDay: second)
    if let offset = moment.offset {
      let instant = Instant(milliseconds: wall.milliseconds).adding(seconds: -offset)
      activity.startAt = instant
      activity.timeZone = Self.zone(offset, at: instant, home: context.homeZone)
      return
    }
    let instant = context.homeZone.instant(of: wall)
    activity.startAt = instant
    let shown = context.homeZone.wallTime(at: instant)
    if shown != wall {
      diagnose(
        .note, line,
        "\(wall.clockText) didn’t exist on \(wall.day) in \(context.homeZone) because the clocks "
          + "went forward; the entry was moved to \(shown.clockText)")
    }
  }

  /// Returns the home zone if it has the offset, or else a zone with that offset if there is one.
  private static func zone(_ offset: Int, at instant: Instant, home: Zone) -> String {
    let hours = offset / 3600
    guard home.offset(at: instant) != offset, offset.isMultiple(of: 3600),
      (-12...14).contains(hours)
    else { return home.identifier }
    // The signs of these names follow POSIX: west is positive.
    return hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
  }

  private func attachments(_ entry: JrnlEntry, _ line: Int) -> [Attachment] {
    let (files, problems) = media.files(in: "\(entry.title)\n\(entry.body)")
    for problem in problems where context.notes.isFirst("jrnl \(problem)") {
      diagnose(.note, line, problem)
    }
    return files.map { file in
      Attachment(
        id: context.identities.next(), type: file.mediaType.attachmentType, caption: file.caption,
        relativePath: file.path, mediaType: file.mediaType.name,
        originalName: file.path.split(separator: "/").last.map(String.init),
        createdAt: context.now, updatedAt: context.now)
    }
  }
}

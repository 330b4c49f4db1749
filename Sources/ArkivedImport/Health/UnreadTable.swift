import ArkivedCore

/// Reports the tables of a service that its importer doesn't read.
///
/// They are claimed all the same; otherwise, a reading every few seconds would become an entry.
enum UnreadTable {
  /// Reports a table, once for all tables of its kind.
  ///
  /// - Parameters:
  ///   - file: the table.
  ///   - service: the service's name as shown to people.
  ///   - context: remembers the kinds that were reported.
  ///   - sink: takes the report.
  static func tell(
    _ file: ImportFile, of service: String, _ context: ImportContext, into sink: any ImportSink
  ) {
    let kind = kind(file.name)
    guard context.notes.isFirst("unread \(service) \(kind)") else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: file.name,
        message: "skipped: \(service) tables such as \(FieldError.shown(kind)) aren’t imported"))
  }

  /// Returns a file's name without its dates: `Minute SpO2` for `Minute SpO2 - 2024-01-01.csv`.
  private static func kind(_ name: String) -> String {
    let last = name.split(separator: "/").last ?? ""
    var kind: [Character] = []
    for character in last.prefix(last.count - (last.hasSuffix(".csv") ? 4 : 0)) {
      kind.append(character)
      // A year begins the date.
      if kind.suffix(4).count == 4, kind.suffix(4).allSatisfy(\.isNumber) {
        kind.removeLast(4)
        break
      }
    }
    while let end = kind.last, " -_".contains(end) { kind.removeLast() }
    return kind.isEmpty ? String(last) : String(kind)
  }
}

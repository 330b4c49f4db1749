import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Writes exports of Apple Health and reads them.
enum HealthReading {
  /// The beginning of an export of iOS 17, with the first declarations of its document type.
  static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 13 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
    ]>
    <HealthData locale="en_GB">
     <ExportDate value="2026-03-01 10:00:00 +0100"/>
     <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01"/>

    """

  static func export(_ elements: String...) -> String {
    head + elements.joined() + "</HealthData>\n"
  }

  /// One record, on a line of its own.
  ///
  /// - Parameters:
  ///   - type: without `HKQuantityTypeIdentifier`; whole where it begins with `HK`.
  ///   - value: the value.
  ///   - unit: its unit.
  ///   - span: start and end, with the offset: `2024-05-03 09:00:00 +0200`.
  ///   - source: the name of the device or program.
  ///   - metadata: further values by name.
  /// - Returns: the line.
  static func record(
    _ type: String, _ value: String, _ unit: String?, _ span: (String, String?),
    source: String = "Ada’s iPhone", metadata: [String: String] = [:]
  ) -> String {
    let name = type.hasPrefix("HK") ? type : "HKQuantityTypeIdentifier\(type)"
    let inside = metadata.sorted(by: { $0.key < $1.key }).map {
      "\n  <MetadataEntry key=\"\($0.key)\" value=\"\($0.value)\"/>"
    }.joined()
    return """
       <Record type="\(name)" sourceName="\(source)" sourceVersion="17.4" device="&lt;&lt;HKDevice: \
      0x28&gt;, name:iPhone&gt;"\(unit.map { " unit=\"\($0)\"" } ?? "") creationDate="\(span.0)" \
      startDate="\(span.0)" endDate="\(span.1 ?? span.0)" value="\(value)"\
      \(inside.isEmpty ? "/>" : ">\(inside)\n </Record>")

      """
  }

  static func sleep(
    _ stage: String, _ start: String, _ end: String, source: String = "Ada’s Watch",
    zone: String? = nil
  ) -> String {
    record(
      "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysis\(stage)", nil,
      ("\(start) +0200", "\(end) +0200"), source: source,
      metadata: zone.map { ["HKTimeZone": $0] } ?? [:])
  }

  static func context() throws -> ImportContext {
    ImportContext(
      now: TestArchive.now, homeZone: try #require(Zone(TestArchive.zoneName)),
      identities: CountedIdentities())
  }

  static func read(_ text: String, name: String = "export.xml") throws -> HealthSink {
    try read(Data(text.utf8), name: name)
  }

  static func read(_ content: Data, name: String = "export.xml") throws -> HealthSink {
    let folder = try TemporaryFolder()
    return try read(ImportFile(url: try folder.file(name, content), name: name))
  }

  static func read(_ file: ImportFile) throws -> HealthSink {
    let sink = HealthSink()
    try AppleHealthImporter().read(file, context: try context(), into: sink)
    return sink
  }
}

/// Keeps what the importer hands on.
final class HealthSink: ImportSink {
  private(set) var records: [ImportedRecord] = []
  private(set) var diagnostics: [Diagnostic] = []

  func take(_ record: ImportedRecord) { records.append(record) }
  func diagnose(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  var activities: [Activity] {
    records.compactMap { record in
      if case .activity(let activity) = record.value { activity } else { nil }
    }
  }

  var metrics: [DayMetric] {
    records.compactMap { record in
      if case .metric(let metric) = record.value { metric } else { nil }
    }
  }

  func metric(_ name: String, _ day: String = "2024-05-03") -> DayMetric? {
    metrics.first { $0.metric == name && $0.dayKey.description == day }
  }

  func value(_ name: String, _ day: String = "2024-05-03") -> Double? { metric(name, day)?.value }

  var skipped: [Diagnostic] { diagnostics.filter { $0.severity == .skipped } }
}

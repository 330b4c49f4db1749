import ArkivedCore
import Foundation

/// The header of an electrocardiogram table, `electrocardiograms/ecg_2020-01-31.csv`.
///
/// It consists of lines such as `Recorded Date,2020-01-31 10:00:00 +0100` and `Classification,Sinus
/// Rhythm` before the samples. The labels are in the phone's language, so the fields are identified
/// by the one that contains the date.
struct HealthElectrocardiogram {
  /// The whole table, stored as an attachment of the entry.
  struct Table {
    /// The folder that contains the table, and its file name there.
    var folder: URL
    var file: String
    /// The file name in the export.
    var name: String
  }

  static let folder = "electrocardiograms"
  /// The size limit in bytes; half a minute takes a few hundred kilobytes, so a larger file isn't
  /// one of Apple's tables.
  static let sizeLimit: Int64 = 16 << 20

  private let recorded: HealthMoment?
  private let classification: String

  /// Parses the header.
  ///
  /// - Parameter head: the first bytes of the file.
  init(_ head: [UInt8]) {
    var recorded: HealthMoment?
    var classification = ""
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).prefix(20)
    for line in lines {
      let parts = line.split(separator: ",", maxSplits: 1).map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"\u{FEFF}"))
      }
      guard parts.count == 2 else { continue }
      if recorded != nil {
        classification = parts[1]
        break
      }
      recorded = HealthMoment(parts[1])
    }
    self.recorded = recorded
    self.classification = String(classification.prefix(200))
  }

  /// Passes on the resulting entry with its table.
  func take(into reader: HealthReader, place: String, table: Table?) throws {
    guard let recorded else {
      return reader.skip(place, "the recording date is missing")
    }
    let words = classification.isEmpty ? "" : ": \(classification)"
    var activity = reader.entries.activity(
      "Electrocardiogram\(words)", from: recorded, to: nil, zone: nil,
      knownAs: "electrocardiogram/\(recorded.instant)")
    activity.tags = ["electrocardiogram"]
    if let table {
      activity.attachments = [
        Attachment(
          id: reader.entries.context.identities.next(), type: .file, relativePath: table.file,
          mediaType: "text/csv", originalName: table.name, createdAt: activity.createdAt,
          updatedAt: activity.updatedAt)
      ]
    }
    var record = reader.entries.record(activity, place)
    record.attachmentsFolder = table?.folder
    reader.count += 1
    try reader.sink.take(record)
  }
}

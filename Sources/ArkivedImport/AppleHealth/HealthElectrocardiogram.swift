import ArkivedCore
import Foundation

/// The head of an electrocardiogram's table, `electrocardiograms/ecg_2020-01-31.csv`: lines such as
/// `Recorded Date,2020-01-31 10:00:00 +0100` and `Classification,Sinus Rhythm` before the samples.
/// They are named in the phone's language; which is which is told by the date.
struct HealthElectrocardiogram {
  static let folder = "electrocardiograms"

  private let recorded: HealthMoment?
  private let classification: String

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

  /// Hands on the entry that it becomes.
  func take(into reader: HealthReader, place: String) throws {
    guard let recorded else {
      return reader.skip(place, "no line of it tells when it was recorded")
    }
    let words = classification.isEmpty ? "" : ": \(classification)"
    var activity = reader.entries.activity(
      "Electrocardiogram\(words)", from: recorded, to: nil, zone: nil,
      knownAs: "electrocardiogram/\(recorded.instant)")
    activity.tags = ["electrocardiogram"]
    reader.count += 1
    try reader.sink.take(reader.entries.record(activity, place))
  }
}

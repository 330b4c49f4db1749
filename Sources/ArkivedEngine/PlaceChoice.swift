package import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// The location data that an import keeps.
package enum PlaceChoice: String, CaseIterable, Sendable {
  /// Coordinates, tracks and the names of places.
  case keep
  /// Only the names of places.
  case names
  /// Neither.
  case none

  /// Reads a choice from a form, an argument or a field.
  ///
  /// - Throws: `FieldError` that lists the choices.
  package static func read(_ text: String) throws(FieldError) -> PlaceChoice {
    guard let choice = PlaceChoice(rawValue: text) else {
      throw FieldError("places", "is \(FieldError.shown(text)), but must be keep, names or none")
    }
    return choice
  }

  fileprivate var rank: Int {
    switch self {
    case .none: 0
    case .names: 1
    case .keep: 2
    }
  }
}

/// A filter that drops location data from imported entries.
///
/// The dropped data is recorded in the content hash of an entry's references (prefix `names:` or
/// `none:`), so a later import that keeps more can add it, and one that keeps less recognises the
/// entry as known. Nothing here ever removes a place from an entry that has one.
struct PlaceReduction {
  let choice: PlaceChoice

  /// Returns true if an entry has coordinates, or a file that contains a track.
  static func hasCoordinates(_ activity: Activity) -> Bool {
    activity.lat != nil || activity.lon != nil || activity.attachments.contains(where: isWay)
  }

  /// Returns true if any location data of an entry is to be dropped.
  func applies(to activity: Activity) -> Bool {
    guard choice != .keep else { return false }
    return Self.hasCoordinates(activity)
      || (choice == .none && activity.locationLabel?.isEmpty == false)
  }

  /// Drops the location data of an entry, and marks its references accordingly.
  ///
  /// - Parameters:
  ///   - activity: the entry to change.
  ///   - hash: the hash of the entry's content with its location data.
  func reduce(_ activity: inout Activity, hash: String) {
    if activity.source == .locationImport, let text = StayText.withoutCoordinates(activity) {
      activity.text = text
    }
    activity.lat = nil
    activity.lon = nil
    activity.attachments.removeAll(where: Self.isWay)
    if choice == .none { activity.locationLabel = nil }
    for index in activity.externalRefs.indices {
      let full = activity.externalRefs[index].contentHash ?? hash
      activity.externalRefs[index].contentHash = "\(choice.rawValue):\(full)"
    }
  }

  /// Drops the coordinates of an old version that is imported with its entry.
  func reduce(_ version: inout HistoryRecord) {
    guard choice != .keep, version.sourceTable == .activity, var record = version.record.object
    else { return }
    for key in ["lat", "lon"] + (choice == .none ? ["locationLabel"] : []) where record[key] != nil
    {
      record[key] = .null
    }
    version.record = .object(record)
  }

  /// Copies location data that a new version of an entry lacks from the entry here.
  static func carry(_ new: inout Activity, from old: Activity) {
    if new.lat == nil, new.lon == nil {
      (new.lat, new.lon) = (old.lat, old.lon)
      if StayText.isUnknown(new.text), StayText.withoutCoordinates(old) != nil {
        new.text = old.text
      }
    }
    new.locationLabel = new.locationLabel ?? old.locationLabel
    if !new.attachments.contains(where: isWay) {
      new.attachments += old.attachments.filter(isWay)
    }
  }

  static func isWay(_ attachment: Attachment) -> Bool { WayFile.isWay(attachment) }

  /// Returns the message of a run that dropped coordinates by default.
  static func note(_ count: Int, at place: String) -> Diagnostic {
    Diagnostic(
      .note, place: place,
      message: count == 1
        ? """
        1 entry was imported without its coordinates. To keep them, import it again with \
        --places keep
        """
        : "\(count) entries were imported without their coordinates. To keep them, import it "
          + "again with --places keep")
  }

  // MARK: Marked hashes

  /// Returns a content hash, and the location data with which it was imported.
  private static func parts(_ hash: String) -> (choice: PlaceChoice, content: Substring) {
    for choice in [PlaceChoice.names, .none] where hash.hasPrefix("\(choice.rawValue):") {
      return (choice, hash.dropFirst(choice.rawValue.count + 1))
    }
    return (.keep, hash[...])
  }

  /// Returns the part of a hash that doesn't depend on the location data that was dropped.
  static func content(_ hash: String) -> String { String(parts(hash).content) }

  /// Returns true if this import dropped location data from an entry.
  static func isReduced(_ activity: Activity) -> Bool {
    activity.externalRefs.contains { ref in
      ref.contentHash.map { parts($0).choice != .keep } ?? false
    }
  }

  /// Returns true if two hashes are of the same content, regardless of the location data that was
  /// dropped from it.
  static func isSame(_ new: String?, _ known: String?) -> Bool {
    guard let new, let known else { return new == known }
    return parts(new).content == parts(known).content
  }

  /// Returns true if the same content has more of its location data than before.
  static func isFuller(_ new: String?, than known: String?) -> Bool {
    guard let new, let known, isSame(new, known) else { return false }
    return parts(new).choice.rank > parts(known).choice.rank
  }
}

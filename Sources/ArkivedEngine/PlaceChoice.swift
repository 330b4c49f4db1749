package import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// What an import keeps of the places that its source brings.
package enum PlaceChoice: String, CaseIterable, Sendable {
  /// Coordinates, tracks and the names of places.
  case keep
  /// The names of places alone.
  case names
  /// Neither.
  case none

  /// Reads a choice from a form, an argument or a field.
  ///
  /// - Throws: `FieldError` that names the choices.
  package static func read(_ text: String) throws(FieldError) -> PlaceChoice {
    guard let choice = PlaceChoice(rawValue: text) else {
      throw FieldError("places", "is \(FieldError.shown(text)); it must be keep, names or none")
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

/// Leaves places out of what comes in.
///
/// What was left out is remembered in the content hash of an entry's references (`names:` or `none:`
/// before it), so that a later import that keeps more can fill it in, and one that keeps less finds
/// the entry known. Nothing here ever takes a place away from an entry that has one.
struct PlaceReduction {
  let choice: PlaceChoice

  /// Returns whether an entry has coordinates, or a file with the line of a way.
  static func hasCoordinates(_ activity: Activity) -> Bool {
    activity.lat != nil || activity.lon != nil || activity.attachments.contains(where: isWay)
  }

  /// Returns whether something of an entry is to be left out.
  func applies(to activity: Activity) -> Bool {
    guard choice != .keep else { return false }
    return Self.hasCoordinates(activity)
      || (choice == .none && activity.locationLabel?.isEmpty == false)
  }

  /// Leaves the places of an entry out, and marks its references accordingly.
  ///
  /// - Parameter hash: the hash of what the entry said with its places.
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

  /// Leaves coordinates out of an old version that comes with its entry.
  func reduce(_ version: inout HistoryRecord) {
    guard choice != .keep, version.sourceTable == .activity, var record = version.record.object
    else { return }
    for key in ["lat", "lon"] + (choice == .none ? ["locationLabel"] : []) where record[key] != nil
    {
      record[key] = .null
    }
    version.record = .object(record)
  }

  /// Gives a new version of an entry the places that the entry here has and the new one lacks.
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

  /// What a run says that left coordinates out without being told to.
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

  /// A content hash, and how much of the places came in with it.
  private static func parts(_ hash: String) -> (choice: PlaceChoice, content: Substring) {
    for choice in [PlaceChoice.names, .none] where hash.hasPrefix("\(choice.rawValue):") {
      return (choice, hash.dropFirst(choice.rawValue.count + 1))
    }
    return (.keep, hash[...])
  }

  /// Returns whether places were left out of an entry by this import.
  static func isReduced(_ activity: Activity) -> Bool {
    activity.externalRefs.contains { ref in
      ref.contentHash.map { parts($0).choice != .keep } ?? false
    }
  }

  /// Returns whether two hashes are of the same content, whatever was left out of it.
  static func isSame(_ new: String?, _ known: String?) -> Bool {
    guard let new, let known else { return new == known }
    return parts(new).content == parts(known).content
  }

  /// Returns whether the same content comes with more of its places than before.
  static func isFuller(_ new: String?, than known: String?) -> Bool {
    guard let new, let known, isSame(new, known) else { return false }
    return parts(new).choice.rank > parts(known).choice.rank
  }
}

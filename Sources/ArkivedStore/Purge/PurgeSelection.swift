package import ArkivedCore
package import Foundation

/// A selection for permanent deletion.
package enum PurgeSelection: Hashable, Sendable {
  /// Entities by ID, existing or deleted.
  case entities([UUID])
  /// Data that another of the owner's devices deleted permanently, tags included.
  case deletedElsewhere([UUID])
  /// Entries and notes with a tag, and the tag itself.
  case tag(String)
  /// Everything on some days.
  case days(DayFilter)
}

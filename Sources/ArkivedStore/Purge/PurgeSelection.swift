package import ArkivedCore
package import Foundation

/// What is to be forgotten for ever.
package enum PurgeSelection: Hashable, Sendable {
  /// Things by their identities, there or deleted.
  case entities([UUID])
  /// Entries and notes that carry a tag, with the tag itself.
  case tag(String)
  /// Everything on some days.
  case days(DayFilter)
}

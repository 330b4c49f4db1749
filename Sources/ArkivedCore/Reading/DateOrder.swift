import Foundation

/// The position of the day and the month in a date such as 3/4/2026.
package enum DateOrder: String, Sendable, CaseIterable {
  case dayFirst, monthFirst

  /// Creates the order of a locale such as "en_US.UTF-8": month first in the United States and in
  /// regions that write dates the same way, otherwise day first.
  package init(locale: String) {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let region = name.split { $0 == "_" || $0 == "-" }.dropFirst().last.map { $0.uppercased() }
    self = DateOrder.monthFirstRegions.contains(region ?? "") ? .monthFirst : .dayFirst
  }

  /// The order for this process, from its environment at launch.
  package static let inProcess = inEnvironment(ProcessInfo.processInfo.environment)

  /// Returns the order for an environment, from the first of LC_ALL, LC_TIME and LANG that is set.
  package static func inEnvironment(_ environment: [String: String]) -> DateOrder {
    let names = ["LC_ALL", "LC_TIME", "LANG"]
    let value = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return DateOrder(locale: value ?? "")
  }

  /// The United States and its territories, the Philippines, and islands associated with the United
  /// States.
  private static let monthFirstRegions: Set<String> = [
    "US", "PR", "GU", "VI", "AS", "MP", "UM", "PH", "FM", "MH", "PW",
  ]
}

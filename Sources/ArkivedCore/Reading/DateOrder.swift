import Foundation

/// Which of the first two numbers of a date such as 3/4/2026 is the day.
package enum DateOrder: String, Sendable, CaseIterable {
  case dayFirst, monthFirst

  /// The order of a locale such as "en_US.UTF-8": the month first in the United States and where
  /// dates are written as there, else the day.
  package init(locale: String) {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let region = name.split { $0 == "_" || $0 == "-" }.dropFirst().last.map { $0.uppercased() }
    self = DateOrder.monthFirstRegions.contains(region ?? "") ? .monthFirst : .dayFirst
  }

  /// The order of this process, as it was started.
  package static let inProcess = inEnvironment(ProcessInfo.processInfo.environment)

  /// The order of an environment: by LC_ALL, LC_TIME or LANG, the first of them that says anything.
  package static func inEnvironment(_ environment: [String: String]) -> DateOrder {
    let names = ["LC_ALL", "LC_TIME", "LANG"]
    let value = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return DateOrder(locale: value ?? "")
  }

  /// The United States with its territories, the Philippines, and islands bound to the States.
  private static let monthFirstRegions: Set<String> = [
    "US", "PR", "GU", "VI", "AS", "MP", "UM", "PH", "FM", "MH", "PW",
  ]
}

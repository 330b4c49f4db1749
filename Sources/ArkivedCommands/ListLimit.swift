import ArkivedCore

/// The number of results that `--limit` asks for.
enum ListLimit {
  /// Returns the number.
  ///
  /// - Throws: `CommandFailure` if it is negative; as 0, it would seem that nothing was found.
  static func checked(_ limit: Int) throws -> Int {
    guard limit >= 0 else { throw CommandFailure(.usage, said("--limit can’t be negative.")) }
    return limit
  }
}

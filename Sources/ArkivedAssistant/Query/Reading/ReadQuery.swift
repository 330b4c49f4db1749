/// A query that a question may mean.
struct ReadQuery {
  /// The presentation of a value for which queries have no target.
  enum Telling: Equatable {
    case plain, clock, usualClock, earliestClock, latestClock
    /// The frequency or amount per week or month.
    case rate(Query.Group)
  }

  var query: Query
  var telling = Telling.plain
  /// The ignored parts of the question, in the asker's words.
  var dropped: [String] = []
}

import ArkivedCore
import ArkivedStore

/// A warning about new tags that resemble an existing one.
///
/// It never prevents writing.
struct TagAdvice {
  private let suggestions: [Archive.TagSuggestion]

  /// Finds existing tags that resemble the new ones, which must happen before those are written,
  /// while it is still known which are new.
  init(adding names: [String], to archive: Archive) throws {
    suggestions = try archive.suggestions(for: names)
  }

  func say(_ output: Output) {
    for suggestion in suggestions {
      output.say(
        said(
          suggestion.count,
          one:
            """
            #\(suggestion.name) is new. Did you mean #\(suggestion.existing) (\(suggestion.count) \
            entry)?
            """,
          other:
            """
            #\(suggestion.name) is new. Did you mean #\(suggestion.existing) (\(suggestion.count) \
            entries)?
            """
        ))
    }
  }
}

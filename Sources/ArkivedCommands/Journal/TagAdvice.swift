import ArkivedCore
import ArkivedStore

/// A word of caution about new tags that look like one that exists. It never keeps anything from
/// being written.
struct TagAdvice {
  private let suggestions: [Archive.TagSuggestion]

  /// To be asked for before the tags are written, while it still shows which are new.
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

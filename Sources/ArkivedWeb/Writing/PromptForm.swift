import ArkivedCore

/// The form of the prompts.
struct PromptForm: Sendable {
  var lines: String
  var showsPrompts: Bool
  var usesPast: Bool
  /// The version that the form was opened with.
  var version: String
  var error: FieldError?

  init(_ writing: WritingSettings) {
    lines = writing.shownPrompts.joined(separator: "\n")
    showsPrompts = writing.showsPrompts
    usesPast = writing.usesPast
    version = writing.promptVersion
  }

  init(_ fields: FormFields) {
    lines = fields.paragraphs("prompts")
    showsPrompts = fields["showsPrompts"] == "true"
    usesPast = fields["usesPast"] == "true"
    version = fields.text("version") ?? ""
  }

  /// Returns true if the form was opened with a version, or doesn't say with which.
  func knows(_ stored: String) -> Bool { version.isEmpty || version == stored }

  func apply(to settings: inout WritingSettings) throws(FieldError) {
    try settings.setPrompts(lines.split(whereSeparator: \.isNewline).map(String.init))
    settings.showsPrompts = showsPrompts
    settings.usesPast = usesPast
  }

  var context: [String: Any] {
    [
      "showsPrompts": showsPrompts, "usesPast": usesPast, "promptLines": FormValue(lines),
      "promptVersion": version, "hasPromptError": error != nil,
      "promptError": error.map { saidAgain($0.description + ".") } ?? "",
    ]
  }
}

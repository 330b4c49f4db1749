import ArkivedCore

extension WritingTemplate {
  /// The version of the template, by which a form or a program knows that it was changed.
  var version: String { EntityTag.version(of: json) }
}

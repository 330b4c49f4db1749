import ArkivedCore

extension WritingTemplate {
  /// The version of the template, by which a form or a program notices changes.
  var version: String { EntityTag.version(of: json) }
}

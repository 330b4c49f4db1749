import ArkivedCore

extension WritingSettings {
  /// The version of the prompts and of where they are shown.
  var promptVersion: String {
    EntityTag.version(of: promptRecord)
  }
}

import ArkivedCore

/// Tags from other programs.
enum ImportedTags {
  /// Returns the names that can be tags; others, such as very long ones, are reported.
  ///
  /// - Parameters:
  ///   - names: the names.
  ///   - place: the place of their entry in its source.
  ///   - sink: receives the reports.
  /// - Returns: the tags.
  static func valid(
    _ names: [String], at place: String, _ sink: any ImportSink
  ) -> [String] {
    names.filter { name in
      do throws(FieldError) {
        try Tag.validate(name: name)
        return true
      } catch {
        sink.diagnose(
          Diagnostic(
            .note, place: "\(place) field “tags”",
            message: "skipped the tag \(FieldError.shown(name)): \(error.problem)"))
        return false
      }
    }
  }
}

import ArkivedCore
import Foundation

/// The selection of what serves what, and how strongly.
enum Alignment {
  /// The submitted selection, if it contains an error.
  struct Typed: Error {
    var chosen: Set<String>
    /// The strengths by ID.
    var strengths: [String: Int]
    var error: FieldError
    /// The item with the invalid strength.
    var wrong: String
  }

  /// Returns the choices for the template.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - title: the title.
  ///   - isChosen: true if it is selected.
  ///   - strength: how strongly the goal serves the value, if stored.
  ///   - typed: a submitted selection that replaces the stored one.
  /// - Returns: the data for the template.
  static func choice(
    _ id: UUID, _ title: String, isChosen: Bool, _ strength: Int?, _ typed: Typed? = nil
  ) -> [String: Any] {
    let strength = typed.map { $0.strengths[id.uuidString] } ?? strength
    let strengths = (0...10).map { number -> [String: Any] in
      [
        "number": number == 0 ? "" : "\(number)", "numberLabel": number == 0 ? "–" : "\(number)",
        "isSelected": number == strength ?? 0,
      ]
    }
    return [
      "choiceID": id.uuidString, "choiceTitle": ClippedText.of(title, limit: 120),
      "isChosen": typed?.chosen.contains(id.uuidString) ?? isChosen, "strengths": strengths,
      "isWrong": typed?.wrong == id.uuidString,
    ]
  }

  /// Returns the error for `align-choices`.
  static func context(_ typed: Typed?) -> [String: Any] {
    [
      "hasAlignError": typed != nil,
      "alignError": typed.map { said("The strength \(saidAgain($0.error.problem)).") } ?? "",
    ]
  }

  /// Returns the selected ones of the listed items, with the strength by ID.
  static func read(
    _ fields: FormFields
  ) throws(Typed) -> (listed: Set<UUID>, chosen: [UUID: Int?]) {
    let listed = Set(
      (fields["listed"] ?? "").split(separator: " ").compactMap { UUID(uuidString: String($0)) })
    var chosen: [UUID: Int?] = [:]
    for text in fields.all("chosen") {
      guard let id = UUID(uuidString: text) else { continue }
      var strength: Int?
      if let typed = fields.text("strength-\(text)") {
        guard let number = Int(typed), (1...10).contains(number) else {
          let ids = Set(fields.all("chosen"))
          let strengths = ids.compactMap { id in
            (fields.text("strength-\(id)").flatMap(Int.init)).map { (id, $0) }
          }
          throw Typed(
            chosen: ids, strengths: Dictionary(strengths) { first, _ in first },
            error: FieldError("strength", "is \(FieldError.shown(typed)). Choose 1 to 10"),
            wrong: text)
        }
        strength = number
      }
      chosen[id] = .some(strength)
    }
    return (listed, chosen)
  }
}

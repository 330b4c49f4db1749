import ArkivedCore

/// A filter of a page for what has something, or has not: one field whose value is empty, `yes` or `no`.
struct HasFilter {
  let name: String
  let isWanted: Bool?

  init(_ name: String, _ fields: FormFields) {
    self.name = name
    isWanted = ["yes": true, "no": false][fields.text(name) ?? ""]
  }

  /// What stands in an address; nil where nothing is asked for.
  var query: String? { isWanted.map { "\(name)=\($0 ? "yes" : "no")" } }

  /// The choices of a select.
  func choices(yes: String, no: String) -> [[String: Any]] {
    [("", said("All"), nil), ("yes", yes, true), ("no", no, false)]
      .map { (value: String, label: String, wanted: Bool?) in
        ["value": value, "label": label, "isSelected": wanted == isWanted]
      }
  }
}

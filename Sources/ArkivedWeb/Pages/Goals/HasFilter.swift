import ArkivedCore

/// A filter of a page for items that have something or not: one field whose value is empty, `yes`
/// or `no`.
struct HasFilter {
  let name: String
  let isWanted: Bool?

  init(_ name: String, _ fields: FormFields) {
    self.name = name
    isWanted = ["yes": true, "no": false][fields.text(name) ?? ""]
  }

  /// The query in an address, or nil if nothing is requested.
  var query: String? { isWanted.map { "\(name)=\($0 ? "yes" : "no")" } }

  /// Returns the options of a select element.
  func choices(yes: String, no: String) -> [[String: Any]] {
    [("", said("All"), nil), ("yes", yes, true), ("no", no, false)]
      .map { (value: String, label: String, wanted: Bool?) in
        ["value": value, "label": label, "isSelected": wanted == isWanted]
      }
  }
}

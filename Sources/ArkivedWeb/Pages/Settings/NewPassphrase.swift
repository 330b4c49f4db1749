import ArkivedBackup
import ArkivedCore

/// A passphrase for a new file, typed twice in a form.
enum NewPassphrase {
  private static let limit = 1_000

  /// Reads the fields `passphrase` and `again`.
  ///
  /// - Throws: `FieldError` if it is missing, too long, or the two differ.
  static func read(_ fields: FormFields) throws(FieldError) -> String {
    let first = fields["passphrase"] ?? ""
    guard !first.isEmpty else {
      throw FieldError("passphrase", "is missing. Enter it in both fields")
    }
    try check(first)
    guard fields["again"] == first else {
      throw FieldError("passphrase", "isn’t the same in both fields. Enter it twice")
    }
    return first
  }

  /// Throws `FieldError` if a passphrase is empty or too long.
  static func check(_ passphrase: String) throws(FieldError) {
    guard !passphrase.isEmpty else { throw FieldError("passphrase", "is empty") }
    guard passphrase.count <= limit else {
      throw FieldError("passphrase", "is longer than \(limit) characters")
    }
  }

  /// Returns a sentence about the strength of a passphrase.
  static func strength(of passphrase: String) -> String {
    switch PassphraseStrength(passphrase).level {
    case .weak: "The passphrase is weak. For a strong one, use five or six unrelated words."
    case .fair: "The passphrase is fair. For a strong one, use five or six unrelated words."
    case .strong: "The passphrase is strong."
    }
  }
}

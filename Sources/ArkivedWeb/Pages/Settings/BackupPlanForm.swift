import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import Foundation

/// The form of the schedule for automatic backups: the current one, or the typed values if they
/// contain an error.
struct BackupPlanForm {
  /// A schedule as entered in the form.
  struct Wanted: Sendable {
    var folder: String
    /// Empty to keep the keys of the current schedule.
    var recipients: [AgeRecipient]
    var days: Int
    /// The new secret key, if one was asked for.
    var key: AgeIdentity?
  }

  private static let intervals = [1, 2, 3, 7, 14, 30]

  private var folder = ""
  private var days = 1
  /// `new` for a new key, `own` for a public key of the owner's, `kept` for the keys of the
  /// schedule.
  private var key = "new"
  private var publicKey = ""
  private var hasPlan = false
  /// Identifies a form that may be submitted twice.
  private var submission: String?
  var error: FieldError?

  init(_ plan: BackupBook.Plan?) {
    guard let plan else { return }
    (folder, days, key, hasPlan) = (plan.folder, plan.days, "kept", true)
  }

  init(_ fields: FormFields) {
    folder = (fields["folder"] ?? "").trimmingCharacters(in: .whitespaces)
    days = fields["days"].flatMap { Int($0) } ?? 0
    key = fields["key"] ?? ""
    publicKey = (fields["publicKey"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    submission = fields.text("idempotencyKey")
  }

  /// Returns the requested settings.
  ///
  /// - Parameters:
  ///   - hasPlan: true if there is a schedule whose keys can be kept.
  ///   - newKey: returns the new key for a form.
  /// - Returns: the requested settings.
  /// - Throws: `FieldError` for a value that can't be used.
  mutating func wanted(
    hasPlan: Bool, newKey: (_ form: String?) -> AgeIdentity
  ) throws(FieldError) -> Wanted {
    self.hasPlan = hasPlan
    guard !folder.isEmpty else { throw FieldError("folder", "is missing. Enter a folder") }
    guard folder.hasPrefix("/") || folder.hasPrefix("~/") else {
      throw FieldError("folder", "is \(FieldError.shown(folder)), but must begin with / or ~/")
    }
    guard (1...1_000).contains(days) else {
      throw FieldError("days", "is \(days), but must be between 1 and 1000")
    }
    var wanted = Wanted(folder: folder, recipients: [], days: days)
    switch key {
    case "kept" where hasPlan: break
    case "own":
      guard let recipient = try? AgeRecipient(publicKey) else {
        throw FieldError(
          "publicKey", "is \(FieldError.shown(publicKey)), but must be a public key (age1…)")
      }
      wanted.recipients = [recipient]
    default:
      let identity = newKey(submission)
      (wanted.key, wanted.recipients) = (identity, [identity.recipient])
    }
    return wanted
  }

  var context: [String: Any] {
    let isOther = days > 0 && !Self.intervals.contains(days)
    let choices = isOther ? (Self.intervals + [days]).sorted() : Self.intervals
    var context: [String: Any] = [
      "planFolder": FormValue(folder), "publicKey": FormValue(publicKey),
      "intervals": choices.map { count -> [String: Any] in
        [
          "days": "\(count)", "isChosen": count == days,
          "label": count == 1 ? said("Every day") : said("Every \(count) days"),
        ]
      },
      "canKeepKey": hasPlan, "keepsKey": key == "kept", "makesKey": key == "new",
      "bringsKey": key == "own", "isFormOpen": error != nil,
      "hasFolderError": error?.field == "folder", "hasDaysError": error?.field == "days",
      "hasKeyError": error?.field == "publicKey",
    ]
    if let error {
      context["planError"] = "\(Self.noun(error.field)) \(saidAgain(error.problem))."
    }
    return context
  }

  private static func noun(_ field: String) -> String {
    switch field {
    case "folder": said("The folder")
    case "days": said("The interval")
    default: said("The public key")
    }
  }
}

import ArkivedCore
import ArkivedStore

/// The values of a stored record in the words of the pages; `FieldLabel` names its fields.
enum RecordWords {
  /// Fields that mean nothing to the reader; `mentions` has the same names as `people`.
  static let silent: Set<String> = [
    "id", "createdAt", "updatedAt", "typedText", "links", "shared", "mergedInto", "activityIds",
    "contentHash", "event", "linkId", "resource", "plainText", "externalRefs", "position",
    "mentions", "activityId", "actionId", "goalId", "valueId", "termId", "personId",
    "eventIdentifier", "seriesIdentifier", "matchedOn", "relativePath", "sourceId", "sourceTable",
  ]

  /// Returns the words for a value that is stored as a code; nil for other fields.
  static func value(_ value: JSON, of name: String) -> String? {
    if name == "weather", let object = value.object {
      var fields = FieldReader(object)
      return (try? Weather(&fields))?.text
    }
    guard let code = value.string, !code.isEmpty else { return nil }
    switch name {
    case "kind": return saidWhole(EntryContext.capitalised(ClippedText.of(code, limit: 40)))
    case "source": return EntryContext.label(ActivitySource(rawValue: code))
    case "metric": return MetricText.shownName(code)
    case "dayPeriod": return DayPeriod(rawValue: code)?.name
    case "goalType": return GoalWords.type(GoalType(rawValue: code))
    case "incentiveType":
      return EntryContext.capitalised(saidWhole(IncentiveType(rawValue: code).words))
    case "matchMethod": return matches[code].map { saidWhole($0) }
    default: return nil
    }
  }

  // words: linked by you | confirmed by you | rejected by you | linked automatically
  private static let matches = [
    MatchMethod.manual.rawValue: "linked by you",
    MatchMethod.userConfirmed.rawValue: "confirmed by you",
    MatchMethod.userRejected.rawValue: "rejected by you",
    MatchMethod.autoInferred.rawValue: "linked automatically",
  ]
}

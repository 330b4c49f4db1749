import ArkivedCore
import ArkivedEngine
import ArkivedImport

/// The data of an import forecast for the page of imports.
enum ForecastContext {
  private static let remarkLimit = 20

  static func context(_ forecast: ImportForecast) -> [String: Any] {
    let created = forecast.created.sorted { $0.key < $1.key }.map {
      ItemCount.text($0.value, of: $0.key)
    }
    let columns = forecast.table.map { table in
      zip(table.mapping.columns, table.examples).map { column, examples in
        [
          "column": ClippedText.of(column.name, limit: 60), "becomes": column.words,
          "example": ClippedText.of(examples.joined(separator: " · "), limit: 80),
        ]
      }
    }
    return [
      "format": forecast.format, "span": span(forecast),
      "created": created.isEmpty ? "0" : created.joined(separator: ", "),
      "updated": SettingsPages.number(forecast.updated),
      "unchanged": SettingsPages.number(forecast.unchanged),
      "skipped": SettingsPages.number(forecast.skipped), "hasKept": forecast.kept > 0,
      "keptLine": said(
        "Entries that are already here but differ: \(SettingsPages.number(forecast.kept)). Your version is kept."
      ),
      "hasPlaced": forecast.placed > 0, "placedLine": placed(forecast),
      "hasColumns": columns != nil, "columns": columns ?? [],
      "isGuessed": forecast.table.map { $0.origin == .guessed } ?? false,
      "examples": forecast.examples.map { example in
        [
          "standing": word(example.standing),
          "exampleText": ClippedText.of(example.text, limit: 120),
          "exampleDay": example.dayKey.map { EntryContext.dayName($0) } ?? "",
          "exampleParts": forecast.table == nil
            ? "" : ClippedText.of(example.parts.joined(separator: " · "), limit: 300),
        ]
      },
      "remarks": forecast.warnings.prefix(remarkLimit).map {
        [
          "place": ClippedText.of(saidAgain($0.place), limit: 200),
          "message": ClippedText.of(saidAgain($0.message), limit: 500),
        ]
      },
    ]
  }

  private static func span(_ forecast: ImportForecast) -> String {
    guard let first = forecast.firstDay, let last = forecast.lastDay else { return "" }
    return first == last
      ? first.shownName : said("\(first.shownName) to \(last.shownName)")
  }

  /// Returns the number of entries with coordinates, and the effect on them.
  private static func placed(_ forecast: ImportForecast) -> String {
    let count = said(
      forecast.placed, one: "\(forecast.placed) entry has coordinates",
      other: "\(forecast.placed) entries have coordinates")
    return forecast.places == .keep
      ? said("\(count). They will be kept.") : said("\(count). They won’t be imported.")
  }

  private static func word(_ standing: ImportForecast.Standing) -> String {
    switch standing {
    case .new: said("New")
    case .changed: said("Updated")
    case .known: said("Already here")
    case .kept: said("Your version kept")
    case .leftOut: said("Skipped")
    }
  }
}

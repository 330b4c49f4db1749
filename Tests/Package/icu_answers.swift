// Prints what Foundation answers with ICU's help: zones, calendars, dates and numbers in English and German, letters,
// patterns, orders and addresses. test_icu.py compares the answers of two programs.
import Foundation

let moments = stride(from: -2_000_000_000.0, to: 3_000_000_000, by: 123_456_789).map {
  Date(timeIntervalSince1970: $0)
}

for identifier in TimeZone.knownTimeZoneIdentifiers {
  guard let zone = TimeZone(identifier: identifier) else { continue }
  let names = ["de_DE", "en_US"].map { language in
    zone.localizedName(for: .generic, locale: Locale(identifier: language)) ?? "-"
  }
  print(
    identifier, moments.map { zone.secondsFromGMT(for: $0) },
    zone.nextDaylightSavingTimeTransition(after: moments[20]) ?? "-", names)
}

let calendars: [Calendar.Identifier] = [
  .gregorian, .iso8601, .islamicUmmAlQura, .islamicCivil, .hebrew, .chinese, .persian, .japanese,
  .buddhist, .indian, .coptic,
]
for identifier in calendars {
  var calendar = Calendar(identifier: identifier)
  calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
  print(identifier, calendar.firstWeekday, calendar.minimumDaysInFirstWeek)
  for moment in moments {
    let parts: Set<Calendar.Component> = [
      .era, .year, .month, .day, .hour, .weekday, .weekOfYear, .isLeapMonth,
    ]
    print(
      calendar.dateComponents(parts, from: moment),
      calendar.date(byAdding: .month, value: 1, to: moment) ?? "-")
  }
}

for identifier in [
  "en", "en_US", "en_GB", "en_IN", "en_US_POSIX", "de", "de_DE", "de_AT", "de_CH",
] {
  let locale = Locale(identifier: identifier)
  for moment in moments.prefix(6) {
    for style in [DateFormatter.Style.short, .medium, .long, .full] {
      let format = DateFormatter()
      format.locale = locale
      format.timeZone = TimeZone(identifier: "America/New_York")
      format.dateStyle = style
      format.timeStyle = style
      print(identifier, format.string(from: moment))
    }
    print(moment.formatted(.dateTime.weekday(.wide).day().month(.wide).hour().locale(locale)))
  }
  for style in [
    NumberFormatter.Style.decimal, .currency, .percent, .spellOut, .ordinal, .scientific,
  ] {
    let format = NumberFormatter()
    format.locale = locale
    format.numberStyle = style
    print(identifier, [0, 1, -2.5, 1_234_567.891, 21].map { format.string(from: $0) ?? "-" })
  }
  print(
    ["a", "b", "c"].formatted(.list(type: .and).locale(locale)),
    1_234_567.formatted(.byteCount(style: .file).locale(locale)),
    locale.localizedString(forRegionCode: "DE") ?? "-",
    locale.localizedString(forLanguageCode: "fr") ?? "-", locale.currencySymbol ?? "-",
    locale.calendar.firstWeekday)
  let words = ["Zebra", "äpfel", "Apfel", "Öl", "ol", "straße", "strasse", "10", "9", "é"]
  print(words.sorted { $0.compare($1, locale: locale) == .orderedAscending })
}

for value in UInt32(1)..<0x30000 {
  guard let scalar = Unicode.Scalar(value), value < 0x600 || value % 7 == 0 else { continue }
  let text = "a\(scalar)b"
  print(
    value, text.uppercased(), text.lowercased(), text.capitalized, text.localizedUppercase,
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil),
    text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCompatibilityMapping)
}

let line = "Die STRASSE straße 12, Ελλάδα Ω — naïve 👩‍👩‍👧 日本語 ok-go"
for pattern in [
  #"\bstrasse\b"#, #"\p{Lu}+"#, #"\w+\s\d"#, "[[:punct:]]", #"\X"#, #"\p{Script=Greek}"#, "ß",
  #"(?w)\b\w+\b"#, #"\p{IDS}"#,
] {
  let expression = try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
  let whole = NSRange(line.startIndex..., in: line)
  print(pattern, expression.matches(in: line, range: whole).map { $0.range })
}

print(
  URL(string: "https://müller.de/straße?q=ä")?.absoluteString ?? "-",
  String(data: Data([0xE4, 0x80]), encoding: .windowsCP1252) ?? "-")
// In a language that is left out, the words are another's, but there is an answer.
let french = moments[0].formatted(.dateTime.month(.wide).locale(Locale(identifier: "fr_FR")))
print(french.isEmpty)

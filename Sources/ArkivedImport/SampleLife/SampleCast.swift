/// A person in the sample life.
struct CastMember: Sendable {
  var name: String
  /// The name used in the diary.
  var shortName: String
  var isShe: Bool
  var roles: [String]
  /// The relative frequency among those of the same role.
  var weight: Int
  /// The years in which they are part of the life.
  var years: ClosedRange<Int>
  var aliases: [String]
  var email: String?
  var summary: String?
}

/// All the people in the sample life.
struct SampleCast: Sendable {
  private(set) var members: [CastMember] = []
  /// The members' numbers by the short key that patterns use.
  private(set) var numbers: [String: Int] = [:]
  private(set) var byRole: [String: [Int]] = [:]

  /// Parses one person per line: `Name|s or
  /// h|role,role|weight|first-last|key|short|alias;alias|summary`, where everything after the years
  /// may be omitted.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 5 else { continue }
      func field(_ place: Int) -> String? {
        place < fields.count && !fields[place].isEmpty ? fields[place] : nil
      }
      let years = fields[4].split(separator: "-").compactMap { Int($0) }
      let first = fields[0].split(separator: " ").first.map(String.init) ?? fields[0]
      let number = members.count
      members.append(
        CastMember(
          name: fields[0], shortName: field(6) ?? first, isShe: fields[1] == "s",
          roles: fields[2].split(separator: ",").map(String.init), weight: Int(fields[3]) ?? 1,
          years: years.count == 2 ? years[0]...max(years[0], years[1]) : 0...9999,
          aliases: field(7)?.split(separator: ";").map(String.init) ?? [],
          email: SampleCast.address(fields[0], number), summary: field(8)))
      if let key = field(5) { numbers[key] = number }
      for role in members[number].roles { byRole[role, default: []].append(number) }
    }
  }

  /// Returns an email address for three in four people, in domains reserved for examples.
  private static func address(_ name: String, _ number: Int) -> String? {
    guard number % 4 != 3 else { return nil }
    let plain = name.lowercased().unicodeScalars.map { scalar -> String in
      switch scalar {
      case "ä": "ae"
      case "ö", "ø": "oe"
      case "ü": "ue"
      case "ß": "ss"
      case "é", "è", "ê": "e"
      case "á", "å", "ã", "à": "a"
      case "í", "ı": "i"
      case "ó": "o"
      case "ç": "c"
      case "ñ": "n"
      case "ş": "s"
      case "ž": "z"
      case "ř": "r"
      case "ł": "l"
      case "ğ": "g"
      case " ": "."
      case "a"..."z": String(scalar)
      default: ""
      }
    }
    let domains = ["example.org", "example.net", "example.com"]
    return plain.joined() + "@" + domains[number % 3]
  }
}

extension SampleCast {
  /// Returns the person whose birthday the diary marks on a day of the year.
  func birthday(_ month: Int, _ dayOfMonth: Int) -> Int? {
    let key: String? =
      switch (month, dayOfMonth) {
      case (2, 2): "jonas"
      case (3, 8): "mum"
      case (4, 17): "leyla"
      case (6, 21): "alex"
      case (7, 30): "dad"
      case (8, 19): "gran"
      case (10, 5): "katrin"
      case (11, 11): "tom"
      case (12, 5): "priya"
      case (1, 26): "ingrid"
      default: nil
      }
    return key.flatMap { numbers[$0] }
  }
}

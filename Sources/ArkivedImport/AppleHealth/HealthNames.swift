import Foundation

/// Numbers for recurring names of types, units and sources.
struct HealthNames {
  /// The maximum number of names, more than any export has; further ones share one number.
  private static let limit = 20_000

  private(set) var all: [String] = []
  private var numbers: [String: Int] = [:]
  /// The name looked up last, NUL-terminated; records of one kind are adjacent.
  private var last: [CChar] = [0]
  private var lastNumber = -1

  /// Returns the number of a name, starting at 0.
  ///
  /// - Parameter name: a NUL-terminated string.
  /// - Returns: its number.
  mutating func number(_ name: UnsafePointer<CChar>) -> Int {
    let isLast = last.withUnsafeBufferPointer { known in
      known.baseAddress.map { strcmp($0, name) == 0 } ?? false
    }
    if isLast, lastNumber >= 0 { return lastNumber }
    var text = String(cString: name)
    if numbers[text] == nil, all.count >= Self.limit { text = "" }
    let number = numbers[text] ?? all.count
    if number == all.count {
      all.append(text)
      numbers[text] = number
    }
    last = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    lastNumber = number
    return number
  }
}

/// Readable words for Apple's identifiers.
enum HealthWords {
  private static let prefixes = [
    "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType", "HKWorkoutActivityType",
    "HKCategoryValue", "HKCorrelationTypeIdentifier", "HKWorkoutEventType",
  ]

  /// Returns an identifier without the prefix shared by all of its kind.
  static func bare(_ identifier: String) -> String {
    for prefix in prefixes where identifier.hasPrefix(prefix) {
      let rest = identifier.dropFirst(prefix.count)
      if !rest.isEmpty { return String(rest) }
    }
    return identifier
  }

  /// Returns `TraditionalStrengthTraining` as "Traditional strength training"; abbreviations stay
  /// in capitals.
  static func sentence(_ name: String) -> String {
    let letters = Array(name)
    func isCapital(_ index: Int) -> Bool {
      letters.indices.contains(index) && letters[index].isUppercase
    }
    func isSmall(_ index: Int) -> Bool {
      letters.indices.contains(index) && letters[index].isLowercase
    }
    var words = ""
    for (index, letter) in letters.enumerated() {
      guard letter.isUppercase else {
        words.append(letter == "_" || letter == "-" ? " " : letter)
        continue
      }
      let isLast = !letters.indices.contains(index + 1)
      let begins = index > 0 && (!isCapital(index - 1) || isSmall(index + 1))
      if begins, words.last != " " { words.append(" ") }
      let isAbbreviated = isCapital(index + 1) || (isLast && isCapital(index - 1))
      words.append(isAbbreviated || index == 0 ? letter : Character(letter.lowercased()))
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Returns `BloodGlucose` as `bloodGlucose` and `VO2Max` as `vO2Max`.
  static func key(_ name: String) -> String {
    let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return plain.prefix(1).lowercased() + plain.dropFirst()
  }
}

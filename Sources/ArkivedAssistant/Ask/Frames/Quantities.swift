import ArkivedCore
import Foundation

/// Numbers that sentences attach to things.
enum Quantities {
  private static let small: [String: Double] = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "dozen": 12, "hundred": 100,
  ]

  /// Returns the number before a noun: "seventy-six mince pies", "two small beers"; 1 for "a
  /// parcel".
  static func amount(of key: String, in words: [Word]) -> Double? {
    for (index, word) in words.enumerated() where word.key == key {
      for back in 1...3 where index - back >= 0 {
        let before = words[index - back]
        if words[index - back + 1].sign != nil { break }
        if UnitTable.standard.unit(named: before.lower) != nil { break }
        if let number = number(before.lower) { return number }
        if ["a", "an", "the"].contains(before.lower) { return before.lower == "the" ? nil : 1 }
        if FrameReader.prepositions.contains(before.lower) { break }
      }
    }
    return nil
  }

  /// Parses a number in digits: a comma before three digits separates thousands, any other is a
  /// decimal point.
  static func figure(_ word: String) -> Double? {
    // "nan" and "inf" are words.
    guard word.first?.isASCII == true, word.first?.isNumber == true, word.utf8.count <= 20,
      word.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E })
    else { return nil }
    let groups = word.prefix { $0 != "." }.split(separator: ",", omittingEmptySubsequences: false)
    if groups.count > 1 {
      let isThousands = groups[0].count <= 3 && groups.dropFirst().allSatisfy { $0.count == 3 }
      guard isThousands else {
        return groups.count == 2 && !word.contains(".")
          ? Double(word.replacing(",", with: ".")) : nil
      }
    }
    return Double(word.replacing(",", with: ""))
  }

  static func number(_ word: String) -> Double? {
    if let value = figure(word) { return value }
    if let value = small[word] { return value }
    let parts = word.split(separator: "-").compactMap { small[String($0)] }
    return parts.count == 2 && parts[0] >= 20 ? parts[0] + parts[1] : nil
  }
}

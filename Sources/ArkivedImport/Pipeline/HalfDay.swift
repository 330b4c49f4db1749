/// The words for the two halves of the day beside a 12-hour clock, as phones and programs write
/// them.
///
/// Source: the day periods `am` and `pm` of the Unicode CLDR in languages of phones, and the parts
/// of the day that Chinese phones write.
enum HalfDay {
  /// Returns true for the afternoon, and false for the morning.
  ///
  /// - Parameter text: the word, with or without dots and spaces.
  /// - Returns: nil for a text that indicates neither half of the day.
  static func isAfternoon(_ text: some StringProtocol) -> Bool? {
    guard !text.isEmpty, text.utf8.count <= 64 else { return nil }
    let word = String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter {
          $0.properties.isAlphabetic || $0.properties.generalCategory == .nonspacingMark
        }))
    if mornings.contains(word) { return false }
    return afternoons.contains(word) ? true : nil
  }

  /// The words without dots and spaces, in lower case.
  private static let mornings: Set<String> = [
    "am", "a", "ص", "صباحًا", "πμ", "上午", "午前", "凌晨", "早上", "清晨", "오전", "dop", "de", "öö",
    "पूर्वाह्न", "पूर्व", "मपू", "sa", "fm", "vm", "ap", "fh", "قم", "قظ", "قبلازظهر", "pg", "முற்பகல்",
    "முப", "ಪೂರ್ವಾಹ್ನ", "ਪੂਦੁ", "පෙව", "ก่อนเที่ยง", "ກ່ອນທ່ຽງ", "проб", "претпл", "претпладне",
    "преподне", "prepodne", "дп", "дополудня", "לפנהצ", "eparadites", "paradite",
    "priešpiet", "priekšp", "priekšpusdienā", "damanhã", "قبلدوپہر",
  ]
  private static let afternoons: Set<String> = [
    "pm", "p", "م", "مساءً", "μμ", "下午", "午後", "晚上", "中午", "傍晚", "오후", "odp", "pop", "du", "ös",
    "अपराह्न", "अप", "मउ", "ch", "em", "nm", "ip", "eh", "بم", "بظ", "بعدازظهر", "ptg", "பிற்பகல்",
    "பிப", "ಅಪರಾಹ್ನ", "ਬਾਦੁ", "පව", "หลังเที่ยง", "ຫຼັງທ່ຽງ", "слоб", "попл", "попладне", "поподне",
    "popodne", "пп", "послеполудня", "אחהצ", "epasdites", "pasdite", "popiet", "pēcp",
    "pēcpusdienā", "datarde", "بعددوپہر",
  ]
}

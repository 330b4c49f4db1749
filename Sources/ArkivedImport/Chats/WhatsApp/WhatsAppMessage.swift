import ArkivedCore
import Foundation

/// The words of a message, without its date.
struct WhatsAppWords {
  /// The sender; nil for a notice from the service.
  var sender: String?
  var text: String
  /// True if a direction mark precedes the text, as it does for text that the program wrote.
  var isMarked: Bool

  /// True if it is about a file that somebody sent, whether or not the export has it.
  var namesFile: Bool {
    !WhatsAppFiles.split(text, isMarked: isMarked, path: { _ in nil }).files.isEmpty
  }

  private static let nameLimit = 120

  /// - Parameter rest: the line after the date.
  init(_ rest: Substring) {
    guard let colon = Self.colon(in: rest) else {
      sender = nil
      text = ChatText.plain(rest)
      isMarked = true
      return
    }
    let behind = rest[rest.index(after: colon)...].drop { $0 == " " }
    sender = ChatName.settled(rest[..<colon])
    isMarked = behind.unicodeScalars.first.map { $0.value == 0x200E || $0.value == 0x200F } ?? false
    text = ChatText.plain(behind)
  }

  /// Returns the position of the colon after the sender's name.
  private static func colon(in rest: Substring) -> Substring.Index? {
    let head = rest.prefix(nameLimit)
    var index = head.startIndex
    while let colon = head[index...].firstIndex(of: ":") {
      let next = head.index(after: colon)
      let isEnd = next == rest.endIndex
      if isEnd
        || head[next...].first.map({ $0 == " " || $0 == "\u{A0}" || $0 == "\u{200E}" }) ?? false
      {
        let name = head[..<colon]
        // A notice that quotes something: “Ann changed the subject to "Trip: Rome"”.
        let isQuoting = name.contains { "\"“”„«»".contains($0) }
        return isQuoting || name.allSatisfy(\.isWhitespace) ? nil : colon
      }
      index = next
    }
    return nil
  }
}

/// Files in the text of a message.
enum WhatsAppFiles {
  /// The words that follow an attached file's name, in some of the languages of phones.
  private static let attachedWords: Set<String> = [
    "file attached", "attached", "datei angehängt", "angehängt", "archivo adjunto", "adjunto",
    "fichier joint", "pièce jointe", "file allegato", "allegato", "arquivo anexado",
    "ficheiro anexado", "anexado", "anexo", "bestand bijgevoegd", "bijgevoegd", "файл добавлен",
    "dosya ekli", "plik dołączony", "bifogad fil", "vedlagt fil", "vedhæftet fil", "קובץ מצורף",
    "ملف مرفق", "添付ファイル", "文件附件", "파일 첨부됨",
  ]
  /// The endings of texts that say that something was omitted.
  private static let omittedWords = [
    "omitted", "weggelassen", "ausgeschlossen", "ausgelassen", "omitido", "omitida", "omitted.",
    "omesso", "omessa", "omessi", "omis", "omise", "absente", "absent", "ocultado", "ocultada",
    "oculto", "oculta", "weggelaten", "пропущено", "отсутствует", "pominięto", "utelämnad",
    "utelatt", "udeladt", "hariç tutuldu", "dahil edilmedi", "הושמטה", "הושמט", "省略",
  ]

  /// Returns the files that a text mentions, and the rest of the text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - isMarked: true if the program wrote the text.
  ///   - path: returns the path of a file by its name, if it exists.
  /// - Returns: the files and the rest of the text.
  static func split(
    _ text: String, isMarked: Bool, path: (String) -> String?
  ) -> (files: [ChatFile], text: String) {
    let first = text.prefix { !$0.isNewline }
    let rest = text[first.endIndex...]
    func found(_ name: some StringProtocol, _ left: some StringProtocol) -> ([ChatFile], String) {
      let name = name.trimmingCharacters(in: .whitespaces)
      let file = ChatFile(name: name, path: path(name), replacement: nil)
      return ([file], left.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    // `<attached: 00000012-PHOTO-2026-03-14-09-15-32.jpg>`, after the text written with it.
    if text.hasSuffix(">"), let open = text.lastIndex(of: "<") {
      let inside = text[text.index(after: open)...].dropLast()
      let before = text[..<open]
      if let colon = inside.firstIndex(of: ":") {
        let name = inside[inside.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        if isFileName(name) { return found(name, before) }
      } else if isFileName(before.trimmingCharacters(in: .whitespaces)), isAttached(inside) {
        // `2016-03-14-PHOTO-00000012.jpg <attached>`, before 2018.
        return found(before, "")
      } else if before.allSatisfy(\.isWhitespace), isNotice(inside) {
        return ([omitted(inside)], "")
      }
    }
    // `IMG-20260314-WA0001.jpg (file attached)`, followed by the text written with it.
    if first.hasSuffix(")"), let open = first.range(of: " (", options: .backwards) {
      let name = first[..<open.lowerBound].trimmingCharacters(in: .whitespaces)
      let words = first[open.upperBound...].dropLast()
      if isFileName(name), isAttached(words) || isWhatsAppName(name) || path(name) != nil {
        return found(name, rest)
      }
    }
    if isMarked, rest.isEmpty, text.count < 60,
      omittedWords.contains(where: { text.lowercased().hasSuffix($0) })
    {
      return ([omitted(text[...])], "")
    }
    return ([], text)
  }

  private static func omitted(_ text: Substring) -> ChatFile {
    ChatFile(name: String(text), path: nil, replacement: "(\(text))")
  }

  private static func isAttached(_ words: some StringProtocol) -> Bool {
    attachedWords.contains(words.lowercased().trimmingCharacters(in: .whitespaces))
  }

  /// Returns true for a text in angle brackets that replaces media.
  private static func isNotice(_ text: Substring) -> Bool {
    !text.isEmpty && text.count < 40 && !text.contains { "<>/=\"&".contains($0) }
      && text.contains(where: \.isWhitespace)
  }

  private static func isFileName(_ name: String) -> Bool {
    guard name.count <= 255, !name.contains("/"), !name.contains("\n"), !name.hasPrefix("."),
      let dot = name.lastIndex(of: "."), dot > name.startIndex
    else { return false }
    let ending = name[name.index(after: dot)...]
    return (1...5).contains(ending.count)
      && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// Returns true for file names created by WhatsApp: `IMG-20260314-WA0001.jpg`,
  /// `00000012-PHOTO-2026-03-14-09-15-32.jpg`.
  static func isWhatsAppName(_ name: some StringProtocol) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return false }
    func isNumber(_ text: some StringProtocol, _ digits: Int) -> Bool {
      text.count == digits && text.allSatisfy { $0.isASCII && $0.isNumber }
    }
    if ["IMG", "VID", "AUD", "PTT", "STK", "DOC", "GIF"].contains(String(parts[0])) {
      return isNumber(parts[1], 8) && parts[2].hasPrefix("WA")
    }
    let kinds = ["PHOTO", "VIDEO", "AUDIO", "GIF", "STICKER", "DOCUMENT"]
    return isNumber(parts[0], 8) && kinds.contains(String(parts[1]))
      || parts.count >= 5 && isNumber(parts[0], 4) && kinds.contains(String(parts[3]))
  }
}

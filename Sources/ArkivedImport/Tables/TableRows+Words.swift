import ArkivedCore
import Foundation

/// Reading the texts, tags and people of a row.
extension TableRows {
  /// Returns the row's title, and the text that is too long for one.
  func words(
    _ cells: TableCells, _ measures: [String: Double], _ kind: String?
  ) -> (text: String, notes: String?)? {
    let notes = cells.value(.notes)
    guard let text = cells.value(.text) ?? cells.value(.description) ?? kind else {
      if let notes { return Self.cut(notes) }
      let parts =
        done(cells)
        + measures.sorted { $0.key < $1.key }.map { unit, amount in
          "\(AmountText.plain(amount)) \(unit)"
        }
      // Beside other amounts, the description is enough.
      var words = parts.isEmpty ? negativeAmounts(cells) : parts
      if words.isEmpty { words = ownLevels(cells) }
      return words.isEmpty ? nil : (words.joined(separator: ", "), nil)
    }
    let (line, rest) = Self.cut(text)
    return (line, [rest, notes].compactMap { $0 }.joined(separator: "\n\n").nonEmpty)
  }

  /// Returns the first line if it is short, and the whole text if there is more.
  private static func cut(_ text: String) -> (text: String, notes: String?) {
    let line = text.prefix { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    guard line.count > 200 else { return (line, line.count < text.count ? text : nil) }
    let start = line.prefix(200)
    return ("\(start[..<(start.lastIndex(of: " ") ?? start.endIndex)])…", text)
  }

  /// Returns a row's mood and energy in words if their columns have a scale of their own.
  func ownLevels(_ cells: TableCells) -> [String] {
    [TableField.mood, .energy].filter { !survey.hasLevels($0) }.compactMap { field in
      cells.value(field).map { "\(mapping.column(field)?.name ?? field.rawValue): \($0)" }
    }
  }

  func description(_ cells: TableCells) -> String? {
    let own = cells.value(.text) == nil ? nil : cells.value(.description)
    return ([own].compactMap { $0 } + cells.details).joined(separator: "\n").nonEmpty
  }

  func tags(_ cells: TableCells, _ kind: String?) -> [String] {
    let named = mapping.indices(.tags).flatMap { list(cells.words(at: $0), in: $0) }
    var seen: Set<String> = []
    return (named + [kind].compactMap { $0 }).map { String($0.drop { $0 == "#" }) }.filter { name in
      guard !name.isEmpty, seen.insert(NameFolding.key(name)).inserted else { return false }
      do throws(FieldError) {
        try Tag.validate(name: name)
        return true
      } catch {
        cells.tell(
          .note, .tags, "skipped the tag \(FieldError.shown(name)): \(error.problem)")
        return false
      }
    }
  }

  func people(_ cells: TableCells) -> [Mention] {
    var seen: Set<String> = []
    return mapping.indices(.people)
      .flatMap { index in
        list(cells.words(at: index), in: index).map { name in
          survey.strongLists.contains(index) ? Self.givenNameFirst(name) : name
        }
      }
      .filter { seen.insert(NameFolding.key($0)).inserted }.map { Mention(name: $0) }
  }

  /// Splits a list at semicolons, bars and lines, and at commas only if its column has no others,
  /// because they may belong to a name: `Müller, Anna; Bob`.
  private func list(_ text: String?, in column: Int) -> [String] {
    let marks = survey.strongLists.contains(column) ? ";|" : ",;|"
    return (text ?? "").split { marks.contains($0) || $0.isNewline }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// Returns `Anna Müller` for `Müller, Anna`.
  private static func givenNameFirst(_ name: String) -> String {
    let parts = name.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.count == 2, !parts.contains("") else { return name }
    return "\(parts[1]) \(parts[0])"
  }
}

extension String {
  /// The text, or nil if it is empty.
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

import ArkivedCore

/// Reading the amounts of a row, and the marks of what was done.
extension TableRows {
  func measures(_ cells: inout TableCells) -> [String: Double] {
    var measures: [String: Double] = [:]
    for index in mapping.indices(.measure) {
      guard let text = cells.row.value(at: index) else { continue }
      let column = mapping.columns[index]
      guard let number = amount(text, in: column), number >= 0 else {
        cells.details.append("\(column.name): \(text)")
        continue
      }
      // A column of 0 and 1 answers yes or no, not how much.
      guard !isFlag(index) else {
        if survey.isHabit, number == 0 { cells.details.append("\(column.name): 0") }
        continue
      }
      // A habit with the value 1 was simply done.
      if survey.isHabit, column.isUnitless, number == 1 { continue }
      let unit = unit(of: text, at: index)
      measures[measures[unit] == nil ? unit : column.name.lowercased()] = number
    }
    return measures
  }

  /// Returns the negative amounts of a row with their units, which can't be measures.
  func negativeAmounts(_ cells: TableCells) -> [String] {
    mapping.indices(.measure).compactMap { index in
      let column = mapping.columns[index]
      guard let text = cells.row.value(at: index), let number = amount(text, in: column), number < 0
      else { return nil }
      return "\(AmountText.plain(number)) \(unit(of: text, at: index))"
    }
  }

  /// Returns the unit under which an amount is stored.
  ///
  /// Amounts in different currencies can't be added up, so in a column that contains several, each
  /// belongs to the unit.
  private func unit(of text: String, at index: Int) -> String {
    let column = mapping.columns[index]
    let unit = column.unit ?? column.name
    guard survey.hasSeveralCurrencies(index), TableNumbers.currency(in: unit) == nil,
      let sign = TableNumbers.currency(in: text)
    else { return unit }
    return "\(unit) (\(sign))"
  }

  /// Returns a number, converted to the column's unit if it has one of its own.
  private func amount(_ text: String, in column: TableMapping.Column) -> Double? {
    if let number = survey.numbers.number(text, fallback: decimal) {
      // Dollars don't become euros because the column is in euros.
      let unit = column.unit ?? ""
      guard let sign = TableNumbers.currency(in: text), let own = TableNumbers.currency(in: unit)
      else { return number }
      return sign == own ? number : nil
    }
    guard let (digits, unit) = TableUnits.amount(text),
      let number = survey.numbers.number(digits, fallback: decimal)
    else { return nil }
    return TableUnits.convert(number, from: unit, toStored: column.unit ?? column.name)
  }

  /// Returns true if a column uses 1 and 0 for done and not done.
  private func isFlag(_ index: Int) -> Bool {
    guard survey.flags.contains(index) else { return false }
    return survey.isHabit || (!hasWords && mapping.columns[index].isUnitless)
  }

  private var hasWords: Bool {
    mapping.columns.contains { [.text, .description, .notes, .kind].contains($0.field) }
  }

  /// Returns the names of the columns with the value 1.
  func done(_ cells: TableCells) -> [String] {
    guard !survey.isHabit else { return [] }
    return mapping.indices(.measure).filter { isFlag($0) && flag($0, cells) == 1 }
      .map { mapping.columns[$0].name }
  }

  private func flag(_ index: Int, _ cells: TableCells) -> Double? {
    cells.row.value(at: index).flatMap { survey.numbers.number($0, fallback: decimal) }
  }

  /// Returns true if a row says that nothing was done: the value of a habit is 0, or all its marks
  /// are 0.
  func isUndone(_ cells: TableCells, _ measures: [String: Double]) -> Bool {
    guard survey.isHabit || (!hasWords && measures.isEmpty) else { return false }
    let told = mapping.indices(.measure).compactMap { flag($0, cells) }
    guard !told.isEmpty, told.allSatisfy({ $0 == 0 }) else { return false }
    let feelings: [TableField] = [.mood, .energy, .weather, .temperature]
    return survey.isHabit || feelings.allSatisfy { cells.value($0) == nil }
  }
}

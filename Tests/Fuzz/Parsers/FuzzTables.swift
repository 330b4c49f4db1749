import ArkivedCore
import ArkivedImport
import Foundation

/// The tables of another program, from text instead of a database, whose own parser is SQLite's.
///
/// A line such as `#ticks` begins a table and names its columns after tabs; the others are rows, with
/// values between tabs: numbers, texts, nothing for null, and `x` before bytes that aren't UTF-8.
struct FuzzTables: TableSource {
  static let magic = Array("SQLite format 3\0".utf8)

  func open(_ file: URL, copyIn folder: URL) throws -> any TableReading {
    Reading(Array(try Data(contentsOf: file).dropFirst(Self.magic.count)))
  }

  private struct Reading: TableReading {
    private var layouts: [InterchangeTable] = []
    private var rows: [String: [[Substring]]] = [:]

    init(_ bytes: [UInt8]) {
      let text = String(decoding: bytes, as: UTF8.self)
      for line in text.split(separator: "\n").prefix(2_000) {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        if line.hasPrefix("#") {
          layouts.append(
            InterchangeTable(
              name: String(cells[0].dropFirst()),
              columns: cells.dropFirst().map { .init(name: String($0), type: "") }))
        } else if let table = layouts.last {
          rows[table.name, default: []].append(cells)
        }
      }
    }

    func tables() -> [InterchangeTable] { layouts }

    func forEachRow(
      of table: InterchangeTable, _ body: ([InterchangeRow.Column], Int64?) throws -> Void
    ) throws {
      for (number, cells) in (rows[table.name] ?? []).enumerated() {
        try body(
          zip(table.columns, cells).map { .init(name: $0.name, value: value($1)) },
          number.isMultiple(of: 3) ? nil : Int64(number))
      }
    }

    private func value(_ cell: Substring) -> InterchangeValue {
      if cell.isEmpty { return .null }
      if let number = Int64(cell) { return .integer(number) }
      if let number = Double(cell) { return .real(number) }
      return cell.hasPrefix("x") ? .brokenText(Array(cell.utf8) + [0xFF]) : .text(String(cell))
    }
  }
}

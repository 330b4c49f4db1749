import ArkivedCore
import ArkivedSearch
import CSQLite
import Foundation

/// Measures the word index: `words build DATABASE INDEX`, `words stream DATABASE`,
/// `words ask INDEX QUERIES RESULTS`, `words open INDEX`.
@main
enum Words {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "stream": try stream(arguments.dropFirst().joined())
    case "build":
      let files = Array(arguments.dropFirst())
      try build(files[0], URL(filePath: files[1]))
    case "open": try open(URL(filePath: arguments.dropFirst().joined()))
    case "odd": try odd(URL(filePath: arguments.dropFirst().joined()))
    case "suggest":
      let files = Array(arguments.dropFirst())
      let index = try WordIndex(contentsOf: URL(filePath: files[0]))
      for word in files.dropFirst() {
        print(word, try seconds { print(try index.suggestions(for: word)) } * 1000, "ms")
      }
    case "ask":
      let files = Array(arguments.dropFirst()).map { URL(filePath: $0) }
      try ask(files[0], files[1], files[2])
    default: print("words build|stream|ask|open …")
    }
  }

  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(body)
    return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  }

  /// Queries that are hard for one reason or another.
  static func odd(_ url: URL) throws {
    let index = try WordIndex(contentsOf: url)
    let common = try index.terms(withPrefix: "", limit: 200).map(\.term)
    let rare = try index.terms(withPrefix: "", limit: 60_000).map(\.term)
    func clauses(_ role: WordIndexQuery.Role, _ words: some Sequence<String>)
      -> [WordIndexQuery.Clause]
    { words.map { .init(role, [.term($0)]) } }
    let third = DocumentSet((0..<500_000).map { Int64($0) * 24 })
    let two: [WordIndexQuery.Clause] = [
      .init(.required, [.term("run"), .term("walk", weight: 0.8), .term("train", weight: 0.5)]),
      .init(.required, [.term("garden"), .term("park")]),
    ]
    let cases: [(String, WordIndexQuery)] = [
      ("64 common, any", WordIndexQuery(clauses(.optional, common.prefix(64)))),
      ("200 common, any", WordIndexQuery(clauses(.optional, common))),
      ("10 000 words, any", WordIndexQuery(clauses(.optional, rare.prefix(10_000)))),
      ("10 000 words, all", WordIndexQuery(clauses(.required, rare.prefix(10_000)))),
      ("10 common, all", WordIndexQuery(clauses(.required, common.prefix(10)))),
      ("two with three and two forms", WordIndexQuery(two)),
      (
        "prefix, optional common phrase",
        WordIndexQuery([
          .init(.required, [.prefix("a")]), .init(.optional, [.phrase(["with", "the"])]),
        ])
      ),
      ("prefix of one letter", WordIndexQuery([.init(.required, [.prefix("t")])])),
      (
        "common without common",
        WordIndexQuery(clauses(.required, ["morn"]) + clauses(.excluded, ["the"]))
      ),
      ("common, a third allowed", WordIndexQuery(clauses(.required, ["the"]), allowed: third)),
      ("common, a third excluded", WordIndexQuery(clauses(.required, ["the"]), excluded: third)),
      (
        "three common, 2000 allowed",
        WordIndexQuery(
          clauses(.optional, ["the", "with", "run"]), allowed: DocumentSet(third.prefix(2000)))
      ),
      (
        "three common, 20 000 allowed",
        WordIndexQuery(
          clauses(.optional, ["the", "with", "run"]), allowed: DocumentSet(third.prefix(20_000)))
      ),
      ("common, newest", WordIndexQuery(clauses(.required, ["the", "run"]), order: .newest)),
      ("common, oldest", WordIndexQuery(clauses(.required, ["the", "run"]), order: .oldest)),
      ("page 50", WordIndexQuery(clauses(.required, ["the"]), offset: 1000)),
    ]
    for (name, query) in cases {
      var best = Double.infinity
      for _ in 0..<4 {
        let before = processorMilliseconds()
        _ = try index.search(query)
        best = min(best, processorMilliseconds() - before)
      }
      let before = processorMilliseconds()
      let count = try index.count(query).count
      print(name, "search", best, "count", processorMilliseconds() - before, "of", count)
    }
  }

  /// What this thread has used of the processor: other programs do not disturb it.
  static func processorMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  static func stream(_ path: String) throws {
    let database = try Database(path)
    var occurrences = 0
    print(
      "stream", seconds { database.occurrences { _, _, _, _ in occurrences += 1 } }, occurrences)
  }

  static func build(_ path: String, _ target: URL) throws {
    let database = try Database(path)
    var builder: WordIndexBuilder?
    let documents = try seconds {
      builder = try WordIndexBuilder(
        at: target, documents: database.documents(), metadata: ["watermark": "1"])
    }
    guard var builder else { return }
    var failure: (any Error)?
    let adding = seconds {
      database.occurrences { term, document, column, position in
        do {
          try builder.add(
            termBytes: term, document: document, column: column, position: position)
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
    let finishing = try seconds { try builder.finish() }
    print("documents \(documents) adding \(adding) finishing \(finishing)")
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    print(status.split(separator: "\n").filter { $0.hasPrefix("VmHWM") || $0.hasPrefix("RssAnon") })
    try open(target)
  }

  static func open(_ url: URL) throws {
    var index: WordIndex?
    print("open", try seconds { index = try WordIndex(contentsOf: url) })
    guard let index else { return }
    print("verify", try seconds { try index.verify() })
    print(index.documentCount, index.termCount, index.postingCount, index.occurrenceCount)
    print(index.byteCount, index.sectionLengths, index.averageLengths)
  }

  struct Queries: Decodable {
    enum Word: Decodable {
      case text(String)
      case number(Int)
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
          try (try? value.decode(Int.self)).map { .number($0) }
          ?? .text(value.decode(String.self))
      }
    }
    var classes: [String: [[Word]]]
    var stems: [String: String]
  }

  static func query(_ name: String, _ words: [Queries.Word], _ stems: [String: String])
    -> WordIndexQuery
  {
    var texts: [String] = []
    var days: ClosedRange<Int32>?
    for word in words {
      switch word {
      case .text(let text): texts.append(stems[text] ?? text)
      case .number(let day): days = Int32(day)...Int32(day + 364)
      }
    }
    if name.hasPrefix("phrase") {
      return WordIndexQuery([.init(.required, [.phrase(texts)])])
    }
    if name.hasPrefix("prefix") {
      return WordIndexQuery([.init(.required, [.prefix(texts[0])])])
    }
    if name.hasPrefix("forms") {
      return WordIndexQuery([.init(.required, texts.map { .term($0) })])
    }
    let role: WordIndexQuery.Role = name.hasPrefix("or") ? .optional : .required
    return WordIndexQuery(texts.map { .init(role, [.term($0)]) }, days: days)
  }

  /// Times in ms, by class; every query is asked as often as the peers do.
  static func ask(_ index: URL, _ queries: URL, _ results: URL) throws {
    let index = try WordIndex(contentsOf: index)
    let asked = try JSONDecoder().decode(Queries.self, from: Data(contentsOf: queries))
    var times: [String: [[Double]]] = [:]
    var counts: [String: [[Double]]] = [:]
    var cpu: [String: [[Double]]] = [:]
    for round in 0..<5 {
      for (name, list) in asked.classes.sorted(by: { $0.key < $1.key }) {
        var milliseconds: [Double] = []
        var counting: [Double] = []
        var processor: [Double] = []
        for words in list {
          let query = query(name, words, asked.stems)
          let before = processorMilliseconds()
          milliseconds.append(try seconds { _ = try index.search(query) } * 1000)
          processor.append(processorMilliseconds() - before)
          counting.append(try seconds { _ = try index.count(query) } * 1000)
        }
        if round > 0 {
          times[name, default: []].append(milliseconds)
          cpu[name, default: []].append(processor)
          counts[name, default: []].append(counting)
        }
      }
    }
    let data = try JSONEncoder().encode(["search": times, "cpu": cpu, "count": counts])
    try data.write(to: results)
  }
}

/// The full-text table as SQLite gives it.
final class Database {
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw CocoaError(.fileReadUnknown)
    }
    sqlite3_exec(
      handle, "CREATE VIRTUAL TABLE temp.occurrences USING fts5vocab(main, search_words, instance)",
      nil, nil, nil)
  }

  deinit { sqlite3_close(handle) }

  func documents() -> [WordIndexDocument] {
    var documents: [WordIndexDocument] = []
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, "SELECT row, day, place FROM entries", -1, &statement, nil)
    while sqlite3_step(statement) == SQLITE_ROW {
      documents.append(
        WordIndexDocument(
          rowNumber: sqlite3_column_int64(statement, 0), day: sqlite3_column_int(statement, 1),
          order: sqlite3_column_int64(statement, 2)))
    }
    sqlite3_finalize(statement)
    return documents
  }

  func occurrences(_ body: (UnsafeBufferPointer<UInt8>, Int64, UInt8, UInt32) -> Void) {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(
      handle, "SELECT term, doc, col, offset FROM temp.occurrences", -1, &statement, nil)
    let initials: [UInt8: UInt8] = [
      UInt8(ascii: "t"): 0, UInt8(ascii: "b"): 1, UInt8(ascii: "n"): 2,
    ]
    while sqlite3_step(statement) == SQLITE_ROW {
      let term = UnsafeBufferPointer(
        start: sqlite3_column_text(statement, 0), count: Int(sqlite3_column_bytes(statement, 0)))
      let column = sqlite3_column_text(statement, 2).flatMap { initials[$0[0]] } ?? 0
      body(
        term, sqlite3_column_int64(statement, 1), column,
        UInt32(sqlite3_column_int64(statement, 3)))
    }
    sqlite3_finalize(statement)
  }
}

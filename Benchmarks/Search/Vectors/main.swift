import ArkivedCore
import ArkivedSearch
import Foundation

// Builds and searches a vector index for vectors_peer.py, which compares it with others.
//
//   vectors build INDEX ROWS DIMENSIONS COUNT [TEXTS]
//     ROWS: unit vectors, Float32, one after another; TEXTS: UInt32, which of them each place has
//   vectors search INDEX QUERIES DIMENSIONS LIMIT ROUNDS [FIRSTDAY LASTDAY | allowed EVERY]
//
// Place n is in document 8n of day n / 50, and has row n without TEXTS. Both print one line of JSON; `search` also gives the
// documents found for each query.

/// The vectors of a file of Float32 numbers.
struct VectorSource {
  let data: Data
  let dimensions: Int

  init(path: String, dimensions: Int) throws {
    data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    self.dimensions = dimensions
  }

  var count: Int { data.count / 4 / dimensions }

  subscript(index: Int) -> [Float] {
    data.withUnsafeBytes { bytes in
      (0..<dimensions).map {
        bytes.loadUnaligned(fromByteOffset: (index * dimensions + $0) * 4, as: Float.self)
      }
    }
  }
}

/// A line of /proc/self/status, in kB, or 0 on other systems.
func processMemory(_ name: String) -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
    let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
  else { return 0 }
  return Int(line.filter(\.isNumber)) ?? 0
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
  let duration = try ContinuousClock().measure(body)
  return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// The processor time of this thread, which a busy machine does not lengthen as it does the clock.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func build(_ arguments: [String]) throws {
  guard arguments.count >= 4, let dimensions = Int(arguments[2]), let count = Int(arguments[3])
  else { return }
  let source = try VectorSource(path: arguments[1], dimensions: dimensions)
  var texts = Array(0..<min(count, source.count))
  if arguments.count == 5 {
    let data = try Data(contentsOf: URL(fileURLWithPath: arguments[4]))
    texts = data.withUnsafeBytes { bytes in bytes.bindMemory(to: UInt32.self).map { Int($0) } }
  }
  let writer = try VectorIndexWriter(
    at: arguments[0], embedder: "benchmark", dimensions: dimensions, replacing: true)
  let time = try seconds {
    var batch: [(entry: VectorEntry, vector: [Float])] = []
    for (place, text) in texts.enumerated() {
      let entry = VectorEntry(
        document: Int64(place) * 8, chunk: 0..<100, contentHash: UInt64(text),
        day: Int32(place / 50))
      batch.append((entry, source[text]))
      if batch.count == 1024 {
        try writer.append(batch)
        batch = []
      }
    }
    try writer.append(batch)
    try writer.commit()
  }
  let reopened = try seconds { _ = try VectorIndex(at: arguments[0], embedder: "benchmark") }
  print("{\"rows\": \(writer.count), \"seconds\": \(time), \"openSeconds\": \(reopened)}")
}

func search(_ arguments: [String]) throws {
  guard arguments.count >= 5, let dimensions = Int(arguments[2]), let limit = Int(arguments[3]),
    let rounds = Int(arguments[4])
  else { return }
  let queries = try VectorSource(path: arguments[1], dimensions: dimensions)
  let base = processMemory("VmRSS")
  let opening = processorSeconds()
  let index = try VectorIndex(at: arguments[0], embedder: "benchmark", dimensions: dimensions)
  let opened = processorSeconds() - opening
  var filter = VectorQuery(vector: [], limit: limit)
  if arguments.count == 7, arguments[5] == "allowed", let every = Int64(arguments[6]) {
    let rows = Int64(try index.count)
    filter.allowed = DocumentSet(stride(from: 0, to: rows * 8, by: Int(every) * 8))
  } else if arguments.count == 7, let first = Int32(arguments[5]), let last = Int32(arguments[6]) {
    filter.days = first...last
  }
  for number in 0..<min(20, queries.count) {
    filter.vector = queries[number]
    _ = try index.search(filter)
  }
  var times: [Double] = []
  var work: [Double] = []
  var found: [[Int64]] = []
  for round in 0..<rounds {
    for number in 0..<queries.count {
      var query = filter
      query.vector = queries[number]
      var documents: [Int64] = []
      let start = processorSeconds()
      times.append(try seconds { documents = try index.search(query).map(\.document) })
      work.append(processorSeconds() - start)
      if round == 0 { found.append(documents) }
    }
  }
  times.sort()
  work.sort()
  let lists = found.map { "[" + $0.map(String.init).joined(separator: ",") + "]" }
  print(
    "{\"median\": \(times[times.count / 2]), \"p99\": \(times[times.count * 99 / 100]), "
      + "\"work\": \(work[work.count / 2]), \"workP99\": \(work[work.count * 99 / 100]), "
      + "\"open\": \(opened), "
      + "\"memoryKB\": \(processMemory("VmRSS") - base), "
      + "\"found\": [\(lists.joined(separator: ","))]}")
}

let arguments = Array(CommandLine.arguments.dropFirst(2))
switch CommandLine.arguments.dropFirst().first {
case "build": try build(arguments)
case "search": try search(arguments)
default: print("usage: vectors build|search …")
}

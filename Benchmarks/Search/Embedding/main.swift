import ArkivedSearch
import Foundation

// Reads JSON strings, one a line, on standard input.
func lines() -> [String] {
  var texts: [String] = []
  while let line = readLine(strippingNewline: true) {
    if let text = try? JSONSerialization.jsonObject(
      with: Data(line.utf8), options: .fragmentsAllowed) as? String
    {
      texts.append(text)
    }
  }
  return texts
}

let arguments = CommandLine.arguments
let folder = EmbeddingModelFolder(environment: ProcessInfo.processInfo.environment)
let clock = ContinuousClock()
func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
func resident() -> String {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  return status.split(separator: "\n").filter {
    $0.hasPrefix("VmRSS") || $0.hasPrefix("VmHWM") || $0.hasPrefix("RssAnon")
      || $0.hasPrefix("RssFile")
  }
  .map { $0.split(separator: "\t").joined(separator: " ") }.joined(separator: ", ")
}
let threads = ProcessInfo.processInfo.environment["THREADS"].flatMap { Int($0) } ?? 2
let opening = clock.now
guard case .model(let model) = folder.open(threads: threads) else {
  print(folder.open())
  exit(1)
}
func tokens(of text: String) -> [Int32] {
  switch model {
  case let model as MiniLM: model.tokenizer.tokens(of: text)
  case let model as MultilingualE5: model.tokens(of: text, isQuery: false)
  default: []
  }
}
let opened = seconds(opening.duration(to: clock.now))
switch arguments.dropFirst().first {
case "tokens":
  for text in lines() {
    print(tokens(of: text).map(String.init).joined(separator: " "))
  }
case "vectors":
  let vectors = try await model.embed(lines())
  vectors.values.withUnsafeBytes { FileHandle.standardOutput.write(Data($0)) }
case "queries":
  for text in lines() {
    try model.vector(of: text).withUnsafeBytes { FileHandle.standardOutput.write(Data($0)) }
  }
case "chunks":
  let text = try String(contentsOfFile: arguments[2], encoding: .utf8)
  let start = clock.now
  let chunks = model.chunks(of: text, limits: ChunkLimits())
  print(chunks.count, seconds(start.duration(to: clock.now)), resident())
case "rate":
  // Answers each line "query N", "single N" or "batch N" with texts a second over the texts of a file.
  let data = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
  let texts = try JSONSerialization.jsonObject(with: data) as? [String] ?? []
  FileHandle.standardError.write(Data("opened in \(opened) s; \(resident())\n".utf8))
  while let line = readLine() {
    let count = Int(line.split(separator: " ")[1]) ?? 0
    let some = Array(texts.prefix(count))
    let start = clock.now
    if line.hasPrefix("query") {
      for text in some { _ = try model.vector(of: text) }
    } else if line.hasPrefix("single") {
      for text in some { _ = try await model.embed([text]) }
    } else {
      _ = try await model.embed(some)
    }
    print(Double(count) / seconds(start.duration(to: clock.now)))
    fflush(nil)
  }
  FileHandle.standardError.write(Data("\(resident())\n".utf8))
default: print("tokens | vectors | queries | chunks FILE | rate FILE")
}

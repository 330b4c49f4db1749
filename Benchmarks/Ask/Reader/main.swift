import ArkivedAssistant
import ArkivedCore
import Foundation

// Answers labelled questions from an export, for judge_ask.py.
//
//   measure-ask EXPORT.jsonl ZONE [LANGUAGE]   reads {"id","question","now"} a line, and writes a line
//                                              for each: {"id","ms","response"}
let arguments = CommandLine.arguments
guard arguments.count >= 3, let zone = Zone(arguments[2]),
  let text = try? String(contentsOfFile: arguments[1], encoding: .utf8)
else {
  FileHandle.standardError.write(Data("measure-ask EXPORT.jsonl ZONE [LANGUAGE]\n".utf8))
  exit(64)
}
let language = arguments.count > 3 ? Language.named(arguments[3]) ?? .english : .english
let timeline = MemoryTimeline(jsonLines: text, zone: zone)
let engine = TimelineEngine(timeline: timeline, zone: zone)
while let line = readLine() {
  guard let row = try? JSON(parsing: line), let question = row["question"]?.string else { continue }
  let now = row["now"]?.string.flatMap { Instant($0) } ?? Instant(Date())
  let clock = ContinuousClock()
  var found = engine.answer("", now: now)
  let elapsed = clock.measure { found = engine.answer(question, now: now, typed: language) }
  let citations: [JSON] = found.citations.map { entry in
    [
      "type": .string(entry.type.rawValue),
      "id": JSON(timeline.identity(of: entry)?.uuidString), "dayKey": JSON(entry.day),
      "snippet": .string(String(entry.text.prefix(160))), "externalRefs": [],
    ]
  }
  let answer = found.json(citations: citations, count: citations.count)
  let milliseconds =
    Double(elapsed.components.attoseconds) / 1e15
    + Double(elapsed.components.seconds) * 1000
  let output: JSON = [
    "id": JSON(row["id"]?.string), "ms": JSON(milliseconds), "response": answer,
  ]
  print(output.text())
}

import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Generated calls of tools")
struct ToolFuzzTests {
  /// SplitMix64 (Steele, Lea, Flood 2014): the same calls in every run.
  private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    mutating func happens(_ perCent: Int) -> Bool {
      Int.random(in: 0..<100, using: &self) < perCent
    }
    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: 0..<elements.count, using: &self)]
    }
  }

  private static let texts = [
    "", "a", "run", "2026-03-14", "2026-02-30", "2026-03-14T10:00:00Z", "next", "work", "active",
    "00000000-0000-4000-8000-000000000001", "last month", "🏃‍♀️ e\u{301}", "\u{0}", "\u{202E}x",
    "'; DROP TABLE activities;--", "*", "\"", "%_\\", String(repeating: "long ", count: 60),
  ]

  private static func junk(_ chance: inout Chance, depth: Int = 0) -> JSON {
    switch Int.random(in: 0..<(depth > 2 ? 6 : 8), using: &chance) {
    case 0: .null
    case 1: .bool(chance.happens(50))
    case 2: .integer(chance.pick([0, 1, -1, 5, 100, 101, .max, .min]))
    case 3: .number(chance.pick([0.5, -0.1, 1e300, 3.0, -90.0001]))
    case 4, 5: .string(chance.pick(texts))
    case 6: .array((0..<3).map { _ in junk(&chance, depth: depth + 1) })
    default: ["km": junk(&chance, depth: depth + 1), "x": junk(&chance, depth: depth + 1)]
    }
  }

  /// A value that the schema of one argument allows.
  private static func fitting(_ schema: JSON, _ name: String, _ chance: inout Chance) -> JSON {
    let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? ""]
    if types.contains("null"), chance.happens(10) { return .null }
    if let values = schema["enum"]?.array?.filter({ $0 != .null }) { return chance.pick(values) }
    switch types.first {
    case "integer":
      let (least, most) = (schema["minimum"]?.int ?? 0, schema["maximum"]?.int ?? 9)
      return JSON(chance.pick([least, most, Int.random(in: least...most, using: &chance)]))
    case "number":
      return JSON(chance.pick([schema["minimum"]?.double ?? 0, 1.5, 5]))
    case "boolean": return .bool(chance.happens(50))
    case "array": return .array((0..<2).map { _ in chance.pick(["run", "Alex", "a b"]) })
    case "object": return ["km": 5, "cups": 0.5]
    default:
      if schema["format"] == "uuid" {
        return .string(
          "00000000-0000-4000-8000-00000000000\(Int.random(in: 1...9, using: &chance))")
      }
      let lower = name.lowercased()
      if lower.hasSuffix("at") || name == "now" { return "2026-03-14T10:00:00Z" }
      if ["date", "from", "to", "weekof"].contains(where: lower.hasSuffix) {
        return chance.pick(["2026-03-14", "2026-03-02T23:30:00Z"])
      }
      return .string(chance.pick(["run", "What did I do last week?", "a", "next", "1"]))
    }
  }

  @Test func schemaAndDecoderAgreeAndNothingBreaks() throws {
    let archive = try Archive(
      at: .memory, clock: FixedClock(TestArchive.now), identities: CountedIdentities())
    let zone = try #require(Zone(TestArchive.zoneName))
    let box = ToolBox(archive: archive, zone: zone)
    var chance = Chance(state: 20_260_314)
    var (accepted, refused) = (0, 0)
    for round in 0..<10_000 {
      let tool = ToolBox.tools[round % ToolBox.tools.count]
      let required = tool.schema["required"]?.array?.compactMap(\.string) ?? []
      let isGood = chance.happens(25)
      var arguments = JSONObject()
      for (name, schema) in tool.schema["properties"]?.object?.members ?? [] {
        let isWanted = required.contains(name) ? isGood || chance.happens(85) : chance.happens(30)
        guard isWanted else { continue }
        arguments[name] =
          isGood || chance.happens(60)
          ? Self.fitting(schema, name, &chance) : Self.junk(&chance)
      }
      if !isGood, chance.happens(10) { arguments["surprise"] = Self.junk(&chance) }
      let fits = SchemaCheck.fits(.object(arguments), tool.schema)
      let answer = box.call(
        ToolCall(id: "\(round)", name: tool.name, arguments: arguments), by: .agent("fuzz"))
      var told: String {
        "\(tool.name) \(JSON.object(arguments).text()) → \(answer.json.text().prefix(300))"
      }
      switch answer.outcome {
      case .result(let result):
        accepted += 1
        #expect(fits, "\(told)")
        #expect(SchemaCheck.fits(result, tool.resultSchema), "\(told)")
      case .error(let error):
        refused += 1
        let known: Set<ToolError.Code> = [.invalidArgument, .notFound, .refused, .conflict]
        #expect(known.contains(error.code), "\(told)")
        if !fits { #expect(error.code == .invalidArgument, "\(told)") }
        if fits {
          // What a schema cannot say: days that are none, sides that do not go together.
          #expect(!error.message.contains("isn’t an argument"), "\(told)")
          #expect(!error.message.contains("must be a string"), "\(told)")
        }
      }
    }
    #expect(accepted > 1_000 && refused > 3_000, "\(accepted) \(refused)")
  }
}

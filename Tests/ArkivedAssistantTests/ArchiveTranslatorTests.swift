import ArkivedCore
import ArkivedSearch
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("German questions about entries in English, with a dictionary")
struct ArchiveTranslatorTests {
  private static let zone = Zone.utc
  private static let now = "2026-03-14T09:00:00Z"

  private static let german = """
    #! Arkived dictionary 1, of these tests
    dachdecker\tn roofer
    heizkessel\tN boilers\tn boiler\tn furnace
    katze\tn cat
    küche\tn cuisine\tn kitchen
    stromrechnung\tn electric bill\tn electricity bill
    umzug\tn pageant\tn parade\tn move
    verschwunden\tp vanish/vanished\ta missing
    zurückgezahlt\tp pay back/paid back\tp repay/repaid
    fenster\tn window

    """.split(separator: "\n").map { $0 + "\n" }.sorted().joined()
  private static let english = """
    #! Arkived dictionary 1, of these tests
    boiler\theizkessel
    cat\tkatze\tkater
    """

  private let dictionary: BilingualDictionary
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.file("german-english.tsv", Self.german)
    _ = try folder.file("english-german.tsv", Self.english)
    dictionary = try #require(BilingualDictionary(in: folder.url))
  }

  private func timeline(_ texts: [String]) -> MemoryTimeline {
    let lines = texts.enumerated().map { index, text in
      JSON.object([
        "type": "activity", "startAt": .string("2026-02-\(10 + index)T12:00:00Z"),
        "timeZone": "UTC", "text": .string(text),
      ]).text()
    }
    return MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: Self.zone)
  }

  private var home: MemoryTimeline {
    timeline([
      "Electricity bill €182, ouch", "Boiler serviced, €110", "The cat is missing",
      "Glazier for the kitchen window, €140", "Paid the roofer", "Moving house at last",
    ])
  }

  private func answer(_ question: String, _ timeline: MemoryTimeline) throws -> TimelineAnswer {
    let now = try #require(Instant(Self.now))
    return BilingualDictionary.$used.withValue(dictionary) {
      ShownDates.speaking(.german) {
        TimelineEngine(timeline: timeline, zone: Self.zone).answer(question, now: now)
      }
    }
  }

  @Test("The meaning of which the archive speaks is taken")
  func meaning() throws {
    let translator = ArchiveTranslator(dictionary: dictionary, timeline: home)
    #expect(translator.english(for: "Stromrechnung")?.english == "electricity bill")
    #expect(translator.english(for: "Umzug")?.english == "move")
    #expect(translator.english(for: "verschwunden")?.english == "missing")
    #expect(translator.english(for: "Katze")?.english == "cat")
  }

  @Test("A compound that the dictionary lacks is translated by its parts")
  func compound() throws {
    let translator = ArchiveTranslator(dictionary: dictionary, timeline: home)
    #expect(translator.english(for: "Küchenfenster")?.english == "kitchen window")
  }

  @Test("A word of which no entry speaks has no translation")
  func unspoken() throws {
    let translator = ArchiveTranslator(dictionary: dictionary, timeline: timeline(["Rain"]))
    for word in ["Heizkessel", "Umzug", "Küchenfenster", "Unbekanntes", "", "🎉"] {
      #expect(translator.english(for: word) == nil, "\(word)")
    }
  }

  @Test("A question finds the entry in English, and keeps the asker's words")
  func found() throws {
    let told = try answer("Wann zuletzt Heizkessel?", home)
    #expect(told.citations.map(\.text) == ["Boiler serviced, €110"])
    #expect(told.sentence.contains("Heizkessel"))
    let seen = try answer("Wann war ich zuletzt beim Dachdecker?", home)
    #expect(seen.citations.map(\.text) == ["Paid the roofer"])
  }

  @Test("A figure by one of several meanings says which one was meant")
  func ambiguous() throws {
    let lines = ["Carnival parade in town", "Move: hired a van", "Move: 40 boxes"]
    let told = try answer("Wie oft Umzug?", timeline(lines))
    #expect(told.kind == "none" || told.uncertain.contains { $0.contains("Umzug") })
  }

  @Test("Without a translation the question is refused in the asker's words")
  func refused() throws {
    let told = try answer("Wann zuletzt Heizkessel?", timeline(["Rain", "Read a book"]))
    #expect(told.kind == "none" && told.citations.isEmpty)
    #expect(told.sentence.contains("Heizkessel") && !told.sentence.contains("boiler"))
  }

  @Test("An English word stands for the German ones of an archive that is partly German")
  func german() throws {
    let mixed = timeline(["Heizkessel gewartet und bezahlt", "Regen und nicht draußen gewesen"])
    let both = ArchiveTranslator(dictionary: dictionary, timeline: mixed)
    #expect(both.german(for: "boiler") == ["heizkessel"])
    let english = ArchiveTranslator(dictionary: dictionary, timeline: home)
    #expect(english.german(for: "boiler").isEmpty)
  }
}

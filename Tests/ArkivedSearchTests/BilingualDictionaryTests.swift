import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedSearch

@Suite("The German-English dictionary")
struct BilingualDictionaryTests {
  /// Lines in Ding's format.
  private static let ding = """
    # Version :: 1
    Heizkessel {m}; Kessel {m} [techn.] | Heizkessel {pl}; Kessel {pl} :: boiler; furnace [Am.] (for heating) | boilers; furnaces
    Stromrechnung {f} | Stromrechnungen {pl} :: electric bill; electricity bill [Am.] | electric bills; electricity bills
    Begräbnis {n} [geh.] | Begräbnisse {pl} | Beerdigung {f} :: funeral; burial | funerals; burials | burying
    etw. zurückzahlen; zurückbezahlen {vt} | zurückzahlend | zurückgezahlt; zurückbezahlt | zahlt zurück | zahlte zurück :: to pay sth. back; to repay | paying back; repaying | paid back; repaid | pays back | paid back
    verschwunden; weg {adj} :: disappeared; gone
    Wäsche waschen :: to do the laundry
    """

  private func dictionary(in folder: TemporaryFolder) throws -> BilingualDictionary {
    let words = try folder.file("de-en", Self.ding)
    let target = folder.url.appendingPathComponent("dictionary")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scripts/make_dictionary.py")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path, target.path]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["ARKIVED_DING": words.path]) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try #require(BilingualDictionary(in: target))
  }

  @Test("A German word has its English meanings, with the forms of verbs")
  func meanings() throws {
    let dictionary = try dictionary(in: TemporaryFolder())
    func shown(_ word: String) -> [String] {
      dictionary.meanings(ofGerman: word).map { meaning in
        "\(meaning.form.rawValue) \(meaning.english)" + (meaning.past.map { " / " + $0 } ?? "")
      }
    }
    #expect(shown("Stromrechnung") == ["n electric bill", "n electricity bill"])
    #expect(shown("STROMRECHNUNGEN") == ["N electric bills", "N electricity bills"])
    #expect(shown("Kessel").contains("n boiler"))
    #expect(shown("zurückgezahlt").contains("p repay / repaid"))
    #expect(shown("zurückbezahlen").contains("v repay / repaid"))
    #expect(shown("verschwunden") == ["a disappeared", "a gone"])
    #expect(shown("Beerdigung").contains("n funeral"))
  }

  @Test("An English word has its German ones")
  func reverse() throws {
    let dictionary = try dictionary(in: TemporaryFolder())
    #expect(dictionary.german(for: "Boiler").contains("heizkessel"))
    #expect(dictionary.german(for: "electricity bill") == ["stromrechnung"])
    #expect(dictionary.german(for: "repaid").contains("zurückgezahlt"))
  }

  @Test("What it doesn't know has no meaning, whatever it is")
  func unknown() throws {
    let dictionary = try dictionary(in: TemporaryFolder())
    for word in ["", "Kess", "kesselx", "zzz", "\t", "boiler\n", "#!", "🎉", "Wäsche waschen"] {
      #expect(dictionary.meanings(ofGerman: word).isEmpty, "\(word)")
    }
    #expect(dictionary.meanings(ofGerman: String(repeating: "a", count: 100_000)).isEmpty)
  }

  @Test("A missing folder and another version are no dictionary")
  func none() throws {
    let folder = try TemporaryFolder()
    #expect(BilingualDictionary(in: folder.url) == nil)
    _ = try folder.file("german-english.tsv", "#! Arkived dictionary 9\nhund\tn dog\n")
    _ = try folder.file("english-german.tsv", "#! Arkived dictionary 9\ndog\thund\n")
    #expect(BilingualDictionary(in: folder.url) == nil)
    let named = BilingualDictionary.folder(["ARKIVED_DICTIONARY": folder.url.path])
    #expect(named.path == folder.url.path)
    #expect(
      BilingualDictionary.folder(["XDG_DATA_HOME": "/data"]).path == "/data/arkived/dictionary")
  }

  @Test("A cut file yields what is left of it")
  func cut() throws {
    let folder = try TemporaryFolder()
    let head = "#! Arkived dictionary 1, of Ding by Frank Richter, GPL 2 or later\n"
    _ = try folder.file("german-english.tsv", head + "hund\tn dog\nkatze\tn ca")
    _ = try folder.file("english-german.tsv", head)
    let dictionary = try #require(BilingualDictionary(in: folder.url))
    #expect(dictionary.meanings(ofGerman: "Hund") == [.init(form: .noun, english: "dog")])
    #expect(dictionary.meanings(ofGerman: "Katze") == [.init(form: .noun, english: "ca")])
    #expect(dictionary.german(for: "dog").isEmpty)
  }
}

import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Apple Health: bad input")
struct HealthDamageTests {
  private func steps(_ value: String, _ clock: String, source: String = "a") -> String {
    HealthReading.record(
      "StepCount", value, "count", ("2024-05-03 \(clock) +0200", nil), source: source)
  }

  /// Some thirty kilobytes with a bit of everything.
  private func life() -> String {
    var text = ""
    for number in 0..<100 {
      let day = "2024-05-\(number % 28 < 9 ? "0" : "")\(number % 28 + 1)"
      text += HealthReading.record(
        "StepCount", "\(number + 1)", "count", ("\(day) 09:00:00 +0200", nil))
    }
    text += HealthReading.sleep("AsleepCore", "2024-05-03 00:00:00", "2024-05-03 06:00:00")
    text += """
       <Workout workoutActivityType="HKWorkoutActivityTypeRunning" \
      startDate="2024-05-03 18:00:00 +0200"><MetadataEntry key="k" value="v"/></Workout>

      """
    return HealthReading.export(text)
  }

  // MARK: Cut off

  @Test func aFileCutAnywhereComesInAsFarAsItGoes() throws {
    let whole = Data(life().utf8)
    var before = 0
    for length in stride(from: 1024, to: whole.count - 20, by: 1024) {
      let sink = try HealthReading.read(whole.prefix(length))
      #expect(sink.skipped.count == 1, "\(length)")
      #expect(sink.skipped.first?.message.contains("ends in the middle") == true, "\(length)")
      let sum = Int(sink.metrics.reduce(0) { $0 + $1.value })
      #expect(sum >= before, "\(length)")
      before = sum
    }
    #expect(before > 4_000)
    #expect(try HealthReading.read(whole).diagnostics.isEmpty)
  }

  @Test func aZipCutAnywhereIsReadOrRefusedAndNeverCrashes() throws {
    let zip = try TestZip([("apple_health_export/export.xml", Data(life().utf8))]).data()
    for length in stride(from: 64, to: zip.count, by: 256) {
      do {
        let sink = try HealthReading.read(zip.prefix(length), name: "export.zip")
        #expect(!sink.skipped.isEmpty || !sink.records.isEmpty, "\(length)")
      } catch let refusal as ImportRefusal {
        #expect(refusal.message.contains("damaged"), "\(length): \(refusal)")
      }
    }
  }

  @Test func anEmptyFileAndOneWithoutDataAreRefused() throws {
    for content in ["", "<", "<?xml version=\"1.0\"?>\n<!DOCTYPE HealthData [\n"] {
      #expect(throws: ImportRefusal.self) { try HealthReading.read(content) }
    }
    let sink = try HealthReading.read("<HealthData locale=\"de_DE\"></HealthData>")
    #expect(sink.records.isEmpty)
    #expect(
      sink.diagnostics.map(\.message) == ["nothing to import: none of its entries can be used"])
  }

  // MARK: No XML

  /// iOS 16.0 wrote declarations that no parser accepts.
  @Test func aDocumentTypeThatIsNoXMLIsPassedOver() throws {
    let broken = HealthReading.export(steps("12", "09:00:00")).replacingOccurrences(
      of: "<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>",
      with: """
        <!ELEMENT HeartRateVariabilityMetadataList (InstantaneousBeatsPerMinute*)>
        <!ATTLIST HeartRateVariabilityMetadataList
        <!ELEMENT InstantaneousBeatsPerMinute EMPTY>
          bpm CDATA "#REQUIRED
        >>
        """)
    let sink = try HealthReading.read(broken)
    #expect(sink.value("steps") == 12 && sink.diagnostics.isEmpty)
  }

  @Test func controlCharactersCountAsSpaces() throws {
    let odd = HealthReading.export(
      steps("12", "09:00:00", source: "Ada\u{0B}s \u{01}phone&#11;&#x1F;"),
      HealthReading.record(
        "HKCategoryTypeIdentifierHeadache", "HKCategoryValueSeverityMild", nil,
        ("2024-05-03 09:00:00 +0200", nil), source: "Ada\u{0B}s phone"))
    let sink = try HealthReading.read(odd)
    #expect(sink.value("steps") == 12 && sink.diagnostics.isEmpty)
    #expect(sink.activities.first?.description == "Ada s phone")
  }

  @Test func bytesThatAreNoUTF8CostOnlyTheirRecord() throws {
    var content = Data(HealthReading.head.utf8)
    content.append(Data(steps("12", "09:00:00").utf8))
    let bad = Data(steps("100", "10:00:00", source: "Ren\u{7F}").utf8)
    content.append(contentsOf: bad.map { $0 == 0x7F ? 0xE9 : $0 })
    content.append(Data((steps("30", "11:00:00") + "</HealthData>").utf8))
    let sink = try HealthReading.read(content)
    #expect(sink.value("steps") == 42)
    #expect(sink.skipped.count == 1)
    #expect(sink.skipped.first?.place.hasPrefix("export.xml:14 (byte ") == true)
  }

  @Test func whatIsNoXMLCostsOnlyWhatStandsThere() throws {
    let pieces = [
      " <Record type=\"x\" type=\"y\"/>\n", " <Record a=\"1\" b=>\n", " <<>>\n", " </Record>\n",
      " <Record type=\"x\" sourceName=\"Tom & Jerry\"/>\n", " &unknown;\n", " ]]>\n",
    ]
    for piece in pieces {
      let sink = try HealthReading.read(
        HealthReading.export(steps("12", "09:00:00"), piece, steps("30", "11:00:00")))
      #expect(sink.value("steps") == 42, "\(piece)")
      #expect(sink.skipped.first?.place.hasPrefix("export.xml:14") == true, "\(piece)")
    }
  }

  @Test func aFileWithAnotherEncodingDeclaredIsStillUTF8() throws {
    let text = HealthReading.export(steps("12", "09:00:00")).replacingOccurrences(
      of: "encoding=\"UTF-8\"", with: "encoding=\"EBCDIC-CP-DK\"")
    #expect(try HealthReading.read(text).value("steps") == 12)
    #expect(try HealthReading.read("\u{FEFF}" + text).value("steps") == 12)
  }

  // MARK: Traps

  @Test func entitiesAreNeverDeclared() throws {
    var bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE HealthData [\n<!ENTITY a \"ha\">\n"
    for (one, two) in zip("abcdefghijkl", "bcdefghijklm") {
      bomb += "<!ENTITY \(two) \"&\(one);&\(one);&\(one);&\(one);&\(one);&\(one);&\(one);\">\n"
    }
    bomb += "<!ENTITY file SYSTEM \"file:///etc/passwd\">\n]>\n<HealthData>\n"
    bomb += steps("1", "09:00:00", source: "&m;") + steps("1", "09:10:00", source: "&file;")
    bomb += "&m;\n" + steps("12", "10:00:00") + "</HealthData>"
    let sink = try HealthReading.read(bomb)
    #expect(sink.value("steps") == 12 && sink.metrics.count == 1)
    // What stands between two records that are lost goes with them.
    #expect(sink.skipped.count == 2)
  }

  @Test func aFurtherDocumentTypeIsNoXML() throws {
    let text = "<HealthData><!DOCTYPE a [<!ENTITY m \"mmm\">]>" + steps("12", "09:00:00")
    let sink = try HealthReading.read(text + "</HealthData>")
    #expect(sink.value("steps") == 12 && sink.skipped.count == 1)
  }

  @Test func whatNestsDeeperThanAnyExportIsRefused() throws {
    let deep = "<HealthData>" + String(repeating: "<a>", count: 100_000)
    #expect(throws: ImportRefusal.self) { try HealthReading.read(deep) }
  }

  @Test func aTagWithoutAnEndIsRefusedBeforeItFillsTheMemory() throws {
    let long = "<HealthData><Record type=\"" + String(repeating: "x", count: 20 << 20)
    #expect(throws: ImportRefusal.self) { try HealthReading.read(long) }
    let late = String(repeating: "<!-- x -->", count: 600_000) + "<HealthData>"
    #expect(throws: ImportRefusal.self) { try HealthReading.read(late) }
  }

  @Test func aZipThatGrowsBeyondReasonIsRefused() throws {
    var content = Data("<HealthData>".utf8)
    content.append(Data(repeating: 0x20, count: 40 << 20))
    let zip = try TestZip([("apple_health_export/export.xml", content)]).data()
    content = Data()
    let error = #expect(throws: ImportRefusal.self) {
      try HealthReading.read(zip, name: "export.zip")
    }
    #expect(error?.message.contains("larger than 32 MiB") == true)
  }

  @Test func namesInAZipLeadNowhere() throws {
    let zip = TestZip([
      ("../../apple_health_export/export.xml", Data(life().utf8)),
      ("/export.xml", Data(life().utf8)),
    ])
    #expect(throws: ImportRefusal.self) { try HealthReading.read(try zip.data(), name: "a.zip") }
  }

  @Test func anEncryptedZipSaysSo() throws {
    var zip = TestZip([("apple_health_export/export.xml", Data(life().utf8))])
    zip.password = "secret"
    let content = try zip.data()
    let error = #expect(throws: ImportRefusal.self) {
      try HealthReading.read(content, name: "export.zip")
    }
    #expect(error?.message.contains("encrypted") == true)
  }

  @Test func manyNamesOfTypesAndSourcesStayBounded() throws {
    var text = ""
    for number in 0..<30_000 {
      text += "<Record type=\"T\(number)\" sourceName=\"s\(number)\" unit=\"u\(number)\" "
      text += "startDate=\"2024-05-03 09:00:00 +0200\" value=\"1\"/>\n"
    }
    let sink = try HealthReading.read(HealthReading.export(text))
    #expect(sink.metrics.count >= 19_000 && sink.metrics.count <= 30_000)
  }

  // MARK: Other files

  @Test func anotherFileIsNotTakenForOne() throws {
    let importer = AppleHealthImporter()
    for head in [
      "<?xml version=\"1.0\"?><gpx/>", "<ClinicalDocument>", "HealthData", "{\"<HealthData\": 1}",
      "# About <HealthData>", "",
    ] {
      #expect(!importer.recognises(head: Array(head.utf8), fileName: "export.xml"), "\(head)")
    }
    #expect(
      importer.recognises(head: Array(HealthReading.head.utf8), fileName: "Экспорт.data"))
  }

  @Test func extraAttributesAndElementsAreNoTrouble() throws {
    let sink = try HealthReading.read(
      HealthReading.export(
        " <Record colour=\"blue\" type=\"HKQuantityTypeIdentifierStepCount\" unit=\"count\" "
          + "value=\"12\" startDate=\"2024-05-03 09:00:00 +0200\"><New/><New>text</New></Record>\n",
        " <Record/>\n", " <Audiogram type=\"x\"><SensitivityPoint/></Audiogram>\n"))
    #expect(sink.value("steps") == 12)
    #expect(sink.skipped.map(\.place) == ["export.xml:14 field “type”"])
    #expect(sink.diagnostics.map(\.message).contains { $0.hasPrefix("1 × “Audiogram”") })
  }
}

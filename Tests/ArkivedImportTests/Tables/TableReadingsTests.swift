import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Readings of devices in tables")
struct TableReadingsTests {
  @Test(arguments: [
    "timestamp,steps,data source\n2024-01-01T08:00:00Z,100,Charge 5\n"
      + "2024-01-01T08:01:00Z,50,Charge 5\n2024-01-01T23:30:00Z,7,Charge 5\n",
    "timestamp,beats per minute\n2024-01-01T08:00:00Z,80\n2024-01-01T08:00:05Z,81\n",
    "recorded_time,temperature,sensor_type\n2024-01-01T00:00,-1.2,UNKNOWN\n"
      + "2024-01-01T00:01,-1.3,UNKNOWN\n",
    "Date,Time,rmssd\n2024-01-01,01:00,30.1\n2024-01-01,01:05,31.1\n",
  ])
  func aReadingEveryFewMinutesIsRefused(table: String) throws {
    #expect(try TableReading.recognises(table))
    let refusal = #expect(throws: ImportRefusal.self) { try TableReading.read(table) }
    #expect(refusal?.message.contains("readings less than an hour apart") == true)
    #expect(refusal?.message.contains("--map") == true)
  }

  @Test(arguments: [
    "First Name,Last Name,Birthday,Notes,E-mail 1 - Label,E-mail 1 - Value\n"
      + "Ann,Lee,1985-03-14,,Home,ann@example.org\nBen,Fox,,,Work,ben@example.org\n",
    "Vorname;Nachname;Geburtstag;E-Mail-Adresse\nAnn;Lee;14.03.1985;ann@example.org\n",
  ])
  func peopleAreNotEntriesOnTheirBirthdays(table: String) throws {
    #expect(try TableReading.recognises(table))
    let refusal = #expect(throws: ImportRefusal.self) { try TableReading.read(table) }
    #expect(refusal?.message.contains("vCards") == true)
    #expect(refusal?.message.contains("--map") == true)
  }

  @Test func aBookIsReadOnTheDayItWasReadAndNotOnTheDayItWasListed() throws {
    let sink = try TableReading.read(
      "Title,Authors,Read Status,Date Added,Last Date Read,Dates Read,Star Rating\n"
        + "Dune,Frank Herbert,read,2025/01/01,2025/03/14,2025/03/01-2025/03/14,4.5\n")
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2025-03-14"])
  }

  @Test func theOwnersMappingMakesEntriesOfThem() throws {
    let table = "When,Sips\n2024-01-01 08:00,1.5\n2024-01-01 08:20,2\n"
    #expect(throws: ImportRefusal.self) { try TableReading.read(table) }
    #expect(try TableReading.read(table, map: "measure=Sips").activities.count == 2)
  }

  @Test(arguments: [
    "Date,Weight (kg)\n2024-01-01 07:00,80\n2024-01-02 07:10,80.5\n",
    "Date,Steps\n2024-01-01,8000\n2024-01-02,9000\n",
    "Date,Category,Paid\n2024-01-01 07:00,Food,8\n2024-01-01 07:10,Fuel,40\n",
    "Date,What,Cups\n2024-01-01 07:00,Tea,1\n2024-01-01 07:10,Tea,2\n",
    "Start,End,Laps\n2024-01-01 07:00,2024-01-01 07:05,1\n2024-01-01 07:10,2024-01-01 07:15,2\n",
  ])
  func whatSomebodyWroteDownIsRead(table: String) throws {
    #expect(try TableReading.read(table).activities.count == 2)
  }

  @Test(arguments: [
    (
      "Takeout/Fitbit/Heart Rate Variability/Heart Rate Variability Details - 2024-01-01.csv",
      "timestamp,rmssd,coverage\n2024-01-01T01:00:00,30.1,0.98\n", "Heart Rate Variability Details"
    ),
    (
      "Oxygen Saturation (SpO2)/Minute SpO2 - 2024-01-01.csv",
      "timestamp,value\n2024-01-01T01:00:00Z,95.1\n", "Minute SpO2"
    ),
    (
      "Takeout/Fitbit/Stress Score/Stress Score.csv",
      "DATE,STRESS_SCORE,STATUS\n2024-01-01T00:00:00,75,READY\n", "Stress Score"
    ),
    (
      "Takeout/Fitbit/Physical Activity_GoogleData/heart_rate_2024-01-01.csv",
      "timestamp,beats per minute,data source\n2024-01-01T08:00:00Z,80,Charge\n", "heart_rate"
    ),
  ])
  func fitbitsOtherTablesAreToldOnce(name: String, table: String, kind: String) throws {
    try tellOnce(FitbitImporter(), "Fitbit", name, table, kind)
    #expect(!FitbitImporter().recognises(head: Array(table.utf8), fileName: "mine.csv"))
  }

  @Test(arguments: [
    ("raw_hr_hr.csv", "start,duration,value\n2023-07-05T07:00:00+02:00,[60],[72]\n", "raw_hr_hr"),
    (
      "signal.csv", "date,type,frequency,duration,size\n2023-07-05 07:10:22,ecg,300,30,9000\n",
      "signal"
    ),
    ("height.csv", "Date,\"Height (m)\"\n2015-01-01 10:00:00,1.8\n", "height"),
    (
      "aggregates_calories_earned.csv", "date,value\n2023-07-05,512.3\n",
      "aggregates_calories_earned"
    ),
  ])
  func withingsOtherTablesAreToldOnce(name: String, table: String, kind: String) throws {
    try tellOnce(WithingsImporter(), "Withings", "withings/\(name)", table, kind)
  }

  private func tellOnce(
    _ importer: any Importer, _ service: String, _ name: String, _ table: String, _ kind: String
  ) throws {
    #expect(importer.recognises(head: Array(table.utf8), fileName: name))
    let folder = try TemporaryFolder()
    let file = ImportFile(url: try folder.file("table.csv", table), name: name)
    let sink = PlaceSink(folders: [folder])
    let context = try TableReading.context()
    try importer.read(file, context: context, into: sink)
    try importer.read(file, context: context, into: sink)
    #expect(sink.records.isEmpty)
    #expect(
      sink.diagnostics.map(\.message)
        == ["skipped: \(service) tables such as “\(kind)” aren’t imported"])
  }
}

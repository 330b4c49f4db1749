import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedImport

@Suite("Positions in tables")
struct TablePositionTests {
  @Test(arguments: [
    ("52.52", 52.52), ("52,520", 52.52), ("-33.5", -33.5), ("33.520000S", -33.52),
    ("S33.52", -33.52), ("52.52 N", 52.52), ("52.52°", 52.52), ("525200000", 52.52),
    ("52°31'12\"N", 52.52), ("52° 31.2′ S", -52.52), ("-335200000", -33.52),
    ("95", nil), ("5231.2000", nil), ("52 31 12", nil), ("-33.5S", nil), ("north", nil), ("", nil),
  ])
  func latitudesAreReadAsTheyAreWritten(text: String, degrees: Double?) {
    let read = TablePosition.degrees(text, .latitude, isE7: false)
    #expect(read.map { ($0 * 1e6).rounded() / 1e6 } == degrees)
  }

  @Test func theEastHasTwoLetters() {
    #expect(TablePosition.degrees("13.405O", .longitude, isE7: false) == 13.405)
    #expect(TablePosition.degrees("70.405W", .longitude, isE7: false) == -70.405)
    #expect(TablePosition.degrees("1000000", .longitude, isE7: true) == 0.1)
  }

  /// A way from one stay to another, an hour each.
  private func table(_ header: String, _ row: (Int, Double) -> String) -> String {
    let rows = (0..<150).map { minute in row(minute, Double(min(max(minute - 60, 0), 30)) * 0.001) }
    return ([header] + rows).joined(separator: "\n") + "\n"
  }

  private func clock(_ minute: Int) -> String {
    String(format: "%02d%02d00", 8 + minute / 60, minute % 60)
  }

  private func stamp(_ minute: Int) -> String {
    String(format: "2024-06-15T%02d:%02d:00Z", 8 + minute / 60, minute % 60)
  }

  private func check(_ table: String, lat: ClosedRange<Double>, lon: ClosedRange<Double>) throws {
    #expect(try !TableReading.recognises(table))
    #expect(try TableReading.recognises(table, by: TablePoints()))
    let sink = try TableReading.read(table, by: TablePoints())
    #expect((1...3).contains(sink.activities.count))
    #expect(sink.activities.allSatisfy { $0.source == .locationImport })
    let first = try #require(sink.activities.first)
    #expect(lat.contains(first.lat ?? 0) && lon.contains(first.lon ?? 0))
  }

  @Test func tenMillionthsOfDegreesArePoints() throws {
    let table = table("timestamp,latitudeE7,longitudeE7,accuracy,altitude,velocity") {
      minute, way in
      "\(stamp(minute)),\(Int((52.5 + way) * 1e7)),134050000,8,34,1.5"
    }
    try check(table, lat: 52.4...52.6, lon: 13.4...13.41)
  }

  @Test func lettersAfterTheDegreesAreSigns() throws {
    let table = table(
      "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX"
    ) { minute, way in
      "\(minute),T,240615,\(clock(minute)),\(String(format: "%.6f", 33.52 + way))S,070.405000W,"
        + "34,1.5,90,"
    }
    try check(table, lat: -33.6 ... -33.5, lon: -70.5 ... -70.4)
    let sink = try TableReading.read(table, by: TablePoints())
    #expect(sink.activities.first?.dayKey.description == "2024-06-15")
    #expect(sink.diagnostics.contains { $0.message.contains("such as “240615” were read as year") })
  }

  @Test func lettersInColumnsOfTheirOwnAreSigns() throws {
    let table = table("DATE,TIME,LATITUDE,N/S,LONGITUDE,E/W") { minute, way in
      "2024/06/15,\(clock(minute)),\(33.52 + way),S,70.405,W"
    }
    try check(table, lat: -33.6 ... -33.5, lon: -70.5 ... -70.4)
  }

  @Test func positionsThatCannotBeReadAreRefused() throws {
    let table = "time,lat,lon,speed\n2024-06-15T10:30:00Z,5231.2000,01324.3000,1.5\n"
    #expect(try TableReading.recognises(table))
    let refusal = #expect(throws: ImportRefusal.self) { try TableReading.read(table) }
    #expect(refusal?.message.hasPrefix("“5231.2000”, “01324.3000” can’t be read") == true)
  }

  @Test(arguments: [
    "deviceid,lat,lon,timestamp,speed\nphone1,52.5200,13.4050,1718444200,1.5\n"
      + "phone1,52.5210,13.4060,1718444260,1.6\n",
    "time;lat;lon;elevation\n2024-06-15T10:30:00Z;52,5200;13,4050;34,0\n"
      + "2024-06-15T10:31:00Z;52,5210;13,4060;35,0\n",
  ])
  func pointsThatYieldNothingAreTold(table: String) throws {
    let sink = try TableReading.read(table, by: TablePoints())
    #expect(sink.records.isEmpty)
    #expect(sink.diagnostics.contains { $0.message.hasPrefix("nothing to import: no stays") })
  }
}

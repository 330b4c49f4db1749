import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedImport

@Suite("What places are called")
struct PlaceNamesTests {
  private let folder: TemporaryFolder
  private let names: PlaceNames

  /// A few lines as `Scripts/fetch_places.py` writes them, with some that are none.
  init() throws {
    folder = try TemporaryFolder()
    let list = """
      # Places of more than 1,000 inhabitants: latitude, longitude, inhabitants, name. GeoNames
      # (geonames.org), CC BY 4.0
      50.08804\t14.42076\t1165581\tPrague
      50.04661\t14.31009\t60758\tStodůlky
      47.57143\t10.70171\t15608\tFüssen
      47.57640\t10.74540\t3505\tSchwangau
      -16.78000\t179.98000\t4000\tWest of the line
      78.22334\t15.64689\t2060\tLongyearbyen
      200\t14\t1\tNowhere
      50.1\t14.4\tmany\tUncounted
      half a line

      """
    let file = try folder.file("places.tsv", list)
    names = try #require(PlaceNames(at: file))
  }

  private func name(_ lat: Double, _ lon: Double) throws -> String? {
    let point = try #require(GeoPoint(lat: lat, lon: lon))
    return names.area(of: point)?.text
  }

  @Test func theLargestTownsOfAnAreaComeFirst() {
    let all = names.towns(limit: 3) { _, _ in true }
    #expect(all.map(\.name) == ["Prague", "Stodůlky", "Füssen"])
    #expect(all.first?.people == 1_165_581 && all.first?.latitude == 50.08804)
    #expect(
      names.towns(limit: 9) { lat, _ in lat < 48 && lat > 0 }.map(\.name) == [
        "Füssen", "Schwangau",
      ])
    #expect(names.towns(limit: 9) { _, _ in false }.isEmpty)
  }

  @Test func aPlaceIsInTheTownThatReachesItOrNearTheNextOne() throws {
    #expect(try name(50.0875, 14.4213) == "In Prague")
    // The middle of the large city is nearer, as large as it is.
    #expect(try name(50.0506, 14.3440) == "In Prague")
    #expect(try name(50.0470, 14.3120) == "In Stodůlky")
    #expect(try name(47.5576, 10.7498) == "Near Schwangau")
    #expect(try name(52.5, 13.4) == nil)
    #expect(try name(0.001, 0.001) == nil)
  }

  @Test func theDateLineAndThePolesAreNoEdges() throws {
    #expect(try name(-16.78, -179.99) == "Near West of the line")
    #expect(try name(78.22, 16.4) == "Near Longyearbyen")
    #expect(try name(90, 180) == nil)
    #expect(try name(-90, -180) == nil)
  }

  @Test func aListThatIsNoneGivesNoNames() throws {
    let absent = PlaceNames(at: folder.url.appendingPathComponent("absent.tsv"))
    #expect(absent?.mark == nil)
    let file = try folder.file("empty.tsv", "")
    let empty = try #require(PlaceNames(at: file))
    let point = try #require(GeoPoint(lat: 50.0875, lon: 14.4213))
    #expect(empty.area(of: point) == nil)
    let folderOfList = folder.url.path
    #expect(PlaceNames.installed(["ARKIVED_PLACES": folderOfList])?.mark == names.mark)
    #expect(PlaceNames.installed(["ARKIVED_PLACES": folderOfList + "/none"])?.mark == nil)
  }
}

import Foundation
import Testing

@testable import ArkivedImport

@Suite("Lines of workouts")
struct HealthRouteTests {
  @Test func partsBeyondTheLimitAreNotJoinedToTheLastOne() throws {
    var line = HealthRoute.Line()
    for part in 0..<600 {
      let lat = 10 + Double(part) * 0.1
      for step in 0..<3 {
        line.add(lat: lat + Double(step) * 0.001, lon: step == 1 ? 10.001 : 10)
      }
      line.lift()
    }
    let route = try #require(line.route)
    #expect(route.lines.count == 500 && route.lines.allSatisfy { $0.count <= 3 })
  }
}

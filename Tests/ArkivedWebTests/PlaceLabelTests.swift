import Testing

@testable import ArkivedWeb

@Suite("The names on the map of insights")
struct PlaceLabelTests {
  private func labels(_ circles: [(Double, Double, Double)], _ names: [String])
    -> [PlaceLabels.Label]
  {
    PlaceLabels(
      width: 360, height: 200,
      circles: circles.map { PlaceLabels.Circle(x: $0.0, y: $0.1, radius: $0.2) }
    ).placed(names)
  }

  @Test("A name stands right of its circle, or left where the frame or a circle is in the way")
  func sides() {
    #expect(labels([(50, 100, 4)], ["Canal"]).map(\.anchor) == ["start"])
    #expect(labels([(350, 100, 4)], ["Canal"]).map(\.anchor) == ["end"])
    let pair = labels([(150, 100, 4), (170, 100, 4)], ["Canal", "Park"])
    #expect(pair.map(\.anchor) == ["end", "start"])
    // Neither side is free, so the name stands above.
    let between = labels([(150, 100, 4), (170, 100, 4), (130, 100, 4)], ["Canal"])
    #expect(between.map(\.anchor) == ["middle"])
    #expect(between.allSatisfy { $0.y < 100 })
  }

  @Test("Names cover no other name, and no swarm of circles; the most frequent place keeps its own")
  func swarm() {
    var circles: [(Double, Double, Double)] = []
    for index in 0..<60 {
      circles.append((Double(100 + index % 10 * 9), Double(60 + index / 10 * 9), 4))
    }
    let names = (0..<40).map { "the place number \($0)" }
    let placed = labels(circles, names)
    #expect(placed.first?.circle == 0)
    #expect(placed.count < 12)
    for (index, label) in placed.enumerated() {
      #expect(!placed.dropFirst(index + 1).contains { $0.box.overlaps(label.box) })
      let covered = circles.enumerated().filter { number, circle in
        number != label.circle
          && label.box.overlaps(PlaceLabels.Circle(x: circle.0, y: circle.1, radius: circle.2))
      }
      #expect(index == 0 || covered.count <= 2)
      #expect(label.box.x.lowerBound >= 0 && label.box.x.upperBound <= 360)
    }
  }
}

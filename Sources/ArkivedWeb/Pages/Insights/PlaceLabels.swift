/// The names on a map of circles, placed so that they cover neither each other nor a swarm of
/// circles.
struct PlaceLabels {
  struct Circle {
    var x: Double
    var y: Double
    var radius: Double
  }

  /// A name beside its circle.
  struct Label {
    /// The number of the circle.
    var circle: Int
    var x: Double
    /// The baseline.
    var y: Double
    /// The SVG `text-anchor`.
    var anchor: String
    var box: Box
  }

  /// The area of a name.
  struct Box {
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>

    func overlaps(_ other: Box) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }

    func overlaps(_ circle: Circle) -> Bool {
      let across = circle.x - min(max(circle.x, x.lowerBound), x.upperBound)
      let down = circle.y - min(max(circle.y, y.lowerBound), y.upperBound)
      return across * across + down * down < circle.radius * circle.radius
    }
  }

  let width: Double
  let height: Double
  /// The circles, the most frequent place first.
  let circles: [Circle]

  /// The largest number of other circles behind a name.
  private static let behind = 2

  /// Returns where there is space for the names of the first circles, the most frequent first.
  func placed(_ names: [String], limit: Int = 12) -> [Label] {
    var labels: [Label] = []
    for (index, name) in names.enumerated() where labels.count < limit && index < circles.count {
      let free = candidates(index, length: Double(name.count) * 5.6).filter { label in
        label.box.x.lowerBound >= 2 && label.box.x.upperBound <= width - 2
          && label.box.y.lowerBound >= 1 && label.box.y.upperBound <= height - 1
          && !labels.contains { $0.box.overlaps(label.box) }
      }
      let counted = free.map { label in
        (label, circles.indices.count { $0 != index && label.box.overlaps(circles[$0]) })
      }
      guard let (label, count) = counted.min(by: { $0.1 < $1.1 }) else { continue }
      // The most frequent place always has its name.
      if index == 0 || count <= Self.behind { labels.append(label) }
    }
    return labels
  }

  /// Returns the places of a name around its circle, the best first.
  private func candidates(_ index: Int, length: Double) -> [Label] {
    let circle = circles[index]
    let gap = circle.radius + 3
    func beside(_ x: Double, _ anchor: String, _ from: Double) -> Label {
      Label(
        circle: index, x: x, y: circle.y + 3.5, anchor: anchor,
        box: Box(x: from...(from + length), y: (circle.y - 6)...(circle.y + 6)))
    }
    func centred(_ baseline: Double) -> Label {
      Label(
        circle: index, x: circle.x, y: baseline, anchor: "middle",
        box: Box(
          x: (circle.x - length / 2)...(circle.x + length / 2),
          y: (baseline - 9.5)...(baseline + 2.5)))
    }
    return [
      beside(circle.x + gap, "start", circle.x + gap),
      beside(circle.x - gap, "end", circle.x - gap - length),
      centred(circle.y - gap - 2), centred(circle.y + gap + 8.5),
    ]
  }
}

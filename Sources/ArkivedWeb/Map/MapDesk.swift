import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Synchronization

/// The content of a map of an archive: groups of entries, lines of journeys, and photos.
final class MapDesk: Sendable {
  let archive: Archive
  let zone: Zone
  private let timelines: ArchiveTimelines
  private let ways: MapWays
  /// The entries and files of the last question, which one map asks for repeatedly.
  private let last = Mutex<(key: Key, content: Content)?>(nil)

  /// The largest number of groups in an answer.
  static let clusterLimit = 300
  /// The number of days above which the files of all days are read together.
  private static let fewDays = 400

  private struct Key: Hashable {
    var days: ClosedRange<DayKey>
    var change: UUID?
  }

  /// The entries, photos and lines of some days.
  struct Content: Sendable {
    var spots: MapSpots
    var photos: [Int64: MapPhotos]
    var lines: [MapFile]
    var photoCount: Int
  }

  /// An answer for one view.
  struct Answer: Sendable {
    var content: Content
    var clusters: [MapSpots.Cluster]
    /// The IDs of the groups' photos.
    var photos: [Int64: UUID]
    var ways: MapWays.Shown

    /// The area of all entries, or else the area of the journeys.
    var bounds: MapBox? { content.spots.bounds ?? ways.bounds }
  }

  init(archive: Archive, zone: Zone, timelines: ArchiveTimelines) {
    (self.archive, self.zone, self.timelines) = (archive, zone, timelines)
    ways = MapWays(archive)
  }

  private var engine: InsightEngine {
    InsightEngine(archive: archive, zone: zone, timelines: timelines)
  }

  /// Returns the days that can be chosen for a map.
  func spans(_ question: InsightQuestion) throws -> InsightChoice { try engine.spans(question) }

  /// Returns the content of the question's days.
  func content(_ question: InsightQuestion) throws -> Content {
    let days = question.days
    let key = Key(days: days, change: try archive.newestChange())
    if let known = last.withLock({ $0 }), known.key == key { return known.content }
    let spots = try engine.spots(question)
    var content = Content(spots: spots, photos: [:], lines: [], photoCount: 0)
    let isFew = days.lowerBound.distance(to: days.upperBound) < Self.fewDays
    for file in try archive.mapFiles(isFew ? days : nil) {
      if file.lineHash != nil {
        content.lines.append(file)
      } else {
        content.photos[file.row, default: MapPhotos(count: 0, latest: 0)].count += 1
        content.photos[file.row]?.latest = file.key
      }
    }
    content.photoCount = spots.keep(&content.photos, &content.lines)
    last.withLock { $0 = (key, content) }
    return content
  }

  /// Returns the content of a view.
  func answer(_ question: InsightQuestion, in box: MapBox, zoom: Int) throws -> Answer {
    let content = try content(question)
    let clusters = content.spots.clusters(
      in: box, zoom: zoom, limit: Self.clusterLimit, photos: content.photos)
    let photos = try archive.attachments(clusters.compactMap(\.photo))
    let shown = try ways.shown(content.lines, in: box, zoom: zoom)
    return Answer(
      content: content, clusters: clusters, photos: photos.mapValues(\.id), ways: shown)
  }

  /// Parses the days of a map.
  ///
  /// - Throws: `WebFailure` 400 with the name of the argument.
  func question(_ fields: FormFields) throws -> InsightQuestion {
    do throws(FieldError) {
      return try InsightQuestion(.places, today: zone.dayKey(at: archive.clock.now)) {
        fields.text($0)
      }
    } catch {
      throw Self.refusal(error)
    }
  }

  /// Parses the area and zoom level of a view.
  ///
  /// - Throws: `WebFailure` 400 with the name of the argument.
  static func view(_ fields: FormFields) throws -> (box: MapBox, zoom: Int) {
    do throws(FieldError) {
      let box = try MapBox { fields.text($0) }
      guard let text = fields.text("zoom") else { return (box, 2) }
      guard let zoom = Int(text), MapPlane.zooms.contains(zoom) else {
        throw FieldError(
          "zoom", "is \(FieldError.shown(text)), but must be a whole number from 0 to 18")
      }
      return (box, zoom)
    } catch {
      throw refusal(error)
    }
  }

  private static func refusal(_ error: FieldError) -> WebFailure {
    WebFailure(.badRequest, "Invalid value", error.description + ".", field: error.field)
  }
}

extension MapDesk.Answer {
  /// The answer as JSON, with coordinates in degrees.
  var json: JSON {
    let spots = content.spots
    return [
      "entries": JSON(spots.count), "days": JSON(spots.days), "photos": JSON(content.photoCount),
      "bounds": bounds?.json ?? .null,
      "clusters": .array(
        clusters.map { cluster in
          [
            "lat": Self.degrees(cluster.latitude), "lon": Self.degrees(cluster.longitude),
            "entries": JSON(cluster.entries), "days": JSON(cluster.days),
            "from": JSON(cluster.first), "to": JSON(cluster.last), "place": JSON(cluster.place),
            "isOnePlace": .bool(cluster.isOnePlace), "photos": JSON(cluster.photos),
            "photo": JSON(cluster.photo.flatMap { photos[$0]?.uuidString }),
            "area": cluster.box.json,
          ]
        }),
      "ways": .array(
        ways.lines.map { line in
          [
            "day": JSON(spots.day(ofRow: line.row)),
            "lines": .array(
              line.parts.map { part in
                .array(
                  part.map { point in
                    [
                      Self.degrees(MapPlane.longitude(Double(point.x))),
                      Self.degrees(MapPlane.latitude(Double(point.y))),
                    ]
                  })
              }),
          ]
        }),
      "wayCount": JSON(content.lines.count), "waysUnread": JSON(ways.unread),
    ]
  }

  private static func degrees(_ value: Double) -> JSON {
    JSON((value * 100_000).rounded() / 100_000)
  }
}

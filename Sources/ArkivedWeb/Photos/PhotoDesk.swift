import ArkivedCore
import ArkivedStore
import Foundation
import Synchronization

/// The photos of an archive by month, the newest first.
final class PhotoDesk: Sendable {
  /// The photos of a month.
  struct Month: Hashable, Sendable {
    var first: DayKey
    /// The positions of its photos in the album.
    var places: Range<Int>

    /// The month as "2026-03".
    var key: String { String(first.description.prefix(7)) }
    var name: String { "\(MonthName.shown[first.month - 1]) \(first.year)" }
  }

  /// All photos in order, by the keys of their attachments.
  struct Album: Sendable {
    var keys: [Int64] = []
    var days: [DayKey] = []
    var months: [Month] = []
    fileprivate var places: [Int64: Int] = [:]

    /// Returns the position of a photo; nil if it isn't in the album.
    func place(of key: Int64) -> Int? { places[key] }

    func month(_ key: String) -> Month? { months.first { $0.key == key } }

    /// Returns the positions of the photos of some days.
    func places(_ days: ClosedRange<DayKey>) -> Range<Int> {
      // The newest come first.
      let start = self.days.partitioningIndex { $0 <= days.upperBound }
      return start..<max(start, self.days.partitioningIndex { $0 < days.lowerBound })
    }
  }

  let archive: Archive
  private let known = Mutex<(change: UUID?, album: Album)?>(nil)

  init(_ archive: Archive) { self.archive = archive }

  /// Returns the album of the archive's current state.
  func album() throws -> Album {
    let change = try archive.newestChange()
    if let known = known.withLock({ $0 }), known.change == change { return known.album }
    var album = Album()
    for (key, day) in try archive.datedPhotos() {
      if album.months.last?.first != day.startOfMonth {
        album.months.append(
          Month(first: day.startOfMonth, places: album.keys.count..<album.keys.count))
      }
      album.places[key] = album.keys.count
      album.keys.append(key)
      album.days.append(day)
      let last = album.months.count - 1
      album.months[last].places = album.months[last].places.lowerBound..<album.keys.count
    }
    let found = album
    known.withLock { $0 = (change, found) }
    return found
  }

  /// A photo of the album with its entry.
  struct Photo: Sendable {
    var owned: Archive.OwnedPhoto
    var day: DayKey
  }

  /// Returns the photos at some positions of the album, excluding those deleted in the meantime.
  func photos(_ album: Album, _ places: Range<Int>) throws -> [Photo] {
    let found = try archive.ownedPhotos(places.map { album.keys[$0] })
    return places.compactMap { place in
      found[album.keys[place]].map { Photo(owned: $0, day: album.days[place]) }
    }
  }
}

extension Array {
  /// Returns the first index whose element meets a condition that all following elements meet too.
  fileprivate func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

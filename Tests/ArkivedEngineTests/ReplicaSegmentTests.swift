import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedStore

@Suite("Segments that other devices haven’t read yet")
struct ReplicaSegmentTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws {
    test = try TestArchive()
    try test.archive.startReplica(device: "own", settings: ["name": "desk"])
    try test.archive.captureReplica(publishes: true)
  }

  /// Puts everything that has changed into a segment that counts as published.
  private func publish() throws {
    test.clock.advance(seconds: 1)
    try archive.captureReplica(publishes: true)
    try archive.sealReplica()
    for segment in try archive.ownReplicaSegments() {
      try archive.markReplicaPublished(
        segment.sequence, with: archive.changes(ofReplicaSegment: segment.sequence))
    }
  }

  private func lines(_ segment: OwnSegment) throws -> [Substring] {
    try archive.changes(ofReplicaSegment: segment.sequence)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("A segment’s head is read by itself and fits its changes and its link")
  func heads() throws {
    for number in 0..<3 {
      try test.add("entry \(number)")
      try publish()
    }
    let segments = try archive.ownReplicaSegments()
    #expect(segments.map(\.sequence) == [1, 2, 3])
    var previous = ""
    for segment in segments {
      let head = try #require(try archive.head(ofReplicaSegment: segment.sequence))
      let lines = try lines(segment)
      #expect(head["hashes"]?.array?.count == lines.count)
      #expect(head["previous"]?.string == previous)
      #expect(head["link"]?.string == segment.link)
      previous = segment.link
    }
    try archive.forgetReplicaSegments(upTo: 1)
    #expect(try archive.head(ofReplicaSegment: 1) == nil)
    #expect(try archive.ownReplicaSegments().map(\.sequence) == [2, 3])
  }

  @Test("A segment that was written while something in it was permanently deleted is written again")
  func deletedWhileWritten() throws {
    let id = try test.add("a secret by the lake").id
    try archive.captureReplica(publishes: true)
    try archive.sealReplica()
    let segment = try #require(try archive.ownReplicaSegments().first)
    let written = try archive.changes(ofReplicaSegment: segment.sequence)
    #expect(written.contains("secret"))
    _ = try archive.purge(.entities([id]))
    try archive.markReplicaPublished(segment.sequence, with: written)
    #expect(try archive.ownReplicaSegments().first?.isPublished == false)
    let rest = try archive.changes(ofReplicaSegment: segment.sequence)
    #expect(!rest.contains("secret"))
    try archive.markReplicaPublished(segment.sequence, with: rest)
    #expect(try archive.ownReplicaSegments().first?.isPublished == true)
  }
}

import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine

@Suite("How much of an inbox is taken at once")
struct InboxBatchTests {
  private let box: InboxBox

  init() throws { box = try InboxBox(try TestArchive()) }

  /// A file of a size that takes no room on the disk.
  private func sighting(_ name: String, _ size: Int) throws -> InboxJob.Sighting {
    let file = try box.drop(name, "")
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(size))
    try handle.close()
    return (name: InboxName(name), stamp: try #require(InboxStamp(at: file.path)))
  }

  private func batches(_ files: [InboxJob.Sighting]) -> [[String]] {
    var rest = files[...]
    var batches: [[String]] = []
    while !rest.isEmpty { batches.append(InboxJob.batch(&rest).map { $0.name.name }) }
    return batches
  }

  @Test func aFileThatIsRenamedWhileItIsReadIsPutAwayAllTheSame() throws {
    let folder = InboxFolder(url: box.url)
    let file = try box.drop("walk.txt", "walked")
    let stamp = try #require(InboxStamp(at: file.path))
    try FileManager.default.moveItem(
      at: file, to: box.url.appendingPathComponent("walk to the sea.txt"))
    // Another file has its name by now.
    try box.drop("walk.txt", "another walk")
    let place = try folder.place(for: "walk.txt", on: InboxFolder.done)
    #expect(try folder.move("walk.txt", stamp, to: place))
    #expect(try box.text("done/walk.txt") == "walked" && box.text("walk.txt") == "another walk")
    #expect(box.names() == ["done", "walk.txt"])
    // What is gone altogether moves nothing, and takes no name.
    let second = try folder.place(for: "walk.txt", on: InboxFolder.done)
    #expect(try !folder.move("walk.txt", stamp, to: second))
    #expect(box.names("done") == ["walk.txt"] && box.names() == ["done", "walk.txt"])
  }

  @Test func aFileThatTookAnothersNameAtTheLastMomentComesBack() throws {
    let folder = InboxFolder(url: box.url)
    for name in ["walk.txt", "walk.txt", "run.txt"] {
      let place = try folder.place(for: "walk.txt", on: InboxFolder.done)
      try Data("unread \(name)".utf8).write(to: URL(fileURLWithPath: place))
      try folder.moveBack(place, to: name)
    }
    #expect(box.names("done").isEmpty)
    #expect(box.names() == ["done", "run.txt", "walk (2).txt", "walk.txt"])
    #expect(try box.text("walk (2).txt") == "unread walk.txt")
  }

  @Test func textsThatAreHeldInMemoryAreFew() throws {
    let files = try (10..<30).map { try sighting("\($0).txt", InboxText.limit) }
    #expect(batches(files).map(\.count) == [8, 8, 4])
  }

  @Test func namesThatBeginWithADayAndDotsAreNotAllTakenTogether() throws {
    let names = (1...3).map { "2026.03.05 18.22.0\($0).jpg" }
    let files = try names.map { try sighting($0, 600 << 20) }
    #expect(batches(files) == names.map { [$0] })
  }

  @Test func whatBelongsToAPhotoComesInWithIt() throws {
    let names = ["IMG_1.AAE", "IMG_1.HEIC", "IMG_1.HEIC.xmp", "IMG_1.MOV"]
    let files = try (names + ["IMG_2.HEIC"]).map { try sighting($0, 600 << 20) }
    #expect(batches(files) == [names, ["IMG_2.HEIC"]])
  }
}

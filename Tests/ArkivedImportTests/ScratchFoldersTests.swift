import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct ScratchFoldersTests {
  /// A folder among others as a process leaves it that is killed.
  private func leave(_ name: String, in base: URL, withLock: Bool) throws -> URL {
    let folder = base.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if withLock { try Data().write(to: folder.appendingPathComponent(".lock")) }
    return folder
  }

  private func isThere(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.path)
  }

  @Test func whatAKilledProcessLeftIsClearedAndWhatIsInUseStays() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let base = temporary.url
    let left = try leave("arkived-import-1", in: base, withLock: true)
    try Data("x".utf8).write(to: left.appendingPathComponent("unpacked"))
    let older = try leave("arkived-import-2", in: base, withLock: false)
    let used = try leave("arkived-import-3", in: base, withLock: true)
    let other = try leave("somebody-1", in: base, withLock: true)
    let lock = open(used.appendingPathComponent(".lock").path, O_RDWR)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    defer { close(lock) }
    // All of it is young.
    ScratchFolders.clear(in: base)
    #expect([left, older, used, other].allSatisfy(isThere))
    ScratchFolders.clear(in: base, now: Date(timeIntervalSinceNow: 3_600))
    #expect(!isThere(left) && isThere(older) && isThere(used) && isThere(other))
    ScratchFolders.clear(in: base, now: Date(timeIntervalSinceNow: 2 * 86_400))
    #expect(!isThere(older) && isThere(used) && isThere(other))
  }

  @Test func aFolderElsewhereIsPrivateWithWhatItLiesIn() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let base = temporary.url.appendingPathComponent("unpacked")
    let folder = try ScratchFolders.make(in: base)
    #expect(folder.deletingLastPathComponent().path == base.path && ScratchFolders.holds(folder))
    for place in [base, folder] {
      let found = try FileManager.default.attributesOfItem(atPath: place.path)
      #expect((found[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }
    ScratchFolders.remove(folder)
    #expect(!isThere(folder))
  }

  @Test func aFolderOfThisProcessIsLockedUntilItIsRemoved() throws {
    let folder = try ScratchFolders.make()
    let lock = open(folder.appendingPathComponent(".lock").path, O_RDONLY)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) != 0)
    ScratchFolders.remove(folder)
    #expect(!isThere(folder))
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
  }
}

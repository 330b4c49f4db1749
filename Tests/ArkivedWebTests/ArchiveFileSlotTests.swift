import Foundation
import Testing

@testable import ArkivedWeb

@Suite("Jobs that read a backup or another archive")
struct ArchiveFileSlotTests {
  private func begun() throws -> (slot: ArchiveFileSlot<RestoreDesk.Job>, id: UUID) {
    let slot = ArchiveFileSlot<RestoreDesk.Job>()
    let job = RestoreDesk.Job(id: UUID(), name: "a.zip", purpose: .restore)
    try slot.begin(
      job, reading: ArchiveFileSource(url: URL(fileURLWithPath: "/nowhere/a.zip")))
    return (slot, job.id)
  }

  @Test func aJobThatIsToldToStopTooLateIsNotCancelled() throws {
    let (slot, id) = try begun()
    slot.cancel(id)
    #expect(slot.current?.isCancelled == true)
    slot.wait(id, in: .ready)
    #expect(slot.current?.isCancelled == false)
    slot.cancel(id)
    #expect(slot.current?.isCancelled == false)
    _ = try slot.resume(id, as: .working, from: [.ready])
    slot.cancel(id)
    slot.end(id) { $0.outcome = .beside(URL(fileURLWithPath: "/nowhere/new")) }
    #expect(slot.current?.stage == .ended && slot.current?.isCancelled == false)
    slot.cancel(id)
    #expect(slot.current?.isCancelled == false)
  }

  @Test func aJobThatStoppedStaysCancelled() throws {
    let (slot, id) = try begun()
    slot.cancel(id)
    slot.end(id) { $0.isCancelled = true }
    slot.cancel(id)
    #expect(slot.current?.stage == .ended && slot.current?.isCancelled == true)
  }
}

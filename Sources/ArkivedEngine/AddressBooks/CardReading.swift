import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Reads an address book's pending cards one after the other.
final class CardReading: Sendable {
  /// The number of cards that may end the reader before the sync gives up.
  private static let lossLimit = 20

  private let sync: AddressBookSync
  private let open: [OpenCalendarResource]
  private let scratch: ScratchFolder
  private let reader: ReaderProcess
  private let done = Mutex<[OpenCalendarResource]>([])

  /// Creates a reading.
  ///
  /// - Parameters:
  ///   - sync: the sync that it belongs to.
  ///   - open: the cards to read.
  ///   - scratch: the folder for temporary files.
  ///   - reader: reads the cards, which come from the network.
  init(
    sync: AddressBookSync, open: [OpenCalendarResource], scratch: ScratchFolder,
    reader: ReaderProcess
  ) {
    self.sync = sync
    self.open = open
    self.scratch = scratch
    self.reader = reader
  }

  /// The cards that were read; the others remain pending.
  var finished: [OpenCalendarResource] { done.withLock { $0 } }

  func read(into sink: any ImportSink) throws {
    let context = ImportContext(
      now: sync.archive.clock.now, homeZone: sync.homeZone, identities: sync.archive.identities,
      linkID: sync.link.id, scratchFolder: { [scratch] in try scratch.make() })
    let importer = reader.confined(VCardImporter(), isOneOfMany: true)
    var losses = 0
    for (index, card) in open.enumerated() {
      if sync.isCancelled() { throw ImportCancelled() }
      if index % 50 == 0 { sync.watch(.init(step: .taking, done: index, total: open.count)) }
      // A card that the address book no longer has removes nobody.
      if card.version != nil {
        do {
          guard try read(card, importer, context, sink) else { continue }
        } catch let lost as ReaderProcess.Lost {
          losses += 1
          guard losses <= Self.lossLimit else { throw lost.refusal }
          sink.diagnose(ReaderProcess.note(on: lost.refusal))
          continue
        } catch let refusal as ImportRefusal {
          // The reader may not have been able to start.
          sink.diagnose(
            Diagnostic(
              .skipped, place: refusal.place, message: refusal.message, mayPass: true))
          continue
        }
      }
      done.withLock { $0.append(card) }
    }
  }

  /// Reads a card.
  ///
  /// - Returns: false if its content isn't there.
  private func read(
    _ card: OpenCalendarResource, _ importer: any Importer, _ context: ImportContext,
    _ sink: any ImportSink
  ) throws -> Bool {
    guard
      let content = try sync.archive.calendarContent(card.name, ofLink: sync.link.id)
    else { return false }
    // They share one name because they are read one after the other, on this thread.
    let file = try scratch.make().appendingPathComponent("card.vcf")
    try content.write(to: file)
    try importer.read(ImportFile(url: file, name: card.name), context: context, into: sink)
    return true
  }
}

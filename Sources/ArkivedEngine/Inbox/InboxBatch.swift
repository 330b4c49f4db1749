import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Several files of an inbox that are imported together.
struct InboxBatch {
  let job: InboxJob
  let work: URL

  private var archive: Archive { job.archive }

  /// A decision about a file.
  private struct Verdict {
    var item: InboxItem
    /// The message about a file that this batch doesn't import.
    var known: String?
    /// The file of the batch with the same content.
    var twin: String?
  }

  /// Imports files and moves them away.
  ///
  /// - Throws: what the archive throws; in that case nothing in the batch was imported, or it is
  ///   recognised as known the next time.
  func take(_ files: [InboxJob.Sighting], _ account: inout InboxAccount) throws {
    var shelves: Set<String> = []
    defer { job.folder.synchronise(shelves) }
    var items: [InboxItem] = []
    let reader = InboxReader(
      folder: job.folder, stillness: job.stillness, work: work, home: job.home,
      now: archive.clock.now)
    for (name, stamp) in files {
      do {
        items.append(try reader.item(name, stamp))
      } catch let obstacle as InboxObstacle {
        leave(name.name, obstacle, &account)
      } catch let refusal as InboxRefusal {
        putAside(name, stamp, refusal.reason, &account, &shelves)
      }
    }
    let verdicts = try judge(items, &account)
    let outcome = try bringIn(verdicts.filter { $0.known == nil }.map(\.item))
    if let run = outcome.run { account.runs.append(run) }
    for verdict in verdicts {
      let item = verdict.item
      if let reason = outcome.refusals[verdict.twin ?? item.name.name] {
        putAside(item.name, item.stamp, reason, &account, &shelves)
      } else if item.kind == .beside, !hasPhoto(item, verdicts, outcome) {
        leave(item.name.name, InboxObstacle(reason: "its photo wasn’t imported"), &account)
      } else if putAway(item, &account, &shelves) {
        if let known = verdict.known ?? outcome.known[item.name.name] {
          account.known.append(.init(name: item.name.name, reason: known))
        } else {
          account.taken.append(item.name.name)
        }
      }
    }
  }

  // MARK: Checks

  /// Decides which files contain anything new.
  private func judge(_ items: [InboxItem], _ account: inout InboxAccount) throws -> [Verdict] {
    let acquaintances = try archive.acquaintances(with: items.map(\.source))
    let pictures = items.filter { $0.kind == .picture }
    var first: [Archive.Source: String] = [:]
    var verdicts: [Verdict] = []
    for item in items {
      if item.kind == .beside {
        guard pictures.contains(where: { item.isBeside($0) }) else {
          leave(
            item.name.name, InboxObstacle(reason: "waiting for the photo with the same name"),
            &account)
          continue
        }
        verdicts.append(Verdict(item: item))
        continue
      }
      var verdict = Verdict(item: item)
      switch acquaintances[item.source] {
      case .held: verdict.known = "its content is already in the archive"
      case .deleted:
        verdict.known =
          "its imported content was deleted here and stays deleted; it’s still in “arkived history”"
      case nil:
        if let other = first[item.source] {
          verdict.twin = other
          verdict.known = "it’s the same as \(other) and was imported only once"
        } else {
          first[item.source] = item.name.name
        }
      }
      verdicts.append(verdict)
    }
    return verdicts
  }

  // MARK: Importing

  private struct Outcome {
    var run: ImportRun?
    /// The reasons files were refused, by name.
    var refusals: [String: String] = [:]
    /// The files that turned out to contain nothing new.
    var known: [String: String] = [:]
  }

  private func bringIn(_ items: [InboxItem]) throws -> Outcome {
    var outcome = Outcome()
    let entries = InboxEntries(
      archive: archive, home: job.home, now: archive.clock.now, language: job.language)
    var records: [ImportedRecord] = []
    var days: Set<DayKey> = []
    // Recordings are stored before the import begins, which then keeps everything away itself.
    var kept = try archive.keepFiles()
    for item in items {
      do {
        records += try entries.records(of: item, after: &days)
      } catch let refusal as InboxRefusal {
        outcome.refusals[item.name.name] = refusal.reason
      }
    }
    let pictures = items.filter { $0.kind == .picture }
    let calendars = items.filter { $0.kind == .calendar }
    guard !records.isEmpty || !pictures.isEmpty || !calendars.isEmpty else { return outcome }
    let coming = items.filter { outcome.refusals[$0.name.name] == nil && $0.kind != .beside }
    let names = coming.count == 1 ? coming[0].name.name : "\(coming.count) files"
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    let reader = ReaderProcess(job.readers, in: scratch, isCancelled: job.isCancelled)
    defer { reader.end() }
    let run = try StagedImport(
      archive, action: "import", summary: "Imported \(names.prefix(120)) from the inbox",
      overridesOwner: false, watch: ImportWatch(waitsSeconds: 5),
      places: try archive.preferences().recordsPlace ? .keep : .names, cacheMegabytes: 32)
    kept?.release()
    kept = nil
    do {
      // Records already written are distinguished from those waiting for a picture to be read.
      let written = records
      if !written.isEmpty {
        try run.take { sink in for record in written { try sink.take(record) } }
      }
      try takePictures(pictures, run, scratch, reader, &outcome)
      try takeCalendars(calendars, run, scratch, reader, &outcome)
      let account = try run.publish(
        format: "inbox", source: coming.count == 1 ? coming[0].name.name : job.folder.url.path)
      outcome.run = account
      try check(coming, account, &outcome)
    } catch {
      run.discard()
      throw error
    }
    return outcome
  }

  private func context(_ files: [ImportFile], _ scratch: ScratchFolder) -> ImportContext {
    ImportContext(
      now: archive.clock.now, homeZone: job.home, identities: archive.identities,
      files: files, placeNames: job.placeNames, scratchFolder: { try scratch.make() })
  }

  private func takePictures(
    _ pictures: [InboxItem], _ run: StagedImport, _ scratch: ScratchFolder,
    _ reader: ReaderProcess, _ outcome: inout Outcome
  ) throws {
    let files = pictures.compactMap { item in
      item.copy.map { ImportFile(url: $0, name: item.name.name) }
    }
    guard let first = files.first else { return }
    let importer = reader.confined(PhotosImporter(reader: job.images, takesFileTimes: true))
    let context = self.context(files, scratch)
    do {
      try run.take { sink in try importer.read(first, context: context, into: sink) }
    } catch let refusal as ImportRefusal {
      // They are read together, so it is unknown which of them was the cause.
      for item in pictures { outcome.refusals[item.name.name] = refusal.message }
    }
  }

  private func takeCalendars(
    _ calendars: [InboxItem], _ run: StagedImport, _ scratch: ScratchFolder,
    _ reader: ReaderProcess, _ outcome: inout Outcome
  ) throws {
    let importer = reader.confined(ICalendarImporter())
    for item in calendars {
      guard let copy = item.copy else { continue }
      let file = ImportFile(url: copy, name: item.name.name)
      let context = self.context([file], scratch)
      do {
        try run.take { sink in try importer.read(file, context: context, into: sink) }
      } catch let refusal as ImportRefusal {
        outcome.refusals[item.name.name] = refusal.message
      }
    }
  }

  /// Verifies that everything was imported, so no file is moved away unless its content is in the
  /// archive.
  private func check(
    _ items: [InboxItem], _ account: ImportRun, _ outcome: inout Outcome
  ) throws {
    let certain = items.filter {
      $0.kind != .calendar && outcome.refusals[$0.name.name] == nil
    }
    let acquaintances = try archive.acquaintances(with: certain.map(\.source))
    for item in certain {
      let name = item.name.name
      switch acquaintances[item.source] {
      case .held: break
      case .deleted: outcome.known[name] = "its imported content was deleted here and stays deleted"
      case nil:
        let told = account.warnings.last { $0.place == name || $0.place.hasPrefix(name + " ") }
        outcome.refusals[name] = told?.message ?? "the archive didn’t accept it"
      }
    }
  }

  /// Returns true if one of the photos that a file describes is in the archive.
  private func hasPhoto(_ item: InboxItem, _ verdicts: [Verdict], _ outcome: Outcome) -> Bool {
    verdicts.contains { photo in
      photo.item.kind == .picture && item.isBeside(photo.item)
        && outcome.refusals[photo.twin ?? photo.item.name.name] == nil
    }
  }

  // MARK: Moving files away

  private func leave(_ name: String, _ obstacle: InboxObstacle, _ account: inout InboxAccount) {
    guard let reason = obstacle.reason else {
      account.waiting += 1
      return
    }
    account.left.append(.init(name: name, reason: reason))
  }

  /// Moves a file whose content is in the archive.
  ///
  /// If another file has taken its name in the meantime, that file is imported next.
  ///
  /// - Returns: false if it could not be moved, which is reported; it is recognised as known the
  ///   next time.
  private func putAway(
    _ item: InboxItem, _ account: inout InboxAccount, _ shelves: inout Set<String>
  ) -> Bool {
    do throws(InboxObstacle) {
      let place = try job.folder.place(for: item.name.name, on: InboxFolder.done)
      shelves.insert(InboxFolder.done)
      let isMoved = try job.folder.move(item.name.name, item.stamp, to: place)
      if !isMoved { account.waiting += 1 }
      return true
    } catch {
      leave(item.name.name, error, &account)
      return false
    }
  }

  /// The file name ending of the text file that contains the reason for a failure.
  private static let noteEnding = ".reason.txt"

  /// Moves a file to the failed files, with the reason in a file next to it.
  private func putAside(
    _ name: InboxName, _ stamp: InboxStamp, _ reason: String, _ account: inout InboxAccount,
    _ shelves: inout Set<String>
  ) {
    do throws(InboxObstacle) {
      let place = try job.folder.place(
        for: name.name, on: InboxFolder.failed, beside: Self.noteEnding)
      shelves.insert(InboxFolder.failed)
      let wall = job.home.wallTime(at: archive.clock.now)
      let text = ShownDates.speaking(job.language) {
        said(
          """
          \(name.name) wasn’t added: \(saidAgain(reason)).

          Checked on \(wall.day.shownPlainName) at \(wall.clockText). The file itself is unchanged. Once it’s
          fixed, move it back into the inbox. You can delete this text file.

          """)
      }
      let note = URL(fileURLWithPath: place + Self.noteEnding)
      try? DurableFile.write(Data(text.utf8), to: note)
      guard try job.folder.move(name.name, stamp, to: place) else {
        try? FileManager.default.removeItem(at: note)
        account.waiting += 1
        return
      }
      account.failed.append(.init(name: name.name, reason: reason))
    } catch {
      leave(name.name, error, &account)
    }
  }
}

extension InboxItem {
  /// Returns true if the file describes a photo: for `IMG_1.HEIC`, that is `IMG_1.xmp`,
  /// `IMG_1.HEIC.xmp` or `IMG_1.AAE`.
  fileprivate func isBeside(_ picture: InboxItem) -> Bool {
    let stem = name.stem.lowercased()
    return stem == picture.name.stem.lowercased() || stem == picture.name.name.lowercased()
  }
}

import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Days, people, tags, metrics, attachments and what is told of the past.
extension ImportWriter {
  func take(_ imported: DayEntry, _ record: ImportedRecord) throws {
    var entry = imported
    entry.people = try people(entry.people, record)
    entry.attachments = try entry.attachments.map { try stored($0, record) }
    try entry.validate()
    guard let old = try scope.dayEntry(on: entry.dayKey) else {
      if record.hasOwnIdentity, let moved = try scope.dayEntry(entry.id) {
        diagnose(
          Diagnostic(
            .skipped, place: record.place,
            message: "its id belongs to the day \(moved.dayKey) here"))
        return
      }
      guard try mayCreate(entry.id, entry.externalRefs + [entry.naturalReference]) else { return }
      try scope.insert(entry)
      return count("day")
    }
    guard ImportedContent.hash(entry) != ImportedContent.hash(old) else {
      account.unchanged += 1
      return
    }
    guard try isNewer(entry.updatedAt, than: old.updatedAt, .day, old.id, record) else {
      account.unchanged += 1
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message: "the day \(entry.dayKey) has a note here already; your version was kept"))
      return
    }
    entry.id = old.id
    entry.createdAt = old.createdAt
    if !record.hasOwnVersion { entry.updatedAt = later(than: old.updatedAt) }
    try scope.update(entry, reason: .import)
    account.updated += 1
  }

  func take(_ imported: Person, _ record: ImportedRecord) throws {
    try imported.validate()
    if record.hasOwnIdentity, let old = try scope.person(imported.id) {
      peopleByImportedID[imported.id] = old.id
      let isSame = ImportedContent.hash(imported) == ImportedContent.hash(old)
      guard
        try !isSame
          && isNewer(imported.updatedAt, than: old.updatedAt, .person, old.id, record)
      else {
        account.unchanged += 1
        return
      }
      try scope.update(imported, reason: .import)
      account.updated += 1
      return
    }
    let addresses = [imported.email].compactMap { $0 } + imported.furtherAddresses
    if let old = try scope.person(withAddress: addresses) {
      peopleByImportedID[imported.id] = old.id
      account.unchanged += 1
      return
    }
    // A name alone is enough only where the source gave no identity: two people may share one.
    if !record.hasOwnIdentity, addresses.isEmpty, let name = imported.name,
      let old = try scope.person(named: name)
    {
      peopleByImportedID[imported.id] = old.id
      account.unchanged += 1
      return
    }
    guard try mayCreate(imported.id, imported.externalRefs) else { return }
    try scope.insert(imported)
    peopleByImportedID[imported.id] = imported.id
    count("person")
  }

  func take(_ tag: Tag, _ record: ImportedRecord) throws {
    guard try scope.tag(named: tag.name) == nil else {
      account.unchanged += 1
      return
    }
    guard try mayCreate(tag.id, []) else { return }
    try scope.insert(tag)
    count("tag")
  }

  func take(_ metric: DayMetric, _ record: ImportedRecord) throws {
    try metric.validate()
    guard let old = try scope.metric(like: metric) else {
      guard try mayCreate(metric.id, [metric.naturalReference]) else { return }
      try scope.insert(metric)
      return count("metric")
    }
    let isSame =
      old.value == metric.value && old.unit == metric.unit && old.minimum == metric.minimum
      && old.maximum == metric.maximum
    guard
      try !isSame && isNewer(metric.updatedAt, than: old.updatedAt, .metric, old.id, record)
    else {
      account.unchanged += 1
      return
    }
    var new = metric
    new.id = old.id
    new.createdAt = old.createdAt
    try scope.update(new, reason: .import)
    account.updated += 1
  }

  func take(
    _ imported: Attachment, _ owner: AttachmentOwner, _ file: URL?, _ record: ImportedRecord
  ) throws {
    var attachment = imported
    if let file { attachment = try content(of: attachment, at: file) }
    try attachment.validate()
    switch owner {
    case .activity(let id):
      guard var activity = try scope.activity(id) else {
        throw FieldError("activityId", "\(id.uuidString) is not in the archive")
      }
      guard !activity.attachments.contains(where: { $0.id == attachment.id }) else {
        account.unchanged += 1
        return
      }
      activity.attachments.append(attachment)
      try scope.update(activity, reason: .import)
    case .day(let dayKey):
      guard var entry = try scope.dayEntry(on: dayKey) else {
        throw FieldError("dayKey", "\(dayKey) has no entry in the archive")
      }
      guard !entry.attachments.contains(where: { $0.id == attachment.id }) else {
        account.unchanged += 1
        return
      }
      entry.attachments.append(attachment)
      try scope.update(entry, reason: .import)
    }
    count("attachment")
  }

  func take(_ version: HistoryRecord) throws {
    guard try !scope.hasHistory(version.id) else {
      account.unchanged += 1
      return
    }
    try scope.adopt(version)
    count("history")
  }

  /// A mark is taken over where nothing stands here that it would contradict.
  func take(_ mark: Tombstone) throws {
    guard try scope.adopt(mark) else {
      account.unchanged += 1
      return
    }
    count("tombstone")
  }
}

import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Import of days, people, tags, metrics, attachments and records of the past.
extension ImportWriter {
  func take(_ imported: DayEntry, _ record: ImportedRecord) throws {
    var entry = imported
    entry.people = try people(entry.people, record)
    entry.attachments = try entry.attachments.map { try stored($0, record) }
    try entry.validate()
    if case .own = try scope.standing(ofDay: entry.dayKey) { return isSecond(entry, record) }
    guard let old = try scope.dayEntry(on: entry.dayKey) else {
      if record.hasOwnIdentity {
        switch try scope.standing(of: .day, entry.id) {
        case .own, .shown:
          diagnose(
            Diagnostic(
              .skipped, place: record.place, message: "its ID belongs to another day here"))
          return
        case .hidden: try scope.makeWay(for: .day, entry.id)
        case .absent: break
        }
      }
      guard
        try mayCreate(
          entry.id, entry.externalRefs + [entry.naturalReference], .day(entry), record)
      else { return }
      return try create("day") { try scope.insert(entry) }
    }
    guard !tellsFeelingsAlone(entry, record) else { return try fill(old, from: imported, record) }
    // Of two pages for a day, the first counts, as it does for a new day. Otherwise each import
    // would switch to the other one.
    guard state.isFirst(["day\u{0}\(entry.dayKey)"]) else { return isSecond(entry, record) }
    if !overridesOwner, isOfAnotherSource(entry, than: old) {
      return leave(
        record, "the day \(entry.dayKey) already has a note from another source, which was kept")
    }
    if !record.hasOwnIdentity, !record.hasOwnVersion, !entry.externalRefs.isEmpty {
      // Values from another source that this one doesn't have.
      entry.mood = entry.mood ?? old.mood
      entry.energy = entry.energy ?? old.energy
      entry.weather = entry.weather ?? old.weather
    }
    guard ImportedContent.hash(entry) != ImportedContent.hash(old) else { return leave(record) }
    guard try isNewer(entry.updatedAt, than: old.updatedAt, .day, old.id, record) else {
      return leave(
        record, "the day \(entry.dayKey) already has a note; your version was kept")
    }
    let imported = entry
    entry.id = old.id
    entry.createdAt = old.createdAt
    if !record.hasOwnVersion { entry.updatedAt = later(than: old.updatedAt) }
    try update(.day(imported), record) { try scope.update(entry, reason: .import) }
  }

  private func isSecond(_ entry: DayEntry, _ record: ImportedRecord) {
    diagnose(
      Diagnostic(
        .skipped, place: record.place,
        message: "an earlier entry for the day \(entry.dayKey) was kept; this one was skipped"))
  }

  /// Returns true if a source without versions provides only a day's mood and weather.
  private func tellsFeelingsAlone(_ entry: DayEntry, _ record: ImportedRecord) -> Bool {
    !record.hasOwnIdentity && !record.hasOwnVersion
      && (entry.mood != nil || entry.energy != nil || entry.weather != nil)
      && entry.title == nil && entry.note.isEmpty && entry.people.isEmpty
      && entry.attachments.isEmpty && entry.externalRefs.isEmpty
  }

  /// Returns true if the notes of a day come from two programs, or from two vaults of one program;
  /// neither may overwrite the other.
  private func isOfAnotherSource(_ entry: DayEntry, than old: DayEntry) -> Bool {
    let (own, others) = (entry.externalRefs, old.externalRefs)
    guard !old.note.isEmpty, !own.isEmpty, !others.isEmpty else { return false }
    if Set(own.map(\.provider)).isDisjoint(with: others.map(\.provider)) { return true }
    let vaults = (Set(own.compactMap(Self.vault)), Set(others.compactMap(Self.vault)))
    guard !vaults.0.isEmpty, !vaults.1.isEmpty, vaults.0.isDisjoint(with: vaults.1) else {
      return false
    }
    // A vault that was renamed, or packed under another name, still has all of its lines.
    let lines = Set(entry.note.split(whereSeparator: \.isNewline))
    return !old.note.split(whereSeparator: \.isNewline).allSatisfy { lines.contains($0) }
  }

  /// Returns the vault of a day's page: `day/2026-03-10/VAULT`; nil if it is not given.
  private static func vault(_ ref: ExternalRef) -> String? {
    let parts = ref.externalID.split(separator: "/")
    return parts.count == 3 && parts[0] == "day" ? "\(ref.provider)/\(parts[2])" : nil
  }

  /// Adds the mood, energy and weather that a day lacks; existing values stay, and those that the
  /// owner cleared stay away.
  private func fill(_ old: DayEntry, from imported: DayEntry, _ record: ImportedRecord) throws {
    let cleared: Set<String> =
      overridesOwner
      ? []
      : try authorship(of: .day, old.id, old.json).removedByHand { version in
        Set(["mood", "energy", "weather"].filter { ![nil, JSON.null].contains(version[$0]) })
      }
    var day = old
    if !cleared.contains("mood") { day.mood = old.mood ?? imported.mood }
    if !cleared.contains("energy") { day.energy = old.energy ?? imported.energy }
    if !cleared.contains("weather") { day.weather = old.weather ?? imported.weather }
    guard day != old else { return leave(record) }
    day.updatedAt = later(than: old.updatedAt)
    try update(.day(imported), record) {
      try adding(to: .day, old.id) { try scope.update(day, reason: .import) }
    }
  }

  func take(_ told: Person, _ record: ImportedRecord) throws {
    var imported = told
    imported.removeBlankNames()
    try imported.validate()
    if record.hasOwnIdentity {
      switch try scope.standing(of: .person, imported.id) {
      case .own:
        state.peopleByImportedID[imported.id] = imported.id
        return leave(record)
      // A hidden one is updated too, so entries stay linked to it.
      case .hidden, .shown, .absent: break
      }
    }
    if record.hasOwnIdentity, let old = try scope.person(imported.id) {
      state.peopleByImportedID[imported.id] = old.id
      let isSame = ImportedContent.hash(imported) == ImportedContent.hash(old)
      guard
        try !isSame
          && isNewer(imported.updatedAt, than: old.updatedAt, .person, old.id, record)
      else { return leave(record) }
      try update(.person(imported), record) { try scope.update(imported, reason: .import) }
      return
    }
    guard imported.externalRefs.isEmpty || record.hasOwnIdentity else {
      return try takeReferenced(imported, record)
    }
    let addresses = imported.addresses
    if let old = try scope.personID(withAddress: addresses) {
      state.peopleByImportedID[imported.id] = old
      return leave(record)
    }
    // A name alone is enough only if the source gave no ID, because two people may share one.
    if !record.hasOwnIdentity, addresses.isEmpty, let name = imported.name {
      if let old = try scope.person(named: name) {
        state.peopleByImportedID[imported.id] = old.id
        return leave(record)
      }
      // It isn't known which of them is meant, and every import would add another one.
      guard try !scope.isNameOfSeveral(name) else { return leave(record) }
    }
    // The source has no ID for them, so whoever the owner deleted is known only by the address.
    if !record.hasOwnIdentity, !overridesOwner,
      try scope.isBuriedPerson(withAddress: addresses)
    {
      return leave(record)
    }
    state.peopleByImportedID[imported.id] = imported.id
    guard try mayCreate(imported.id, imported.externalRefs, .person(imported), record) else {
      return
    }
    try create("person") { try scope.insert(imported) }
  }

  func take(_ tag: Tag, _ record: ImportedRecord) throws {
    guard try !scope.hasTag(named: tag.name) else { return leave(record) }
    switch try scope.standing(of: .tag, tag.id) {
    case .own, .shown: throw FieldError("id", "already belongs to another tag")
    case .hidden: try scope.makeWay(for: tag)
    case .absent: break
    }
    guard try mayCreate(tag.id, [], .tag(tag), record) else { return }
    try create("tag") { try scope.insert(tag) }
  }

  func take(_ metric: DayMetric, _ record: ImportedRecord) throws {
    try metric.validate()
    let known = try scope.metric(like: metric)
    switch known?.standing {
    case .own:
      if let own = known?.metric, GatheredDay.isTotal(metric) {
        // Another export of this run has more of the day, or less.
        guard isStaging, GatheredDay.united(metric, with: own).value != own.value else {
          return leave(record)
        }
        return try putOff(.metric(metric), record)
      }
      diagnose(
        Diagnostic(
          .skipped, place: record.place,
          message:
            "an earlier value for the same metric in this import was kept; this one was skipped"))
      return
    case .hidden: if let hidden = known { try scope.makeWay(for: .metric, hidden.metric.id) }
    case .shown, .absent, nil: break
    }
    guard let old = known?.metric, known?.standing == .shown else {
      guard try mayCreate(metric.id, [metric.naturalReference], .metric(metric), record) else {
        return
      }
      return try create("metric") { try scope.insert(metric) }
    }
    // A total from the course of a day is smaller than one from its end.
    if record.coveredUntil != nil, !overridesOwner, metric.unit == old.unit,
      metric.value < old.value
    {
      return leave(record)
    }
    var new = overridesOwner ? metric : GatheredDay.united(metric, with: old)
    let isSame =
      old.value == new.value && old.unit == new.unit && old.minimum == new.minimum
      && old.maximum == new.maximum
    guard
      try !isSame && isNewer(metric.updatedAt, than: old.updatedAt, .metric, old.id, record)
    else {
      if isSame { tellParts(metric, old, record) }
      return leave(record)
    }
    new.id = old.id
    new.createdAt = old.createdAt
    if !isStaging { tellParts(metric, old, record) }
    try update(.metric(metric), record) { try scope.update(new, reason: .import) }
  }

  /// Reports that two exports have different sums of a day, of which each may be only a part.
  private func tellParts(_ metric: DayMetric, _ old: DayMetric, _ record: ImportedRecord) {
    guard !overridesOwner, GatheredDay.isSum(metric), metric.unit == old.unit,
      metric.value != old.value
    else { return }
    let numbers = [old.value, metric.value].map { AmountText.plain($0) }
    diagnose(
      Diagnostic(
        .note, place: record.place,
        message:
          "\(metric.metric) on \(metric.dayKey): \(numbers[0]) before and \(numbers[1]) in this export, and "
          + "the larger number was kept. If each covers only part of the day, import both exports together",
        mayPass: true))
  }

  func take(
    _ imported: Attachment, _ owner: AttachmentOwner, _ file: URL?, _ record: ImportedRecord
  ) throws {
    var attachment = imported
    guard state.places.choice == .keep || !PlaceReduction.isWay(attachment) else {
      return leave(record)
    }
    if let file {
      let isTold = try scope.hasAttachment(attachment.id)
      attachment = try stored(attachment, at: file, record, isTold: isTold)
    }
    try attachment.validate()
    guard !isStaging else {
      guard try !scope.hasAttachment(attachment.id) else { return leave(record) }
      return try putOff(.attachment(attachment, owner: owner, file: nil), record)
    }
    switch owner {
    case .activity(let id):
      guard var activity = try scope.activity(id) else {
        throw FieldError("activityId", "\(id.uuidString) isn’t in the archive")
      }
      guard !activity.attachments.contains(where: { $0.id == attachment.id }) else {
        return leave(record)
      }
      guard try mayAttach(attachment, to: .activity, id, activity.json) else {
        return leave(record)
      }
      activity.attachments.append(attachment)
      try create("attachment") {
        try adding(to: .activity, id) { try scope.update(activity, reason: .import) }
      }
    case .day(let dayKey):
      guard var entry = try scope.dayEntry(on: dayKey) else {
        throw FieldError("dayKey", "\(dayKey) has no entry in the archive")
      }
      guard !entry.attachments.contains(where: { $0.id == attachment.id }) else {
        return leave(record)
      }
      guard try mayAttach(attachment, to: .day, entry.id, entry.json) else {
        return leave(record)
      }
      entry.attachments.append(attachment)
      try create("attachment") {
        try adding(to: .day, entry.id) { try scope.update(entry, reason: .import) }
      }
    case .note(let id):
      guard var note = try scope.entity(.note, id) as? Note else {
        throw FieldError("noteId", "\(id.uuidString) isn’t in the archive")
      }
      guard !note.attachments.contains(where: { $0.id == attachment.id }) else {
        return leave(record)
      }
      guard try mayAttach(attachment, to: .note, id, note.json) else { return leave(record) }
      note.attachments.append(attachment)
      try create("attachment") {
        try adding(to: .note, id) { try scope.update(note, reason: .import) }
      }
    }
  }

  /// Returns false if the owner removed the attachment from an entity, unless restoring it was
  /// requested.
  private func mayAttach(
    _ attachment: Attachment, to type: EntityType, _ id: UUID, _ current: JSON
  ) throws -> Bool {
    guard !overridesOwner else { return true }
    let removed = try authorship(of: type, id, current).removedByHand { version in
      Set(
        (version["attachments"]?.array ?? []).flatMap { one in
          [one["id"]?.string, one["contentHash"]?.string].compactMap(\.self)
        })
    }
    return removed.isDisjoint(
      with: [attachment.id.uuidString, attachment.contentHash].compactMap(\.self))
  }

  /// Adds something to an entity.
  ///
  /// Text that the owner edited is still marked as edited, so the next import leaves it alone.
  func adding(to type: EntityType, _ id: UUID, _ write: () throws -> Void) throws {
    let isOwners = try scope.isOwners(type, id)
    try write()
    if isOwners { try scope.markOwn(type, id) }
  }

  func take(_ imported: HistoryRecord, _ record: ImportedRecord) throws {
    guard try !scope.isPurged(imported) else { return leave(record) }
    var version = imported
    state.places.reduce(&version)
    // They may have been missing when the version was imported before.
    try storeFiles(of: &version, record)
    guard try !scope.hasHistory(imported.id) else { return leave(record) }
    guard !isStaging else { return try putOff(.history(version), record) }
    try create("history") { try scope.adopt(version) }
  }

  /// Applies a deletion mark if nothing here contradicts it.
  func take(_ mark: Tombstone, _ record: ImportedRecord) throws {
    guard !isStaging else { return try putOff(.tombstone(mark), record) }
    guard try scope.adopt(mark) else { return leave(record) }
    state.account.created["tombstone", default: 0] += 1
  }
}

package import ArkivedCore

/// The merged state of an entity: every field with the stamp of its last write.
///
/// States form a lattice: `merge` takes the later value of each field. Devices that have merged the
/// same states therefore have the same result, regardless of the order and number of times those
/// states arrived. A change is a state with only the changed fields.
package struct ReplicaState: Hashable, Sendable {
  package struct Register: Hashable, Sendable {
    package var value: JSON
    package var stamp: ReplicaStamp

    package init(value: JSON, stamp: ReplicaStamp) {
      self.value = value
      self.stamp = stamp
    }

    /// Returns the later of two values; if both have the same stamp, which happens only if a device
    /// was copied, the one with the larger text.
    func later(_ other: Register) -> Register {
      if stamp != other.stamp { return stamp < other.stamp ? other : self }
      return value.text() < other.value.text() ? other : self
    }
  }

  /// A version of a long text, with the versions it was made from.
  package struct TextVersion: Hashable, Sendable {
    package var stamp: ReplicaStamp
    package var parents: [ReplicaStamp]
    package var text: String?
    /// The removed versions that this one was based on, given as the time of each device's last
    /// one.
    var covers: [String: Int64] = [:]
  }

  package var registers: [String: Register] = [:]
  /// The versions of long texts by their stamps; only those on which no other version is based
  /// count.
  package var texts: [String: [ReplicaStamp: TextVersion]] = [:]
  /// The stamps of the last change to anything and of the last deletion; the later of the two
  /// decides whether the entity exists.
  package var touched: ReplicaStamp?
  package var dead: ReplicaStamp?
  /// True if the owner deleted it on purpose, so imports leave it deleted.
  package var isUnwanted = false
  package var isPurged = false
  /// The ID under which the entity is stored, if it arrived under two IDs.
  package var alias: String?

  package init() {}

  /// True if the archive shows it.
  package var isAlive: Bool {
    guard !isPurged, alias == nil, let touched else { return false }
    return dead.map { $0 < touched } ?? true
  }

  /// The latest stamp in it.
  package var latest: ReplicaStamp? { [touched, dead].compactMap(\.self).max() }

  /// Takes the later of everything.
  package mutating func merge(_ other: ReplicaState) {
    // The smaller ID is kept; the caller has to redirect the larger of two aliases to it.
    if let other = other.alias { alias = min(alias ?? other, other) }
    isPurged = isPurged || other.isPurged
    guard !isPurged else {
      forget()
      return
    }
    for (name, register) in other.registers {
      registers[name] = registers[name].map { Self.settled($0, register, of: name) } ?? register
    }
    for (name, versions) in other.texts {
      texts[name, default: [:]].merge(versions) { $0.merged($1) }
      dropCovered(name)
    }
    touched = [touched, other.touched].compactMap(\.self).max()
    if let later = other.dead, dead.map({ $0 <= later }) ?? true {
      isUnwanted = dead == later ? isUnwanted || other.isUnwanted : other.isUnwanted
      dead = later
    }
  }

  /// Returns the value that counts: the later one, except that a device stays revoked, and at the
  /// earliest place that was said, so that nothing it writes takes that back.
  private static func settled(_ one: Register, _ other: Register, of name: String) -> Register {
    switch (name, one.value, other.value) {
    case ("revoked", .bool(let first), .bool(let second)) where first != second:
      first ? one : other
    case ("revokedAt", .integer(let first), .integer(let second)) where first != second:
      first < second ? one : other
    default: one.later(other)
    }
  }

  /// True if a text has versions that another one was made from.
  var hasOldTexts: Bool { texts.values.contains { $0.count > 1 } }

  /// Removes versions of long texts from which no device can still create a new one.
  ///
  /// - Parameter isStable: returns true if all devices have read a version.
  /// - Returns: false if there were none.
  mutating func trimTexts(_ isStable: (ReplicaStamp) -> Bool) -> Bool {
    var isTrimmed = false
    for (name, versions) in texts where versions.count > 1 {
      let heads = TextVersions(versions).heads
      guard heads.count == 1, let head = heads.first, isStable(head) else { continue }
      var covers = versions[head]?.covers ?? [:]
      for version in versions.values where version.stamp != head {
        let older = version.covers.merging(
          [version.stamp.device: version.stamp.time], uniquingKeysWith: max)
        covers.merge(older, uniquingKeysWith: max)
      }
      texts[name]?[head]?.covers = covers
      dropCovered(name)
      isTrimmed = true
    }
    return isTrimmed
  }

  /// Removes versions that a later one covers: a device's own versions of a text follow each other.
  private mutating func dropCovered(_ name: String) {
    guard let versions = texts[name], versions.values.contains(where: { !$0.covers.isEmpty }) else {
      return
    }
    texts[name] = versions.filter { stamp, _ in
      !versions.values.contains { other in
        other.stamp != stamp && stamp.time <= other.covers[stamp.device] ?? .min
      }
    }
  }

  /// Splits it into states that together merge into it, each with a limited number of bytes of text.
  ///
  /// Later versions of a text come first, so a version and the one made from it never look like two
  /// independent ones.
  package func split(into size: Int) -> [ReplicaState] {
    var parts: [ReplicaState] = []
    var part = self
    part.texts = [:]
    var bytes = 0
    for (name, versions) in texts.sorted(by: { $0.key < $1.key }) {
      for version in versions.values.sorted(by: { $1.stamp < $0.stamp }) {
        let count = version.text?.utf8.count ?? 0
        if bytes > 0, bytes + count > size {
          parts.append(part)
          part = ReplicaState()
          bytes = 0
        }
        part.texts[name, default: [:]][version.stamp] = version
        bytes += count
      }
    }
    return parts + [part]
  }

  /// Removes the content of something that was deleted.
  ///
  /// - Parameter isKept: returns true for the fields that stay.
  /// - Returns: false if there was nothing to remove.
  mutating func forgetContent(keeping isKept: (String) -> Bool) -> Bool {
    let kept = registers.filter { isKept($0.key) }
    guard kept.count < registers.count || !texts.isEmpty else { return false }
    registers = kept
    texts = [:]
    return true
  }

  /// Removes everything but the fact that it existed.
  mutating func forget() {
    registers = [:]
    texts = [:]
    touched = nil
    dead = nil
    isUnwanted = false
  }

  /// Returns the value of a long text; if it has several versions that were written independently,
  /// the result of merging them.
  package func text(_ name: String) -> String? {
    TextVersions(texts[name] ?? [:]).merged.text
  }

  /// All fields except absent ones.
  package var values: [String: JSON] {
    var values: [String: JSON] = [:]
    for (name, register) in registers where register.value != .null {
      values[name] = register.value
    }
    for name in texts.keys { if let text = text(name) { values[name] = .string(text) } }
    return values
  }
}

extension ReplicaState.TextVersion {
  /// Merges two versions with the same stamp, which have the same content unless a device was
  /// copied.
  func merged(_ other: Self) -> Self {
    var version = self
    version.parents = Set(parents + other.parents).sorted()
    version.text = [text, other.text].compactMap(\.self).max()
    version.covers.merge(other.covers, uniquingKeysWith: max)
    return version
  }
}

// MARK: As JSON

extension ReplicaState {
  package var json: JSON {
    var object = JSONObject()
    if !registers.isEmpty {
      var fields = JSONObject()
      for (name, register) in registers.sorted(by: { $0.key < $1.key }) {
        // The stamp of the last change is written only once.
        let stamp = register.stamp == touched ? [] : register.stamp.json.array ?? []
        fields.append(uncheckedKey: name, .array([register.value] + stamp))
      }
      object.append(uncheckedKey: "fields", .object(fields))
    }
    if !texts.isEmpty {
      var fields = JSONObject()
      for (name, versions) in texts.sorted(by: { $0.key < $1.key }) {
        let list = versions.values.sorted { $0.stamp < $1.stamp }.map { version -> JSON in
          let parts: [JSON] = [
            version.stamp.json, .array(version.parents.map(\.json)), JSON(version.text),
          ]
          var covers = JSONObject()
          for (device, time) in version.covers.sorted(by: { $0.key < $1.key }) {
            covers.append(uncheckedKey: device, .integer(time))
          }
          return .array(covers.isEmpty ? parts : parts + [.object(covers)])
        }
        fields.append(uncheckedKey: name, .array(list))
      }
      object.append(uncheckedKey: "texts", .object(fields))
    }
    if let touched { object.append(uncheckedKey: "touched", touched.json) }
    if let dead { object.append(uncheckedKey: "deleted", dead.json) }
    if isUnwanted { object.append(uncheckedKey: "unwanted", true) }
    if isPurged { object.append(uncheckedKey: "purged", true) }
    if let alias { object.append(uncheckedKey: "same", .string(alias)) }
    return .object(object)
  }

  /// - Throws: `FieldError` if the JSON is not a valid state.
  package init(_ json: JSON) throws(FieldError) {
    self.init()
    guard let object = json.object else { throw FieldError("change", "must be an object") }
    touched = ReplicaStamp(object["touched"])
    for (name, value) in object["fields"]?.object?.members ?? [] {
      guard let parts = value.array, !parts.isEmpty,
        let stamp = parts.count == 1 ? touched : ReplicaStamp(.array(Array(parts[1...])))
      else { throw FieldError("fields.\(name.prefix(40))", "isn’t a value with its stamp") }
      registers[name] = Register(value: parts[0], stamp: stamp)
    }
    for (name, value) in object["texts"]?.object?.members ?? [] {
      for version in value.array ?? [] {
        guard let parts = version.array, (3...4).contains(parts.count),
          let stamp = ReplicaStamp(parts[0])
        else { throw FieldError("texts.\(name.prefix(40))", "isn’t a version with its stamp") }
        let parents = (parts[1].array ?? []).compactMap { ReplicaStamp($0) }
        texts[name, default: [:]][stamp] = TextVersion(
          stamp: stamp, parents: parents, text: parts[2].string,
          covers: Self.covers(parts.count > 3 ? parts[3] : .null))
      }
    }
    dead = ReplicaStamp(object["deleted"])
    isUnwanted = object["unwanted"]?.bool ?? false
    isPurged = object["purged"]?.bool ?? false
    alias = object["same"]?.string
  }

  private static func covers(_ json: JSON) -> [String: Int64] {
    var covers: [String: Int64] = [:]
    for (device, time) in json.object?.members ?? [] {
      if case .integer(let time) = time { covers[device] = time }
    }
    return covers
  }
}

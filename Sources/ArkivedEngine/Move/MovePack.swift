package import ArkivedCore
package import ArkivedStore
package import Foundation

/// The file `move.json`: the data moved to another computer besides the entries, the files and the
/// preferences.
package struct MovePack: Sendable {
  /// The version of the format that is written.
  package static let version = 1

  package var packedAt: Instant
  package var program: String
  /// The name of the old computer, and the archive's location there.
  package var host: String
  package var folder: String
  /// The places that `sync` follows, with their IDs, which meetings refer to.
  package var links: [SyncLink]
  /// The calendars' credentials, by link; empty if the owner chose not to include them.
  package var secrets: [UUID: JSON]
  package var bringsSecrets: Bool
  /// Settings by name.
  package var settings: JSON
  /// The chosen models, by file name; keys are included only with the secrets.
  package var models: [String: JSON]
  /// The folder and recipients of the backups that `serve` makes.
  package var plan: JSON?
  /// Unfinished texts, by file name.
  package var drafts: [String: String]

  private static let type = "arkived-move"

  package var json: JSON {
    var object: JSONObject = [
      "type": .string(Self.type), "version": JSON(Self.version), "packedAt": JSON(packedAt),
      "program": .string(program),
      "from": ["host": .string(host), "folder": .string(folder)],
      "links": .array(links.map(\.json)), "bringsSecrets": .bool(bringsSecrets),
      "settings": settings, "models": Self.object(models),
      "drafts": Self.object(drafts.mapValues(JSON.string)),
    ]
    if let plan { object["plan"] = plan }
    if bringsSecrets {
      object["secrets"] = Self.object(
        Dictionary(uniqueKeysWithValues: secrets.map { ($0.key.uuidString, $0.value) }))
    }
    return .object(object)
  }

  private static func object(_ values: [String: JSON]) -> JSON {
    var object = JSONObject()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { object[key] = value }
    return .object(object)
  }

  /// Parses a pack.
  ///
  /// - Throws: `FieldError`; `ArchiveError.refused` if a newer Arkived wrote it.
  init(_ json: JSON) throws {
    guard json["type"]?.string == Self.type, let version = json["version"]?.int,
      let packedAt = json["packedAt"]?.string.flatMap({ Instant($0) })
    else { throw FieldError("move.json", "wasn’t written by arkived move pack") }
    guard version <= Self.version else {
      throw ArchiveError.refused(
        "The file has version \(version) of the arkived move pack format, but this version "
          + "of Arkived only reads up to \(Self.version). Update Arkived here. Nothing was changed."
      )
    }
    self.packedAt = packedAt
    program = json["program"]?.string ?? ""
    host = json["from"]?["host"]?.string ?? ""
    folder = json["from"]?["folder"]?.string ?? ""
    links = (json["links"]?.array ?? []).compactMap(Self.link)
    bringsSecrets = json["bringsSecrets"]?.bool ?? false
    secrets = [:]
    for (key, value) in json["secrets"]?.object?.members ?? [] {
      if let id = UUID(uuidString: key) { secrets[id] = value }
    }
    settings = json["settings"] ?? .object([:])
    models = [:]
    for (name, value) in json["models"]?.object?.members ?? [] { models[name] = value }
    plan = json["plan"]
    drafts = [:]
    for (name, value) in json["drafts"]?.object?.members ?? [] { drafts[name] = value.string }
  }

  init(
    packedAt: Instant, program: String, host: String, folder: String, links: [SyncLink],
    secrets: [UUID: JSON], bringsSecrets: Bool, settings: JSON, models: [String: JSON],
    plan: JSON?, drafts: [String: String]
  ) {
    self.packedAt = packedAt
    self.program = program
    self.host = host
    self.folder = folder
    self.links = links
    self.secrets = secrets
    self.bringsSecrets = bringsSecrets
    self.settings = settings
    self.models = models
    self.plan = plan
    self.drafts = drafts
  }

  private static func link(_ json: JSON) -> SyncLink? {
    guard let id = json["id"]?.string.flatMap({ UUID(uuidString: $0) }),
      let kind = json["kind"]?.string, let address = json["address"]?.string, !address.isEmpty,
      !kind.isEmpty
    else { return nil }
    return SyncLink(
      id: id, kind: SyncLink.Kind(rawValue: kind), address: address,
      options: json["options"] ?? [:],
      createdAt: json["createdAt"]?.string.flatMap { Instant($0) } ?? .earliest)
  }
}

/// The files of an archive's folder that are moved.
enum MoveFiles {
  /// The files with the choice of models; their credentials are secrets.
  static let models = ["embeddings.json", "assistant.json", "voice.json"]
  private static let secretKeys = ["token", "key"]
  private static let largestDraft = 4 << 20

  /// Returns the content of a file with the choice of a model.
  static func model(_ name: String, in home: URL, withSecrets: Bool) -> JSON? {
    let file = home.appendingPathComponent(name)
    guard let data = try? Data(contentsOf: file), var object = try? JSON(parsing: data).object
    else { return nil }
    if !withSecrets { for key in secretKeys { object[key] = nil } }
    return .object(object)
  }

  /// Returns unfinished texts, and the paths of those that cannot be moved; an editor's own files
  /// are in neither list.
  static func drafts(in home: URL) -> (texts: [String: String], left: [String]) {
    let folder = DraftFiles(.folder(home)).folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var texts: [String: String] = [:]
    var left: [String] = []
    for name in names.sorted() where isDraft(name) {
      let file = folder.appendingPathComponent(name)
      let found = try? FileManager.default.attributesOfItem(atPath: file.path)
      guard found?[.type] as? FileAttributeType == .typeRegular,
        (found?[.size] as? NSNumber)?.intValue ?? 0 <= largestDraft,
        let data = try? Data(contentsOf: file), let text = String(validating: data, as: UTF8.self)
      else {
        left.append(file.path)
        continue
      }
      texts[name] = text
    }
    return (texts, left)
  }

  /// Returns true if a name stays within the folder.
  static func isDraft(_ name: String) -> Bool {
    name.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.(md|json)/#) != nil
  }
}

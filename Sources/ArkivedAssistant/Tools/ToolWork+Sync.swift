import ArkivedCore
import ArkivedStore

extension ToolTable {
  static let syncing: [Tool] = [
    Tool(
      name: "getSyncStatus", title: "Sync status",
      summary:
        "Returns whether this archive syncs with the owner’s other devices, when each was last "
        + "seen, what is waiting, why changes don’t get through, and recently resolved conflicts.",
      outputs: [
        Tool.Output("isOn", "boolean", "If it syncs with other devices."),
        Tool.Output("devices", "array", "The devices, with what they haven’t received yet."),
        Tool.Output("troubles", "array", "What keeps changes from getting through."),
        Tool.Output("conflicts", "array", "Versions that were replaced by a later one."),
        Tool.Output(
          "unsent", "integer", "Changes here that aren’t in the folder yet.", isCertain: false),
        Tool.Output("missingFiles", "integer", "Files not here yet.", isCertain: false),
        Tool.Output(
          "refused", "array", "What is different here because changes don’t fit together.",
          isCertain: false),
        Tool.Output("lastExchange", "string", "When it last synced.", isCertain: false),
      ], run: { try $0.syncStatus() })
  ]
}

extension ToolWork {
  /// Returns the state after the last sync, without the folder and its path.
  func syncStatus() throws -> JSON {
    var result = JSONObject()
    let status = try archive.replicaNote("status")
    result["isOn"] = .bool(status != nil)
    for key in ["devices", "troubles", "conflicts"] { result[key] = status?[key] ?? .array([]) }
    guard let status else { return .object(result) }
    result["unsent"] = JSON(try archive.unsentReplicaCount())
    result["missingFiles"] = status["missingFiles"] ?? 0
    result["refused"] = .array(try archive.replicaRefusals().map(\.json))
    if let last = status["lastExchange"], last != .null { result["lastExchange"] = last }
    return .object(result)
  }
}

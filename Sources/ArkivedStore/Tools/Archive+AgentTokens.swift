package import ArkivedCore
import ArkivedCrypto
import Foundation
import GRDB

/// The programs to which the owner has granted access.
extension Archive {
  /// Grants a program access.
  ///
  /// - Parameters:
  ///   - given: the program's name.
  ///   - addsOnly: true if it may only add entries. Its token shows this by its prefix, which is
  ///     hashed with it, so that losing a setting can never grant it more.
  /// - Returns: the stored record, and its token, which is returned only once.
  /// - Throws: `FieldError` for a name that is invalid or belongs to another program.
  package func addAgent(
    named given: String, addsOnly: Bool = false
  ) throws -> (agent: AgentToken, token: String) {
    let name = given.trimmingCharacters(in: .whitespaces)
    try AgentToken.validate(name: name)
    let agent = AgentToken(
      id: identities.next(), name: name, createdAt: clock.now, addsOnly: addsOnly)
    let token = (addsOnly ? Self.addingPrefix : "agent-") + Secrets.random(32).hexadecimal
    try transact { db in
      let names = try String.fetchAll(db, sql: "SELECT name FROM agent_tokens")
      guard !names.contains(where: { NameFolding.key($0) == NameFolding.key(name) }) else {
        throw FieldError(
          "name", "is \(FieldError.shown(name)), but a program with that name already has access")
      }
      try db.execute(
        sql: "INSERT INTO agent_tokens (id, name, token_hash, created_at) VALUES (?, ?, ?, ?)",
        arguments: [
          agent.id.uuidString, name, Self.agentHash(token), agent.createdAt.milliseconds,
        ])
      if addsOnly {
        let kept = try Self.addingAgents(db).union([agent.id.uuidString])
        try Self.keep(addingAgents: kept, at: clock.now, db)
      }
    }
    return (agent, token)
  }

  /// Returns all programs with access, in the order of their names.
  package func agents() throws -> [AgentToken] {
    try read { db in
      let adding = try Self.addingAgents(db)
      return try Row.fetchAll(db, sql: "SELECT * FROM agent_tokens").map(Self.agentToken)
        .map { agent in
          var agent = agent
          agent.addsOnly = adding.contains(agent.id.uuidString)
          return agent
        }
    }.sorted { NameFolding.key($0.name) < NameFolding.key($1.name) }
  }

  /// Returns the program that a token belongs to; nil if there is none.
  package func agent(holding token: String) throws -> AgentToken? {
    try read { db in
      try Row.fetchOne(
        db, cached: "SELECT * FROM agent_tokens WHERE token_hash = ?",
        arguments: [Self.agentHash(token)]
      ).map(Self.agentToken).map { agent in
        var agent = agent
        agent.addsOnly = token.hasPrefix(Self.addingPrefix)
        return agent
      }
    }
  }

  /// Revokes a program's access.
  ///
  /// - Parameter text: its ID or its name.
  /// - Returns: the record that was removed.
  /// - Throws: `ArchiveError.notFound` if no program has this ID or name.
  package func removeAgent(_ text: String) throws -> AgentToken {
    let wanted = NameFolding.key(text.trimmingCharacters(in: .whitespaces))
    return try transact { db in
      let all = try Row.fetchAll(db, sql: "SELECT * FROM agent_tokens").map(Self.agentToken)
      guard
        let agent = all.first(where: {
          $0.id.uuidString == text.uppercased() || NameFolding.key($0.name) == wanted
        })
      else { throw ArchiveError.notFound("No program named \(FieldError.shown(text)).") }
      try db.execute(
        sql: "DELETE FROM agent_tokens WHERE id = ?", arguments: [agent.id.uuidString])
      let adding = try Self.addingAgents(db)
      if adding.contains(agent.id.uuidString) {
        try Self.keep(
          addingAgents: adding.subtracting([agent.id.uuidString]), at: clock.now, db)
      }
      return agent
    }
  }

  // MARK: Tokens that can only add

  private static let addingPrefix = "add-"
  static let addingAgentsName = "agents that only add"

  /// Returns the IDs of programs that may only add entries, for lists.
  private static func addingAgents(_ db: Database) throws -> Set<String> {
    let ids = try StoredSetting.value(addingAgentsName, db)?.array ?? []
    return Set(ids.compactMap(\.string))
  }

  private static func keep(addingAgents ids: Set<String>, at now: Instant, _ db: Database) throws {
    try StoredSetting.set(addingAgentsName, to: JSON(ids.sorted()), at: now, db)
  }

  private static func agentToken(_ row: Row) throws -> AgentToken {
    AgentToken(
      id: try row.identity("id"), name: row["name"], createdAt: row.instant("created_at"))
  }

  /// Returns the plain hash of a token, which cannot be guessed back because a token is 256 random
  /// bits.
  private static func agentHash(_ token: String) -> String {
    Data(SHA256.hash(data: Data(token.utf8))).base64EncodedString()
  }
}

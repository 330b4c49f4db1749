import GRDB

/// Documents that a transaction writes into the full-text index together.
///
/// The index gathers words in memory, and puts them away at every savepoint and whenever a
/// document's row number is lower than the one before. Rows of several kinds that come in turn
/// would make it do so all the time.
struct GatheredDocuments {
  /// Nil stands for removing what was there.
  private var steps: [(number: Int64, document: SearchDocument?)] = []

  var count: Int { steps.count }

  mutating func append(_ number: Int64, _ document: SearchDocument?) {
    steps.append((number, document))
  }

  /// Forgets what came after the first `count` steps.
  mutating func takeBack(to count: Int) { steps.removeLast(max(0, steps.count - count)) }

  mutating func write(_ db: Database) throws {
    let order = steps.indices.sorted { (steps[$0].number, $0) < (steps[$1].number, $1) }
    for index in order {
      if let document = steps[index].document {
        try document.insert(db)
      } else {
        try SearchDocument.remove(steps[index].number, db)
      }
    }
    steps.removeAll(keepingCapacity: true)
  }
}

extension ChangeScope {
  /// From now on documents wait for `writeDocuments`, which is to be called before the transaction
  /// ends.
  func gatherDocuments() { keys.documents = GatheredDocuments() }

  /// Writes a document into the full-text index.
  func index(_ document: SearchDocument) throws {
    guard keys.documents == nil else {
      keys.documents?.append(document.rowNumber, document)
      return
    }
    try document.insert(db)
  }

  /// Removes a document from the full-text index.
  func removeDocument(_ kind: SearchDocument.Kind, _ pk: Int64) throws {
    let number = SearchDocument.rowNumber(kind, pk)
    guard keys.documents == nil else {
      keys.documents?.append(number, nil)
      return
    }
    try SearchDocument.remove(number, db)
  }

  /// Tells the indexes beside the archive of a document that is as it was, while what its entry is
  /// linked with is not: sets of documents are kept by tag and person.
  func noteDocument(_ kind: SearchDocument.Kind, _ pk: Int64) throws {
    try db.cachedStatement(sql: "INSERT INTO search_changes (document) VALUES (?)")
      .execute(arguments: [SearchDocument.rowNumber(kind, pk)])
  }

  /// Writes the documents that wait, if they are more than `count`. Not inside of `attempt`, which
  /// would take those of other entries back with its own.
  package func writeDocuments(moreThan count: Int = 0) throws {
    guard let documents = keys.documents, documents.count > count else { return }
    try keys.documents?.write(db)
  }
}

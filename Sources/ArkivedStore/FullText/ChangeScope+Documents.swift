import GRDB

/// Documents that a transaction writes into the full-text index together.
///
/// The index gathers words in memory, and flushes them at every savepoint and whenever a document's
/// row number is lower than the previous one. Alternating rows of several kinds would make it flush
/// all the time.
struct GatheredDocuments {
  /// The steps; nil means removing the existing document.
  private var steps: [(number: Int64, document: SearchDocument?)] = []

  var count: Int { steps.count }

  mutating func append(_ number: Int64, _ document: SearchDocument?) {
    steps.append((number, document))
  }

  /// Discards everything after the first `count` steps.
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
  /// Makes documents wait for `writeDocuments`, which must be called before the transaction ends.
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

  /// Notifies the indexes next to the database of an unchanged document whose entry's links have
  /// changed, because sets of documents are stored by tag and person.
  func noteDocument(_ kind: SearchDocument.Kind, _ pk: Int64) throws {
    try db.cachedStatement(sql: "INSERT INTO search_changes (document) VALUES (?)")
      .execute(arguments: [SearchDocument.rowNumber(kind, pk)])
  }

  /// Writes the waiting documents if there are more than `count`.
  ///
  /// Don't call it inside `attempt`, which would roll back the documents of other entries together
  /// with its own.
  package func writeDocuments(moreThan count: Int = 0) throws {
    guard let documents = keys.documents, documents.count > count else { return }
    try keys.documents?.write(db)
  }
}

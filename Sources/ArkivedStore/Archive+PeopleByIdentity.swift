package import ArkivedCore
package import Foundation
import GRDB

extension Archive {
  /// Returns the people with these identities, with all their names.
  package func people(_ ids: [UUID]) throws -> [Person] {
    try read { db in
      try ids.slices().flatMap { slice in
        try PersonRecord.fetch(
          db, where: "id IN (\(placeholders(slice.count)))",
          arguments: StatementArguments(slice.map(\.uuidString))
        ).map(\.person)
      }
    }
  }
}

package import ArkivedCore
import Foundation

/// A computed answer with the entries that support it.
package struct Answer: Sendable {
  package var computed: TimelineAnswer
  /// The entries that support the answer; at most as many as requested.
  package var citations: [SearchHit]
  /// The total number of entries that support the answer.
  package var citationCount: Int

  package var sentence: String { computed.sentence }
  package var kind: String { computed.kind }
  package var values: [JSON] { computed.values }
  package var unit: String? { computed.unit }
  package var ignored: [String] { computed.ignored }

  package var json: JSON {
    computed.json(
      citations: citations.map { hit in
        [
          "type": .string(hit.type.rawValue), "id": .string(hit.id.uuidString),
          "dayKey": JSON(hit.dayKey), "snippet": .string(hit.snippet.text),
          "externalRefs": .array(
            hit.externalRefs.map {
              ["provider": .string($0.provider), "externalId": .string($0.externalID)]
            }),
        ]
      }, count: citationCount)
  }
}

package import ArkivedCore
import Foundation

/// A computed answer with the entries that prove it.
package struct Answer: Sendable {
  package var computed: TimelineAnswer
  /// The entries that prove it; at most as many as were asked for.
  package var citations: [SearchHit]
  /// How many entries prove it altogether.
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

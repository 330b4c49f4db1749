package import ArkivedCore

/// A segment of this device's own log.
package struct OwnSegment: Sendable {
  package var sequence: Int
  package var link: String
  package var previous: String
  package var head: JSON
  package var isPublished: Bool
}

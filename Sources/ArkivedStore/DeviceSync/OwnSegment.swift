/// A segment of this device's own log, without its head and its changes.
package struct OwnSegment: Sendable {
  package var sequence: Int
  package var link: String
  package var isPublished: Bool
}

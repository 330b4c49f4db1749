/// The version of the program.
package enum ArkivedVersion {
  package static let current = "0.1.0"
}

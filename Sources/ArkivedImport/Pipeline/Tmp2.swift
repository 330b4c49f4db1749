package import ArkivedCore
package struct SampleLife: Sendable {
  package init(seed: UInt64 = 2016, from: DayKey, through: DayKey) {}
  package func write(now: Instant, into take: (ImportedRecord) throws -> Void) throws {}
}

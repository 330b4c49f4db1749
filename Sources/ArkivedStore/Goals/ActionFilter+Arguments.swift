package import ArkivedCore

extension ActionFilter {
  /// Reads searchText, hasMeasurements, hasDuration, linked, startDate, endDate, limit (1 to 100)
  /// and offset.
  package init(_ fields: inout FieldReader, homeZone: Zone) throws(FieldError) {
    let read = try Self.paged(&fields, homeZone: homeZone, takesCursor: false)
    self = read.filter
    (limit, offset) = (read.page.limit, read.page.offset)
  }

  /// Reads the same, and optionally the cursor of a page.
  ///
  /// - Parameters:
  ///   - fields: the fields.
  ///   - homeZone: the home time zone.
  ///   - takesCursor: true to read `after`.
  /// - Returns: the filter, and the page.
  /// - Throws: `FieldError` that names the first invalid field.
  package static func paged(
    _ fields: inout FieldReader, homeZone: Zone, takesCursor: Bool = true
  ) throws(FieldError) -> (filter: ActionFilter, page: ListPage) {
    let text = try fields.string("searchText")
    let hasMeasurements = try fields.bool("hasMeasurements")
    let hasDuration = try fields.bool("hasDuration")
    let isLinked = try fields.bool("linked")
    let span = try DayFilter(&fields, homeZone: homeZone)
    let page = try ListPage(&fields, usual: 50, most: 100, takesCursor: takesCursor)
    let filter = ActionFilter(
      searchText: text, hasMeasurements: hasMeasurements, hasDuration: hasDuration,
      isLinked: isLinked, from: span.from, to: span.to)
    return (filter, page)
  }
}

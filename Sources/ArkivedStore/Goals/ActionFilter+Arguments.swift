package import ArkivedCore

extension ActionFilter {
  /// Reads searchText, hasMeasurements, hasDuration, linked, startDate, endDate, limit (1 to 100) and
  /// offset.
  package init(_ fields: inout FieldReader, homeZone: Zone) throws(FieldError) {
    let text = try fields.string("searchText")
    let hasMeasurements = try fields.bool("hasMeasurements")
    let hasDuration = try fields.bool("hasDuration")
    let isLinked = try fields.bool("linked")
    let span = try DayFilter(&fields, homeZone: homeZone)
    let page = try ListPage(&fields, usual: 50, most: 100)
    self.init(
      searchText: text, hasMeasurements: hasMeasurements, hasDuration: hasDuration,
      isLinked: isLinked, from: span.from, to: span.to, limit: page.limit, offset: page.offset)
  }
}

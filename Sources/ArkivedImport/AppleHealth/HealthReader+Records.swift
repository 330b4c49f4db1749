import ArkivedCore
import Foundation

/// Records: amounts, sleep, mindfulness and anything else with a type.
extension HealthReader {
  /// Reads a start tag in one pass over its attributes; returns nil if the record is skipped.
  func record(_ attributes: XMLAttributes) -> HealthRecord? {
    var type: UnsafePointer<CChar>?
    var source: UnsafePointer<CChar>?
    var unit: UnsafePointer<CChar>?
    var value: UnsafePointer<CChar>?
    var start: UnsafePointer<CChar>?
    var end: UnsafePointer<CChar>?
    attributes.forEach { name, text in
      switch UInt8(truncatingIfNeeded: name[0]) {
      case UInt8(ascii: "t"): if strcmp(name, "type") == 0 { type = text }
      case UInt8(ascii: "u"): if strcmp(name, "unit") == 0 { unit = text }
      case UInt8(ascii: "v"): if strcmp(name, "value") == 0 { value = text }
      case UInt8(ascii: "e"): if strcmp(name, "endDate") == 0 { end = text }
      case UInt8(ascii: "s"):
        if strcmp(name, "startDate") == 0 {
          start = text
        } else if strcmp(name, "sourceName") == 0 {
          source = text
        }
      default: break
      }
    }
    guard let type, type[0] != 0 else {
      skip(field: "type", "it’s missing")
      return nil
    }
    guard let began = moment(start, "startDate") else { return nil }
    var ended = began
    if let end {
      guard let found = moment(end, "endDate") else { return nil }
      if found.seconds > began.seconds { ended = found }
    }
    let number = types.number(type)
    guard let content = content(number, value, unit) else { return nil }
    return HealthRecord(
      type: number, source: source.map { sources.number($0) } ?? sources.number(""),
      start: began, end: ended, value: content)
  }

  private func moment(_ text: UnsafePointer<CChar>?, _ field: String) -> HealthMoment? {
    guard let text else {
      skip(field: field, "it’s missing")
      return nil
    }
    guard let moment = HealthMoment(cString: text) else {
      skip(
        field: field,
        """
        \(FieldError.shown(String(cString: text))) isn’t a valid date (such as 2016-11-14 07:25:41 \
        -0700)
        """
      )
      return nil
    }
    guard moment.seconds <= lastSecond else {
      // A date that is in the future because of a fast clock will be valid one day.
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “\(field)”",
          message: "skipped: \(FieldError.shown(String(cString: text))) is in the future",
          mayPass: true))
      return nil
    }
    return entries.clock.map(moment.inZone) ?? moment
  }

  private func content(
    _ type: Int, _ value: UnsafePointer<CChar>?, _ unit: UnsafePointer<CChar>?
  ) -> HealthRecord.Value? {
    guard case .quantity = types.kind(type) else {
      return .category(value.map { String(cString: $0) } ?? "")
    }
    guard let value, let amount = HealthNumber.read(cString: value) else {
      let text = value.map { String(cString: $0) } ?? ""
      skip(field: "value", "\(FieldError.shown(text)) isn’t a valid number")
      return nil
    }
    return .amount(amount, unit: unit.map { types.units.number($0) } ?? types.units.number(""))
  }

  /// Takes a record at its end, once its metadata is known.
  func take(_ record: HealthRecord) throws {
    var mark: UInt64 = 0
    switch record.value {
    case .amount(let amount, let unit):
      mark = amount.bitPattern ^ (UInt64(unit) &* 0x9E37_79B9_7F4A_7C15)
    case .category(let text):
      for byte in text.utf8 { mark = (mark ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    guard
      !repeats.isRepeated(
        type: record.type, source: record.source, start: record.start.seconds,
        end: record.end.seconds, value: mark)
    else { return repeated += 1 }
    switch (types.kind(record.type), record.value) {
    case (.quantity, .amount(let amount, let unit)): take(amount, unit, of: record)
    case (.sleep, .category(let value)): takeSleep(record, value)
    case (.mindfulness, _): takeMindful(record)
    case (.standing, .category(let value)):
      // Idle hours are recorded as well.
      if value.hasSuffix("Stood") || value == "0" { tally("standRingHours", "h", .counted, record) }
    case (.counted(let metric), _): tally(metric, "count", .added, record)
    case (_, .category(let value)): try takeCategory(record, value)
    case (_, .amount): break
    }
  }

  private func take(_ amount: Double, _ unit: Int, of record: HealthRecord) {
    guard let way = types.way(record.type, unit: unit, in: &days) else {
      let text = types.units.all[unit]
      return skip(
        field: "unit",
        text.isEmpty
          ? """
          the unit is missing, and \(HealthWords.bare(types.names.all[record.type])) can have \
          several
          """
          : "amounts in \(FieldError.shown(text)) can’t be combined with the others")
    }
    var value = amount * way.factor + way.addend
    if way.isShare, value <= 1 { value *= 100 }
    let rule = days.metrics[way.metric].rule
    guard value >= 0 || rule == .level || rule == .latest else {
      return skip(field: "value", "\(amount) is below zero")
    }
    let start = local(record.start, record)
    days.take(
      metric: way.metric, source: record.source, start: start,
      end: start + record.end.seconds - record.start.seconds, value: value)
  }

  /// Returns the seconds by the local clock of the record: the clock of its zone, or else of the
  /// zone it is written in.
  private func local(_ moment: HealthMoment, _ record: HealthRecord) -> Int {
    (record.zone.map(moment.inZone) ?? moment).local
  }

  /// Adds one to a count.
  private func tally(
    _ metric: String, _ unit: String, _ rule: HealthRule, _ record: HealthRecord
  ) {
    let number = days.metric(metric, unit: unit, rule: rule)
    let start = local(record.start, record)
    days.take(metric: number, source: record.source, start: start, end: start, value: 1)
  }

  // MARK: Categories

  /// Takes a record rare enough to become a separate entry, such as a symptom or a warning from the
  /// watch.
  private func takeCategory(_ record: HealthRecord, _ value: String) throws {
    let type = HealthWords.bare(types.names.all[record.type])
    var text = HealthWords.sentence(String(type.prefix(200)))
    var word = HealthWords.bare(value)
    guard !word.hasSuffix("NotPresent") else { return }
    for prefix in [type, "Severity", "Presence", "VaginalBleeding"] where word.hasPrefix(prefix) {
      word = String(word.dropFirst(prefix.count))
    }
    let isPlain = word.isEmpty || word == "NotApplicable" || word == "Present" || Int(word) != nil
    if !isPlain { text += ", " + HealthWords.sentence(String(word.prefix(200))).lowercased() }
    guard !text.allSatisfy(\.isWhitespace) else { return skip(field: "type", "it’s missing") }
    let source = sources.all[record.source]
    var activity = entries.activity(
      text, from: record.start,
      to: record.end.seconds > record.start.seconds ? record.end : nil, zone: record.zone,
      knownAs: "category/\(type.prefix(100))/\(record.start.instant)/"
        + "\(TableIdentity.hash(source).prefix(12))")
    activity.description = source.isEmpty ? nil : source
    count += 1
    try sink.take(entries.record(activity, place))
  }

  // MARK: Mindfulness

  private func takeMindful(_ record: HealthRecord) {
    guard record.end.seconds > record.start.seconds, mindful.count < 1_000_000 else { return }
    mindful.append(
      MindfulSession(
        start: record.start, end: record.end, zone: record.zone, source: record.source))
  }

  /// Takes sessions of mindfulness, merging overlapping ones that two programs recorded.
  func takeMindfulness() throws {
    var merged: [MindfulSession] = []
    for session in mindful.sorted(by: { $0.start.seconds < $1.start.seconds }) {
      if let last = merged.last, session.start.seconds < last.end.seconds {
        if session.end.seconds > last.end.seconds { merged[merged.count - 1].end = session.end }
      } else {
        merged.append(session)
      }
    }
    let metric = days.metric("mindfulTimeMinutes", unit: "min", rule: .added)
    for session in merged {
      let seconds = session.end.seconds - session.start.seconds
      let source = sources.all[session.source]
      var activity = entries.activity(
        "Mindfulness, \(HealthText.length(seconds))", from: session.start, to: session.end,
        zone: session.zone, knownAs: "mindfulness/\(session.start.instant)")
      activity.tags = ["mindfulness"]
      activity.description = source.isEmpty ? nil : source
      count += 1
      try sink.take(entries.record(activity, name))
      let start = (session.zone.map(session.start.inZone) ?? session.start).local
      days.take(
        metric: metric, source: 0, start: start, end: start, value: Double(seconds) / 60)
    }
  }

  // MARK: Sleep

  private func takeSleep(_ record: HealthRecord, _ value: String) {
    guard let stage = HealthSleep.Stage(value) else {
      return skip(field: "value", "\(FieldError.shown(value)) isn’t a sleep stage")
    }
    sleep.take(
      HealthSleep.Part(
        start: record.start, end: record.end, stage: stage, source: record.source,
        zone: record.zone))
  }

  /// Takes nights, dated to the day of waking as the sleep metrics are.
  func takeSleep() throws {
    var numbers: [DayKey: Int] = [:]
    for night in sleep.nights() {
      let woke = night.zone.map(night.end.inZone) ?? night.end
      let day = DayKey(clamping: woke.day)
      numbers[day, default: 0] += 1
      let number = numbers[day, default: 1]
      let asleep = night.seconds[.asleep]
      let length = asleep ?? night.seconds[.inBed] ?? 0
      var activity = entries.activity(
        "\(asleep == nil ? "In bed" : "Slept") \(HealthText.length(length))", from: night.start,
        to: night.end, zone: night.zone, on: day,
        knownAs: number == 1 ? "sleep/\(day)" : "sleep/\(day)/\(number)")
      activity.durationMinutes = (Double(length) / 60).rounded()
      activity.tags = ["sleep"]
      activity.description = details(night)
      count += 1
      try sink.take(entries.record(activity, name))
      let metrics: [(HealthSleep.Stage, String)] = [
        (.asleep, "sleepMinutes"), (.inBed, "bedRestMinutes"), (.awake, "nightAwakeMinutes"),
        (.core, "coreSleepMinutes"), (.deep, "deepSleepMinutes"), (.rem, "remSleepMinutes"),
      ]
      for (stage, name) in metrics {
        guard let seconds = night.seconds[stage] else { continue }
        let metric = days.metric(name, unit: "min", rule: .added)
        days.take(
          metric: metric, source: 0, start: woke.local, end: woke.local,
          value: (Double(seconds) / 60).rounded())
      }
    }
  }

  private func details(_ night: HealthSleep.Night) -> String? {
    let stages: [(HealthSleep.Stage, String)] = [
      (.inBed, "in bed"), (.deep, "deep"), (.core, "core"), (.rem, "REM"), (.awake, "awake"),
    ]
    var parts = stages.compactMap { stage, word in
      night.seconds[stage].map { "\(word) \(HealthText.length($0))" }
    }
    let source = sources.all[night.source]
    if !source.isEmpty { parts.append(source) }
    let text = parts.joined(separator: ", ")
    return text.isEmpty ? nil : text.prefix(1).uppercased() + text.dropFirst()
  }
}

import ArkivedCore
import CLibraries
import Foundation

extension OpaquePointer {
  /// The value of an ATTENDEE or ORGANIZER property.
  var attendeeValue: CalendarAttendee? {
    guard let value = icalproperty_get_value(self) else { return nil }
    let isAddress = icalvalue_isa(value) == ICAL_CALADDRESS_VALUE
    guard
      let address = isAddress
        ? icalvalue_get_caladdress(value).map({ String(cString: $0) }) : plainValue
    else { return nil }
    let name = icalproperty_get_first_parameter(self, ICAL_CN_PARAMETER)
      .flatMap { icalparameter_get_cn($0) }.map { String(cString: $0) }
    let reply = icalproperty_get_first_parameter(self, ICAL_PARTSTAT_PARAMETER)
      .map { icalparameter_get_partstat($0) }
    let type = icalproperty_get_first_parameter(self, ICAL_CUTYPE_PARAMETER)
      .map { icalparameter_get_cutype($0) }
    let role = icalproperty_get_first_parameter(self, ICAL_ROLE_PARAMETER)
      .map { icalparameter_get_role($0) }
    let isOrganizer = icalproperty_isa(self) == ICAL_ORGANIZER_PROPERTY
    return CalendarAttendee(
      address: address, name: name, role: AttendanceRole(role),
      // The organiser of a meeting attends it, unless their invitation says otherwise.
      reply: reply.map(AttendanceReply.init) ?? (isOrganizer ? .accepted : .waiting),
      isOrganizer: isOrganizer,
      isThing: type == ICAL_CUTYPE_ROOM || type == ICAL_CUTYPE_RESOURCE)
  }
}

extension AttendanceRole {
  fileprivate init(_ role: icalparameter_role?) {
    self =
      switch role {
      case ICAL_ROLE_CHAIR: .chair
      case ICAL_ROLE_OPTPARTICIPANT: .optional
      case ICAL_ROLE_NONPARTICIPANT: .informed
      default: .required
      }
  }
}

extension AttendanceReply {
  fileprivate init(_ reply: icalparameter_partstat) {
    self =
      switch reply {
      case ICAL_PARTSTAT_ACCEPTED: .accepted
      case ICAL_PARTSTAT_DECLINED: .declined
      case ICAL_PARTSTAT_TENTATIVE: .tentative
      case ICAL_PARTSTAT_DELEGATED: .delegated
      default: .waiting
      }
  }
}

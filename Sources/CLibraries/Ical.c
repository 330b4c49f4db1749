#include "CLibraries.h"
#include "Loading.h"

#define FUNCTIONS(X)                                                                                 \
  X(void, icalcomponent_free, (icalcomponent * c), (c), (void)0)                                     \
  X(icalcomponent *, icalcomponent_get_first_component, (icalcomponent * c, icalcomponent_kind kind), \
    (c, kind), NULL)                                                                                 \
  X(icalproperty *, icalcomponent_get_first_property, (icalcomponent * c, icalproperty_kind kind),   \
    (c, kind), NULL)                                                                                 \
  X(icalcomponent *, icalcomponent_get_next_component, (icalcomponent * c, icalcomponent_kind kind), \
    (c, kind), NULL)                                                                                 \
  X(icalproperty *, icalcomponent_get_next_property, (icalcomponent * c, icalproperty_kind kind),    \
    (c, kind), NULL)                                                                                 \
  X(icalcomponent_kind, icalcomponent_isa, (const icalcomponent *c), (c), ICAL_NO_COMPONENT)         \
  X(void, icalerror_set_errors_are_fatal, (int fatal), (fatal), (void)0)                             \
  X(const char *, icalparameter_get_cn, (const icalparameter *p), (p), NULL)                         \
  X(icalparameter_cutype, icalparameter_get_cutype, (const icalparameter *p), (p), ICAL_CUTYPE_NONE) \
  X(icalparameter_partstat, icalparameter_get_partstat, (const icalparameter *p), (p), ICAL_PARTSTAT_NONE) \
  X(icalparameter_role, icalparameter_get_role, (const icalparameter *p), (p), ICAL_ROLE_NONE)       \
  X(const char *, icalparameter_get_tzid, (const icalparameter *p), (p), NULL)                       \
  X(icalcomponent *, icalparser_parse_string, (const char *text), (text), NULL)                      \
  X(icalparameter *, icalproperty_get_first_parameter, (icalproperty * p, icalparameter_kind kind),  \
    (p, kind), NULL)                                                                                 \
  X(icalvalue *, icalproperty_get_value, (const icalproperty *p), (p), NULL)                         \
  X(char *, icalproperty_get_value_as_string_r, (const icalproperty *p), (p), NULL)                  \
  X(icalproperty_kind, icalproperty_isa, (icalproperty * p), (p), ICAL_NO_PROPERTY)                  \
  X(enum icalrecurrencetype_weekday, icalrecurrencetype_day_day_of_week, (short day), (day),         \
    ICAL_NO_WEEKDAY)                                                                                 \
  X(int, icalrecurrencetype_day_position, (short day), (day), 0)                                     \
  X(int, icaltime_is_null_time, (const struct icaltimetype t), (t), 1)                               \
  X(int, icaltime_is_utc, (const struct icaltimetype t), (t), 0)                                     \
  X(const char *, icalvalue_get_caladdress, (const icalvalue *v), (v), NULL)                         \
  X(struct icaltimetype, icalvalue_get_datetime, (const icalvalue *v), (v), (struct icaltimetype){0}) \
  X(struct icaldatetimeperiodtype, icalvalue_get_datetimeperiod, (const icalvalue *v), (v),          \
    (struct icaldatetimeperiodtype){{0}})                                                            \
  X(struct icaldurationtype, icalvalue_get_duration, (const icalvalue *v), (v),                      \
    (struct icaldurationtype){0})                                                                    \
  X(struct icalgeotype, icalvalue_get_geo, (const icalvalue *v), (v), (struct icalgeotype){0})       \
  X(struct icalrecurrencetype, icalvalue_get_recur, (const icalvalue *v), (v),                       \
    (struct icalrecurrencetype){0})                                                                  \
  X(const char *, icalvalue_get_text, (const icalvalue *v), (v), NULL)                               \
  X(int, icalvalue_get_utcoffset, (const icalvalue *v), (v), 0)                                      \
  X(icalvalue_kind, icalvalue_isa, (const icalvalue *v), (v), ICAL_NO_VALUE)

BIND(clb_load_ical, "libical.so.3")

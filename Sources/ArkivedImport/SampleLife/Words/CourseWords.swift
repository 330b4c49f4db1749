extension SampleWords {
  static let trips = """
    england 2016-03-24 2016-03-29 jonas
    lisbon 2016-05-12 2016-05-17 jonas
    greece 2016-08-06 2016-08-20 jonas
    rome 2016-10-13 2016-10-17 alex
    england 2016-12-22 2016-12-29 jonas
    japan 2017-04-01 2017-04-15 jonas
    bornholm 2017-07-15 2017-07-29 jonas
    newyork 2017-09-15 2017-09-21
    england 2017-12-27 2018-01-02 jonas
    england 2018-03-29 2018-04-03 jonas
    lisbon 2018-05-09 2018-05-13 jonas
    greece 2018-08-04 2018-08-18 jonas
    england 2018-10-19 2018-10-23
    england 2018-12-21 2018-12-30 jonas
    rome 2019-04-18 2019-04-23 jonas
    japan 2019-07-20 2019-08-03 jonas
    newyork 2019-09-19 2019-09-25
    england 2019-12-22 2019-12-28 jonas
    copenhagen 2020-02-14 2020-02-17 jonas
    bornholm 2020-08-08 2020-08-18 jonas
    greece 2021-07-24 2021-08-07 jonas
    england 2021-10-20 2021-10-26 jonas
    england 2021-12-21 2021-12-28 jonas
    england 2022-02-11 2022-02-18 jonas
    rome 2022-05-25 2022-05-30 jonas
    bornholm 2022-08-06 2022-08-13 jonas
    japan 2022-10-15 2022-10-29 jonas
    england 2023-04-06 2023-04-11 jonas
    sofia 2023-06-08 2023-06-12 alex
    greece 2023-08-05 2023-08-19 jonas
    newyork 2023-10-10 2023-10-17 jonas
    england 2023-11-16 2023-11-21
    england 2023-12-22 2023-12-28 jonas
    lisbon 2024-03-28 2024-04-02 jonas
    bornholm 2024-07-13 2024-07-27 jonas
    rome 2024-10-03 2024-10-07 alex
    england 2024-12-27 2025-01-02 jonas
    england 2025-04-17 2025-04-22 jonas
    sofia 2025-05-28 2025-06-01 alex
    greece 2025-08-02 2025-08-16 jonas
    japan 2025-10-11 2025-10-26 jonas
    england 2025-12-22 2025-12-28 jonas
    lisbon 2026-02-12 2026-02-16 jonas
    england 2026-04-02 2026-04-07 jonas
    newyork 2026-05-13 2026-05-19 jonas
    bornholm 2026-07-25 2026-08-08 jonas
    rome 2026-10-08 2026-10-12 alex
    england 2026-12-22 2026-12-28 jonas
    """

  static let habits = """
    cat 2017-10-14 2026-12-31
    plot 2018-03-10 2026-12-31
    newflat 2019-05-04 2026-12-31
    choir 2016-09-06 2026-12-31
    running 2017-01-09 2019-08-24
    injured 2019-08-26 2020-02-28
    cycling 2020-04-04 2026-12-31
    japanese 2016-09-12 2019-06-30
    italian 2022-02-28 2024-06-30
    lockdown 2020-03-16 2020-05-24
    lockdown 2020-11-02 2021-05-16
    gran 2016-01-01 2022-02-08
    newjob 2021-02-01 2026-12-31
    workshop 2018-05-12 2026-12-31
    watch 2018-12-25 2026-12-31
    married 2022-09-17 2026-12-31
    bread 2020-03-28 2026-12-31
    sailing 2024-05-01 2026-12-31
    pottery 2025-01-13 2026-12-31
    meditation 2020-06-01 2020-10-31
    priya 2016-01-01 2022-12-31
    knits 2023-11-01 2026-12-31
    """

  static let gaps = """
    gap 2018-11-22 2018-12-16
    gap 2022-02-11 2022-02-18
    gap 2022-02-20 2022-03-10
    gap 2024-08-19 2024-09-01
    """

  static let projects = """
    Harbour|2016-01-04|31|the ticket shop for the harbour ferries|dagmar|the basket;the calendar of sailings;the seat map;the group ticket;the dog ticket|the midnight rounding error;the lost basket;the double booking on the 62;the umlaut in the receipts
    Lantern|2016-09-05|29|the night bus planner|pthomsen|the last-bus alarm;the map that works in the dark;the walking leg;the stop search|the bus that arrived before it left;the missing hour in October;the stop that moved;the wrong Sunday
    Tideline|2017-04-24|34|timetables that follow the tide|gesa|the tide curve;the low-water warning;the printed timetable;the skipper's view|the neap tide nobody had tested;the island with two names;the sailing at 25:10;the curve that jumped
    Saltbox|2018-01-08|34|the crew rosters|klaus|the shift-swap page;the holiday grid;the fax export;the roster on paper|the captain with two Tuesdays;the leave that multiplied;the roster that printed sideways;the time-clock drift
    Pelican|2018-09-10|34|luggage tags for the islands|marlies|the tag printer;the trolley list;the lost-case page;the hotel pick-up|the suitcase in the wrong harbour;the tag that would not scan;the smudged barcode;the phantom trolley
    Quay|2019-05-13|38|step-free routes to the piers|tanja|the lift status;the steepness map;the route by wheelchair;the gangway page|the ramp with a step in it;the lift that was always broken;the pier on the wrong bank;the gradient in feet
    Beacon|2020-03-09|41|live boards for the piers|dagmar|the board in bad light;the delay estimate;the spoken announcement;the wind warning|the board that froze at 07:14;the ferry shown on land;the delay of minus four;the flickering colon
    Marram|2021-03-01|38|the map of safe cycle routes|volker|the cobblestone layer;the route sharing;the report-a-hole page;the night layer|the route through the canal;the one-way street that wasn't;the hill in a flat city;the bridge counted twice
    Orchard|2022-01-10|36|booking for allotments and park huts|elif|the waiting list;the hut calendar;the map of plots;the reminder letter|the plot let to two families;the waiting list in alphabetical order;the hut booked for a year;the reminder at 4 a.m.
    Kittiwake|2022-10-31|36|the seabird count|arne|the counting screen;the gloves mode;the tern photo guide;the offline map|the case of the four thousand puffins;the count that forgot itself;the photo upside down;the beach without a name
    Compass|2023-08-21|37|walking routes to school|susanne|the walking bus;the crossing report;the parent view;the children's map|the school in the river;the route past the bakery;the crossing that moved overnight;the sleeping crossing guard
    Lamplight|2024-06-03|40|the street-light reports|frank|the lamp numbering;the dark-spot map;the repair promise;the photo at night|the lamp that reported itself;the repair in the past;the duplicate lamp;the dark street that was a tunnel
    Northlight|2025-04-07|38|the museum guide by the harbour|greta|the audio trail;the quiet hour;the label page;the children's trail|the voice that read page numbers;the guide in the wrong room;the silent anchor;the upside-down floor plan
    Estuary|2026-01-05|48|flood warnings for the river side|matthias|the warning scale;the street view of water;the plain-language text;the siren test|the flood on the hill;the warning sent at lunch;the gauge that lied;the metre that was a foot
    """
}

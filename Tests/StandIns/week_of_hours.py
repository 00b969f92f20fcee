"""What a library says about the opening hours in an extract of OpenStreetMap:

    week_of_hours.py EXTRACT.osm.pbf

Writes a line for each value: 168 letters, one for each hour of a week that begins on Monday (o open, c closed, u unknown), a tab,
and the value. Values that the library refuses are left out.

In two things people mean something else than the library reads. Weekdays with a space behind their comma ("Sa, Su 09:00-16:00") are one
list. And a night goes on after midnight, whatever a later rule says about the new day ("Fr 10:00-05:00; Sa 11:30-05:00").
"""
import re
import sys
from datetime import datetime, timedelta

import osmium
from opening_hours import OpeningHours, ParserError

MONDAY = datetime(2026, 6, 1)
LISTED = re.compile(r"\b(Mo|Tu|We|Th|Fr|Sa|Su),\s+(?=(?:Mo|Tu|We|Th|Fr|Sa|Su)\b)")


def letter(hours, moment):
    return "o" if hours.is_open(moment) else "c" if hours.is_closed(moment) else "u"


def week(value):
    plain = OpeningHours(LISTED.sub(r"\1,", value))
    # Additional rules keep the hours that extend past midnight from the day before.
    added = OpeningHours(LISTED.sub(r"\1,", value).replace(";", ","))
    letters = ""
    for day in range(7):
        midnight = MONDAY + timedelta(days=day)
        is_night = plain.is_open(midnight - timedelta(minutes=1))
        for hour in range(24):
            moment = midnight + timedelta(hours=hour)
            is_night = is_night and added.is_open(moment)
            letters += "o" if is_night else letter(plain, moment)
    return letters


def main():
    values = {thing.tags["opening_hours"] for thing in osmium.FileProcessor(sys.argv[1]) if "opening_hours" in thing.tags}
    for value in sorted(values):
        try:
            print(f"{week(value)}\t{value}")
        except ParserError:
            continue


if __name__ == "__main__":
    main()

"""The page as people use it: real windows of a real Chromium, on the real server with its own PostgreSQL.

Run with `python3 -m pytest Tests/Browser/test_page.py` after `swift build --product muster`. Every window is
photographed at the end of its test into `output/`, and fails its test when the console, the content security policy
or the network had anything to complain of.
"""

import re

import pytest
from axe import finds_nothing
from photographs import photograph
from playwright.sync_api import expect
from window import PASSWORD, choose_face, edit_profile, keep_face, until

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}

#: The maximum delay of a push, in milliseconds.
SOON = 2000

#: The timeout for evaluated changes, in milliseconds: gatherings are evaluated three seconds behind.
JUDGED = 15_000


def js_number(number):
    """A number as JavaScript writes it into an attribute."""
    return re.sub(r"\.0$", "", repr(number))


def shows_at(window, name, position, timeout=5000):
    """Waits until somebody is shown at a position: in the list, and so that the map has them."""
    lat, lon = position
    expect(window.row(name)).to_have_attribute("data-lat", js_number(lat), timeout=timeout)
    expect(window.row(name)).to_have_attribute("data-lon", js_number(lon), timeout=timeout)


#: Positions that a device measured less than a second apart count as one: a meeting needs two of each person, so a pause lies between them.
APART = 1100


def stay_together(one, other):
    """Both report twice more from where they are, each time when the last report has arrived: the rule requires that."""
    for key in ("ArrowUp", "ArrowDown"):
        one.page.wait_for_timeout(APART)
        for each, friend in ((one, other), (other, one)):
            shows_at(friend, each.name, each.step(key))


def meet_by_gps(one, other, at=(48.2082, 16.3738)):
    """Both report three times from one place, each time when the last report has arrived."""
    for step in range(3):
        if step:
            one.page.wait_for_timeout(APART)
        for each, friend, lat in ((one, other, at[0]), (other, one, at[0] + 0.0001)):
            there = (round(lat + step * 0.00001, 6), at[1])
            each.go_to(*there) if each.shares() else each.follow_gps(*there)
            shows_at(friend, each.name, there)


# Two friends


def test_two_people_meet_through_an_invite_link_and_see_each_other_move(window):
    ada = window().open().sign_up("Ada")
    ada.at("group-name").fill("Sunday climbers")
    ada.at("group-create").click()
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.make_invite()
    ada.at("invite-copy").click()
    expect(ada.at("toasts")).to_contain_text("copied")
    link = ada.page.evaluate("navigator.clipboard.readText()")
    ada.walk()

    ben = window().open(link)
    expect(ben.at("invite-preview")).to_have_text("Ada invites you to Sunday climbers · 1 member")
    ben.sign_up("Ben")
    expect(ben.at("join-preview")).to_have_text("Ada invites you to Sunday climbers · 1 member")
    ben.at("join-confirm").click()
    expect(ben.at("toasts")).to_contain_text("You joined Sunday climbers")
    assert "join" not in ben.page.url, "the invite stays in the address"
    shows_at(ben, "Ada", ada.position("Ada"))
    ben.walk()
    shows_at(ada, "Ben", ben.position("Ben"))
    for each in (ada, ben):
        assert each.row("Ada").get_attribute("data-freshness") == "live"
        assert each.row("Ben").get_attribute("data-freshness") == "live"
        expect(each.row(each.name)).to_contain_text("(you)")

    before = ada.position("Ben")
    own = ben.drag_me(right=160, down=-90)
    assert own[0] > before[0] and own[1] > before[1], "dragged up and right, that is north-east"
    shows_at(ada, "Ben", own, timeout=2000)


def test_the_browsers_own_position_is_followed_and_people_at_one_place_are_a_bubble_that_splits_or_lists_them(window):
    ada, ben = pair = window(), window()
    link = ada.open().sign_up("Ada").create_group("Sunday climbers")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    ada.follow_gps(48.2085, 16.3741)
    shows_at(ben, "Ada", (48.2085, 16.3741))
    ada.go_to(48.2082, 16.3738)
    shows_at(ben, "Ada", (48.2082, 16.3738))
    ben.follow_gps(48.2082, 16.3738)
    for each in pair:
        expect(each.marker("Ada")).to_have_attribute("data-count", "2")
        expect(each.marker("Ada")).to_have_attribute("data-people", re.compile(r"^\|(Ada\|Ben|Ben\|Ada)\|$"))
        assert each.position("Ada") == ada.position("Ada"), "the bubble moves nobody"
    # At one position no zoom separates them.
    ben.marker("Ada").click()
    expect(ben.at("bubble-list")).to_contain_text("2 people here")
    ben.at("bubble-list").get_by_role("button", name="Ada").click()
    expect(ben.page.get_by_test_id(re.compile("^callout-[0-9]"))).to_contain_text("next to you")
    # A few steps apart they get two markers.
    ada.walk()
    ada.step(*["ArrowUp"] * 8)
    for each in pair:
        expect(each.marker("Ada")).to_have_attribute("data-count", "1")
        expect(each.marker("Ben")).to_have_attribute("data-count", "1")


# Spots


def test_a_spot_names_the_place_where_people_meet(window, server):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Book club")
    ada.set_rules(dwell=0)
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    # At a location that no other test uses: a spot names the gatherings of all groups.
    ada.follow_gps(47.0707, 15.4395)
    ada.visit("places")
    expect(ada.at("spots-state")).to_have_text("No spots around here yet. Add the first one.")
    ada.at("spot-add-here").click()
    ada.at("spot-add").click()
    expect(ada.at("spot-name-problem")).to_have_text("The spot needs a name.")
    ada.at("spot-name").fill("Blue Bottle")
    ada.at("spot-more").fill("The corner table has the socket.")
    ada.at("spot-add").click()
    own = ada.at("spot")
    expect(own).to_contain_text("Blue Bottle")
    expect(own).to_contain_text("The corner table has the socket.")
    expect(own).to_contain_text("right here · by you")
    expect(ada.at("spots-state")).to_have_text("")
    spot = re.search(r"#/places/spots/(\d+)$", ada.page.url)[1]
    callout = ada.page.get_by_test_id(re.compile("^spot-callout-"))
    expect(callout).to_contain_text("The corner table has the socket.")
    expect(ada.page.locator(".spot-marker")).to_have_attribute("data-spots", "|Blue Bottle|")
    ada.visit("people")
    expect(callout).to_have_count(0)
    expect(ada.page.locator(".spot-marker")).to_have_count(0)

    meet_by_gps(ada, ben, at=(47.0707, 15.4395))
    for each in (ada, ben):
        expect(each.at("gathering")).to_have_text("2 together", timeout=JUDGED)
        expect(each.at("gathering-distance")).to_have_text(re.compile(r"^Blue Bottle · with you since \d\d:\d\d$"))

    ben.visit("places")
    theirs = ben.at("spot")
    expect(theirs).to_contain_text("by Ada")
    expect(ben.at("spot-delete")).to_have_count(0)
    for pressed, likes, dislikes in (("like", 1, 0), ("dislike", 0, 1), ("dislike", 0, 0), ("like", 1, 0)):
        theirs.get_by_test_id(f"spot-{pressed}").click()
        expect(theirs.get_by_test_id("spot-like")).to_contain_text(str(likes))
        expect(theirs.get_by_test_id("spot-dislike")).to_contain_text(str(dislikes))
    expect(theirs.get_by_test_id("spot-like")).to_have_attribute("aria-pressed", "true")
    ben.at("spot-show").click()
    callout = ben.page.get_by_test_id(re.compile("^spot-callout-"))
    expect(callout.get_by_test_id("spot-like")).to_contain_text("1")
    expect(callout.get_by_test_id("spot-delete")).to_have_count(0)
    assert nameless(ben) == []
    assert broken_references(ben) == []

    ada.page.reload()
    ada.is_live()
    ada.visit("places")
    expect(ada.at("spot-like")).to_have_attribute("aria-label", "Like Blue Bottle, 1 does")
    expect(ada.at("spot-like")).to_have_attribute("aria-pressed", "false")
    ada.at("spot-show").click()
    ada.at("spot-more-actions").click()
    ada.at("spot-delete").click()
    ada.at("spot-delete-confirm").click()
    expect(ada.at("spot")).to_have_count(0)
    expect(ada.at("spots-state")).to_have_text("No spots around here yet. Add the first one.")
    assert server.sql(f"SELECT count(*) FROM muster.spot WHERE id = {spot}") == [("0",)]
    ada.visit("people")
    expect(ada.at("gathering-distance")).to_contain_text("Blue Bottle")


# Left without you


def test_who_stays_away_is_told_with_faces_asks_the_others_to_wait_and_is_told_again_until_it_is_seen(window):
    ada, ben, cleo = window(), window(), window(has_touch=True)
    link = ada.open().sign_up("Ada").create_group("Choir")
    ada.set_rules(dwell=0)
    for each, name in ((ben, "Ben"), (cleo, "Cleo")):
        each.open(link).sign_up(name).at("join-confirm").click()
        expect(each.row("Ada")).to_be_visible()
    choose_face(ada, photograph(ada, 300, 300))
    keep_face(ada)
    ada.visit("people")
    ada.walk()
    lat, lon = ada.position("Ada")
    cleo.follow_gps(lat + 0.012, lon)
    expect(ada.marker("Cleo")).to_be_visible()
    # Ben starts where his map shows Ada.
    expect(ben.marker("Ada")).to_be_visible()
    ben.row("Ada").click()
    expect(ben.page.get_by_test_id(re.compile("^callout-[0-9]"))).to_contain_text("± 5 m")
    ben.walk()
    stay_together(ada, ben)

    card = cleo.at("alert")
    expect(card).to_be_visible(timeout=JUDGED)
    expect(card).to_contain_text("Ada and Ben are together")
    expect(card.get_by_test_id("alert-text")).to_have_text(re.compile(r"^Without you, 1\.[234] km away$"))
    expect(card.get_by_test_id("alert-wait")).to_have_text("I’m coming · 20 min")
    expect(card.locator(".avatar")).to_have_count(2)
    expect(card.locator(".avatar img")).to_have_count(1)
    expect(card.locator(".avatar:not(:has(img))")).to_have_text("B")
    for each, line in ((ada, r"with you since \d\d:\d\d"), (ben, r"with you since \d\d:\d\d"), (cleo, r"1\.[234] km")):
        expect(each.at("gathering")).to_have_text("2 together")
        expect(each.at("gathering-distance")).to_have_text(re.compile(rf"^{line}$"))
        expect(each.row("Ada")).to_have_class(re.compile("together"))
        expect(each.row("Cleo")).not_to_have_class(re.compile("together"))
    # Both stand at one place: a pill with a ring, and not a shape.
    expect(cleo.marker("Ada").locator(".who")).to_have_class(re.compile("pill together gathering"))
    expect(cleo.marker("Ada").locator(".who-label")).to_have_text(re.compile("^Together"))
    expect(ada.at("alert")).to_have_count(0)
    expect(ben.at("alert")).to_have_count(0)

    card.get_by_test_id("alert-show").click()
    expect(cleo.marker("Ada")).to_be_in_viewport()
    # From the wrist first. The page sends the message again with the same key: no member is notified twice.
    cleo.page.goto(f"{cleo.url}/watch.html")
    expect(cleo.at("watch-act")).to_have_text("Wait for me", timeout=15_000)
    cleo.at("watch-act").tap()
    expect(cleo.at("watch-card")).to_contain_text("2 people are asked to wait.")
    for each in (ada, ben):
        expect(each.at("notice")).to_contain_text("Cleo asks you to wait")
    cleo.open()
    card.get_by_test_id("alert-wait").click()
    expect(card.get_by_test_id("alert-waiting")).to_have_text("They know · 20 min")
    expect(ada.at("notice")).to_have_count(1)
    ada.at("notice-open").click()
    expect(ada.at("chat-text").last).to_have_text("Wait for me")
    cleo.at("alert-seen").click()
    expect(cleo.at("alert")).to_have_count(0)

    seen_before = len(cleo.received)
    cleo.page.reload()
    cleo.is_live()
    # Answers on the new connection follow the notifications that were replayed after its `hello`.
    cleo.at("group-invite").click()
    cleo.make_invite()
    cleo.close_dialog()
    assert "left_without_you" not in [frame["type"] for frame in cleo.received[seen_before:]]
    expect(cleo.at("alert")).to_have_count(0)
    expect(cleo.at("gathering")).to_have_text("2 together")


def test_somebody_without_a_connection_finds_the_card_which_says_how_far_away_one_is_as_one_comes_nearer(window):
    ada, ben, cleo, dan = window(), window(), window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ada.set_rules(dwell=0)
    for each, name in ((ben, "Ben"), (cleo, "Cleo"), (dan, "Dan")):
        each.open(link).sign_up(name).at("join-confirm").click()
        expect(each.row("Ada")).to_be_visible()
    cleo.follow_gps(48.2270, 16.3738)
    for each in (ada, ben):
        expect(each.marker("Cleo")).to_be_visible()
    cleo.page.goto("about:blank")
    meet_by_gps(ada, ben)
    # Dan has never reported a position, so he counts neither as present nor as absent.
    expect(ada.at("gathering")).to_have_text("2 together", timeout=JUDGED)
    cleo.open()
    expect(cleo.at("alert")).to_contain_text("Ada and Ben are together")
    expect(cleo.at("gathering-distance")).to_have_text("2.1 km")
    expect(dan.at("gathering-distance")).to_have_text(re.compile(r"^since \d\d:\d\d$"))
    cleo.go_to(48.2130, 16.3738)
    expect(cleo.at("gathering-distance")).to_have_text(re.compile(r"^5[123]0 m$"))
    cleo.at("gathering-show").click()
    for name in ("Ada", "Cleo"):
        expect(cleo.marker(name)).to_be_in_viewport()
    cleo.at("alert-wait").click()
    expect(cleo.at("alert-waiting")).to_have_text("They know · 30 min")
    ada.at("notice-open").click()
    expect(ada.at("chat-text").last).to_have_text("Wait for me, 30 min")


#: Twelve gatherings of an hour and a half, 20 hours apart, every other one at a place with a name.
PAST = """
    UPDATE muster.membership SET joined_at = joined_at - interval '90 years' WHERE group_id = :group;
    INSERT INTO muster.gathering (id, group_id, state, since, ended_at, updated_at, lat, lon, place_name)
    SELECT :group - n, :group, 'ended', :'noon'::timestamptz - n * interval '20 hours' - interval '95 minutes',
        :'noon'::timestamptz - n * interval '20 hours', now(), 48.3, 16.5, CASE WHEN n % 2 = 1 THEN 'Blue Bottle' END
    FROM generate_series(1, 12) n;
    INSERT INTO muster.gathering_member (gathering_id, user_id, took_part, standing)
    SELECT :group - n, m.user_id, m.role = 'owner' OR n < 3, 'elsewhere'
    FROM generate_series(1, 12) n, muster.membership m WHERE m.group_id = :group;"""


def group_of(window):
    """The number of the group that a window shows."""
    return window.group()


def test_past_gatherings_are_told_newest_first_and_page_by_page_and_can_be_tried_again(pair, server):
    ada, ben = pair
    ada.at("gatherings-open").click()
    expect(ada.at("gatherings-state")).to_have_text(
        "No gatherings yet. When more than half of you have been at one place for 3 min, it shows here.")
    ada.at("gatherings-back").click()
    server.sql(PAST, group=group_of(ada), noon="2025-07-20 12:00+02")
    ada.page.route("**/gatherings?*", lambda route: route.abort())
    ada.at("gatherings-open").click()
    expect(ada.at("gatherings-state")).to_have_text("The server cannot be reached. Check your connection.")
    ada.forgive("gatherings")
    ada.page.unroute("**/gatherings?*")
    ada.at("gatherings-retry").click()
    expect(ada.at("gatherings-retry")).not_to_be_visible()
    entries = ada.at("past-gathering")
    expect(entries).to_have_count(10)
    expect(entries.nth(0)).to_contain_text("19 Jul 2025, 14:25–16:00")
    expect(entries.nth(0)).to_contain_text("1 h 35 min")
    expect(entries.nth(0)).to_contain_text("Blue Bottle")
    expect(entries.nth(0)).to_contain_text("Ben and you")
    expect(entries.nth(1)).to_contain_text("18 Jul 2025, 18:25–20:00")
    expect(entries.nth(1)).to_contain_text("On the map")
    expect(entries.nth(2)).to_contain_text("You")
    expect(entries.nth(2)).not_to_contain_text("Ben")
    expect(entries.nth(2)).to_contain_text("17 Jul 2025, 22:25 – 18 Jul 2025, 00:00")
    assert nameless(ada) == [] and broken_references(ada) == []
    ada.at("gatherings-more").click()
    expect(entries).to_have_count(12)
    expect(ada.at("gatherings-more")).not_to_be_visible()
    expect(entries.nth(10).get_by_test_id("gathering-place")).to_be_focused()
    entries.nth(0).get_by_test_id("gathering-place").click()
    expect(ada.marker("Ada")).not_to_be_in_viewport()
    expect(entries.nth(0)).to_be_visible()
    ada.page.go_back()
    expect(ada.at("member-list")).to_be_visible()


def test_a_gathering_that_begins_and_ends_shows_in_the_open_list(pair, window):
    ada, ben = pair
    ada.set_rules(dwell=0)
    ada.at("group-invite").click()
    link = ada.make_invite()
    ada.close_dialog()
    # The history view hides the list of members, so another user watches it.
    cleo = window().open(link).sign_up("Cleo")
    cleo.at("join-confirm").click()
    cleo.at("gatherings-open").click()
    expect(cleo.at("gatherings-state")).to_have_text("No gatherings yet. When more than half of you have been at one place, it shows here.")
    stay_together(ada, ben)
    entry = cleo.at("past-gathering")
    expect(entry).to_contain_text(re.compile(r"^Today, since \d\d:\d\d.*together now.*Ada and Ben$"), timeout=JUDGED)
    expect(cleo.at("gatherings-state")).to_have_text("")
    ben.share("paused")
    expect(ada.at("gathering")).to_have_text("Just parted")
    expect(ada.at("gathering-distance")).to_have_text(re.compile(r"^Together since \d\d:\d\d$"))
    # The gathering ends after one minute of this state.
    expect(entry).to_contain_text(re.compile(r"^Today, \d\d:\d\d–\d\d:\d\d1 min"), timeout=90_000)
    cleo.at("gatherings-back").click()
    for each in (ada, cleo):
        expect(each.at("gathering-card")).not_to_be_visible()


# Rules


def test_rules_that_cannot_work_with_the_phones_are_doubted_where_they_are_made(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    for each, lat in ((ada, 48.2082), (ben, 48.2083)):
        each.follow_gps(lat, 16.3738, accuracy=25)
        # An acknowledged fix is stored and evaluated.
        until(each.page, lambda each=each: any(frame["type"] == "ack" for frame in each.received), "no fix was acknowledged")
    ada.in_groups("group-menu")
    doubt = ada.at("group-warning")
    expect(doubt).to_have_attribute("role", "status")
    expect(doubt).to_have_text("")
    ada.at("setting-radius").select_option("20")
    ada.at("group-save").click()
    expect(doubt).to_have_text("Saved, but: A radius of 20 m is too small for positions with an accuracy of 25 m. "
                               "Members who are together may count as apart. Choose 38 m or more.")
    finds_nothing(ada, "a doubt")
    # The warning stays visible while scrolling and does not time out.
    expect(ada.at("toasts").locator(".toast")).to_have_count(0)
    for control in ("setting-cooldown", "group-rename", "group-save"):
        ada.at(control).focus()
        ada.at(control).scroll_into_view_if_needed()
        expect(doubt).to_be_in_viewport(ratio=1)
    ada.at("setting-radius").select_option("50")
    ada.at("group-save").click()
    expect(doubt).to_have_text("")
    expect(ada.at("toasts")).to_contain_text("Saved.")


def test_the_rules_are_sentences_and_reach_the_others_at_once(pair):
    ada, ben = pair
    ada.in_groups("group-menu")
    words = {
        "radius": ("100", "500", "People are together within 500 m."),
        "dwell": ("180", "300", "Being together counts after 5 min."),
        "maxAbsent": ("1", "3", "An alert is sent when at most 3 are missing."),
        "cooldown": ("1800", "3600", "At most one alert is sent every 1 h."),
    }
    for key, (before, chosen, _) in words.items():
        expect(ada.at(f"setting-{key}")).to_have_value(before)
        ada.at(f"setting-{key}").select_option(chosen)
    ada.at("group-save").click()
    expect(ada.at("toasts")).to_contain_text("Saved.")
    ada.close_dialog()
    ben.in_groups("group-menu")
    for key, (_, _, after) in words.items():
        expect(ben.at(f"rule-{key}")).to_have_text(after)
    ada.page.reload()
    ada.is_live()
    ada.in_groups("group-menu")
    for key, (_, chosen, _) in words.items():
        expect(ada.at(f"setting-{key}")).to_have_value(chosen)

    ben.page.reload()
    ben.is_live()
    ben.in_groups("group-menu")
    for key, (_, _, after) in words.items():
        expect(ben.at(f"rule-{key}")).to_have_text(after)
    expect(ben.at("setting-radius")).to_have_count(0)
    expect(ben.at("rules-why")).to_have_text("Only Ada can change this, as the group’s owner.")


#: Notifications that are stored but not yet sent: a departure just now, and another from an hour ago.
UNTOLD = """
    UPDATE muster.membership SET joined_at = now() - interval '1 day' WHERE user_id = :user;
    INSERT INTO muster.notification (user_id, number, kind, group_id, subject, at, payload)
    SELECT :user, number, 'left_without_you', :group, 'untold:' || number, now() - ago,
        jsonb_build_object('gathering', '1', 'variant', variant,
            'since', floor(extract(epoch FROM now() - ago - interval '1 hour') * 1000),
            'place', jsonb_build_object('lat', 48.21, 'lon', 16.37, 'name', 'Blue Bottle'),
            'together', '[{"id":"7","name":"Ada"},{"id":"8","name":"Ben"}]'::jsonb, 'distance', 2140,
            'you', jsonb_build_object('lat', 48.23, 'lon', 16.37, 'at', 1732060790000))
    FROM (VALUES (1, 'gathered', interval '62 minutes'), (2, 'departed', interval '61 minutes'), (3, 'departed', interval '10 seconds')) v (number, variant, ago);
    UPDATE muster.account SET last_notification = 3 WHERE id = :user;"""


def untold(cleo, server):
    """Cleo in a group of her own, back after a while: three alerts wait for her."""
    cleo.open().sign_up("Cleo").create_group("Choir")
    group = group_of(cleo)
    cleo.page.goto("about:blank")
    [(user,)] = server.sql("SELECT user_id FROM muster.membership WHERE group_id = :group", group=group)
    server.sql(UNTOLD, group=group, user=user)
    return cleo.open()


# Accounts


def test_a_logout_in_another_tab_or_by_the_server_leads_to_the_door(window):
    ada = window().open().sign_up("Ada")
    other = ada.context.new_page()
    other.goto(ada.url)
    expect(other.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    expect(ada.at("connection")).to_have_attribute("data-state", "live")
    ada.visit("you")
    expect(ada.at("own-name")).to_have_text("Ada")
    # The server ends the socket before its answer is here, which comes when Ada has long logged in again.
    late = []
    ada.page.route("**/v1/sessions/current", lambda route: late.append((route, route.fetch())))
    ada.at("log-out").click()
    expect(ada.at("auth-form")).to_be_visible()
    expect(other.get_by_test_id("auth-form")).to_be_visible()
    assert ada.page.evaluate("localStorage.getItem('muster.token')") is None
    other.close()

    ada.log_in(ada.username, PASSWORD)
    ada.is_live()
    [(route, answer)] = late
    with ada.page.expect_response("**/v1/sessions/current"):
        route.fulfill(response=answer)
    ada.visit("people")
    ada.is_live()
    token = ada.page.evaluate("localStorage.getItem('muster.token')")
    ada.page.request.delete(f"{ada.url}/v1/sessions/current", headers={"Authorization": f"Bearer {token}"})
    expect(ada.at("auth-form")).to_be_visible(timeout=2000)
    expect(ada.page.get_by_text("You were logged out.")).to_be_visible()


def test_the_door_says_what_is_wrong_with_an_invite_a_username_and_a_password(window):
    ada = window().open().sign_up("Ada")
    ada.at("group-name").fill("Choir")
    ada.at("group-create").click()
    link = ada.make_invite()
    ada.at("invite-revoke").click()
    expect(ada.at("invite-url")).not_to_have_value(link)
    other = window().open(link)
    expect(other.at("invite-preview")).to_contain_text("does not exist any more")
    other.forgive("40[49]|410")
    for mode in ("login", "signup"):
        other.at(f"auth-mode-{mode}").click()
        assert nameless(other) == []
        assert broken_references(other) == []
    other.at("signup-name").fill("Another Ada")
    other.at("auth-username").fill(ada.username)
    other.at("auth-password").fill(PASSWORD)
    other.at("auth-submit").click()
    expect(other.at("auth-username-problem")).to_contain_text("This username is taken.")
    other.forgive("409")
    other.open()
    other.log_in(ada.username, "not her password")
    expect(other.at("auth-password-problem")).to_have_text("The username or the password is wrong.")
    expect(other.at("auth-password")).to_be_focused()
    other.forgive("401")
    other.log_in(ada.username, PASSWORD)
    other.is_live()
    expect(other.at("group-switcher")).to_contain_text("Choir")


def test_new_names_reach_the_others_at_once_and_who_leaves_is_gone(pair):
    ada, ben = pair
    ada.in_groups("group-menu")
    ada.at("group-rename").fill("Monday climbers")
    ada.at("group-save").click()
    expect(ada.at("group-switcher")).to_contain_text("Monday climbers")
    expect(ben.at("group-switcher")).to_contain_text("Monday climbers", timeout=SOON)
    ada.close_dialog()
    ada.visit("you")
    expect(ada.at("profile-name")).to_have_value("Ada")
    ada.at("profile-edit").click()
    ada.at("profile-name").fill("Ada Lovelace")
    ada.at("profile-save").click()
    ada.visit("people")
    expect(ben.row("Ada Lovelace")).to_be_visible()
    expect(ben.marker("Ada Lovelace")).to_be_visible()
    expect(ada.row("Ada Lovelace")).to_contain_text("(you)")
    ben.in_groups("group-menu")
    expect(ben.at("group-dialog").get_by_role("heading", name="Monday climbers")).to_be_visible()
    ben.at("group-leave").click()
    ben.at("group-leave-confirm").click()
    expect(ben.at("no-groups")).to_be_visible()
    expect(ada.row("Ben")).to_have_count(0)
    expect(ada.marker("Ben")).to_have_count(0)


# Keyboard and screen readers


def tab_to(window, testid, most=40):
    """Presses Tab until a control has the focus, and holds each stop to be visible."""
    for _ in range(most):
        window.page.keyboard.press("Tab")
        stop = window.page.evaluate("""() => {
          const at = document.activeElement, style = getComputedStyle(at);
          const box = at.getBoundingClientRect();
          return {
            testid: at.dataset.testid ?? null,
            html: at.outerHTML.slice(0, 120),
            body: at === document.body,
            marked: (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none",
            sized: box.width > 0 && box.height > 0,
          };
        }""")
        if stop["body"]:
            continue
        assert stop["marked"] and stop["sized"], f"the focus does not show on {stop['html']}"
        if stop["testid"] == testid:
            return
    raise AssertionError(f"{testid} is not reached by {most} tabs")


def test_the_keyboard_alone_is_enough(window):
    ada = window().open()
    keyboard = ada.page.keyboard
    ada.name = "Ada"
    tab_to(ada, "signup-name")
    keyboard.type("Ada")
    keyboard.press("Tab")
    keyboard.type("keyboard-ada")
    keyboard.press("Tab")
    keyboard.type("correct horse battery")
    keyboard.press("Enter")
    ada.is_live()
    expect(ada.at("no-groups")).to_be_visible()
    tab_to(ada, "group-name")
    keyboard.type("Choir")
    keyboard.press("Enter")
    expect(ada.at("invite-url")).not_to_have_value("")
    tab_to(ada, "invite-share")
    tab_to(ada, "group-invite")
    keyboard.press("Enter")
    expect(ada.at("invite-dialog")).to_be_visible()
    keyboard.press("Escape")
    expect(ada.at("invite-dialog")).to_have_count(0)
    expect(ada.at("group-invite")).to_be_focused()
    # The sections follow the panel.
    tab_to(ada, "nav-you")
    keyboard.press("Enter")
    expect(ada.page.locator("#heading")).to_have_text("You")
    tab_to(ada, "demo-open")
    keyboard.press("Enter")
    tab_to(ada, "share-walk")
    keyboard.press("Space")
    marker = ada.marker("Ada")
    expect(marker).to_be_focused()
    before = float(marker.get_attribute("data-lat")), float(marker.get_attribute("data-lon"))
    keyboard.press("ArrowUp")
    expect(marker).not_to_have_attribute("data-lat", js_number(before[0]))
    after = float(marker.get_attribute("data-lat")), float(marker.get_attribute("data-lon"))
    assert after[0] > before[0] and after[1] == pytest.approx(before[1], abs=1e-5)
    keyboard.press("Enter")
    expect(ada.page.get_by_test_id(re.compile("^callout-[0-9]"))).to_be_visible()
    tab_to(ada, "callout-close")
    keyboard.press("Escape")
    expect(ada.page.get_by_test_id(re.compile("^callout-[0-9]"))).to_have_count(0)


#: Waits until what moves by itself stands still.
STILL = "async () => void await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))"


def test_a_phone_shows_all_of_it(window):
    ada = window(**PHONE).open().sign_up("Ada")
    ada.create_group("Sunday climbers")
    ada.walk()
    page = ada.page

    def fits():
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        small = page.evaluate("""() => [...document.querySelectorAll("button, a.button, .rail a, input:not([type=radio], [type=checkbox]), select")]
          .filter((each) => each.checkVisibility({ visibilityProperty: true }))
          .map((each) => [each.getBoundingClientRect(), each.outerHTML.slice(0, 90)])
          .filter(([box]) => box.left < 0 || box.right > innerWidth || box.height < 28)
          .map(([, html]) => html)""")
        assert small == [], "controls that are cut off or too small to be touched"

    fits()
    expect(ada.marker("Ada")).to_be_in_viewport()
    panel = page.locator(".panel")
    page.evaluate(STILL)
    marker, half = ada.marker("Ada").bounding_box(), panel.bounding_box()
    assert marker["y"] + marker["height"] <= half["y"], "the sheet covers one's own marker"
    assert half["y"] >= 380, "half of the page is the map"
    handle = ada.at("sheet-handle")
    for key, stop, value in (("ArrowUp", "full", "2"), ("Home", "peek", "0"), ("End", "full", "2"), ("Escape", "half", "1"), ("ArrowDown", "peek", "0")):
        handle.focus()
        page.keyboard.press(key)
        expect(panel).to_have_attribute("data-sheet", stop)
        expect(handle).to_have_attribute("aria-valuenow", value)
        page.evaluate(STILL)
        tall = {"peek": 72, "half": 371, "full": 724}[stop]
        assert abs(panel.bounding_box()["height"] - tall) < 2, stop
        fits()
    expect(ada.at("member-list")).not_to_be_visible()
    handle.tap()
    expect(panel).to_have_attribute("data-sheet", "half")
    expect(ada.at("member-list")).to_be_visible()
    # By hand: the sheet follows, and rests at the nearest stop. A choice raises it, and a drag of the map lowers it.
    page.evaluate(STILL)
    x, y = 195, page.locator(".panel").bounding_box()["y"] + 12
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 300, steps=5)
    page.mouse.up()
    expect(panel).to_have_attribute("data-sheet", "peek")
    ada.marker("Ada").tap()
    expect(panel).to_have_attribute("data-sheet", "half")
    page.mouse.move(60, 250)
    page.mouse.down()
    page.mouse.move(160, 260, steps=5)
    page.mouse.up()
    expect(panel).to_have_attribute("data-sheet", "peek")
    ada.at("nav-people").tap()
    ada.at("nav-people").tap()
    expect(panel).to_have_attribute("data-sheet", "half")
    for opener, dialog in (("sharing", "sharing-dialog"), ("group-invite", "invite-dialog"), ("group-menu", "group-dialog")):
        ada.in_groups(opener) if opener == "group-menu" else ada.at(opener).tap()
        expect(ada.at(dialog)).to_be_visible()
        fits()
        ada.close_dialog()
    for section, heading in (("places", "Places"), ("events", "Events"), ("chat", "Chat"), ("you", "You"), ("people", "Map")):
        ada.at(f"nav-{section}").tap()
        expect(page.locator("#heading")).to_have_text(heading)
        fits()
    ada.at("gatherings-open").tap()
    expect(ada.at("gatherings-panel")).to_be_visible()
    fits()


#: Roles of the accessibility tree that need a name for screen readers.
NAMED = {"button", "link", "textbox", "combobox", "checkbox", "radio", "spinbutton", "dialog", "region", "image", "img", "menuitem", "option", "article"}


def nameless(window):
    """What a screen reader would meet without being able to say what it is."""
    session = window.context.new_cdp_session(window.page)
    session.send("Accessibility.enable")
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    found, met = [], 0
    for node in nodes:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in NAMED:
            continue
        met += 1
        if not node.get("name", {}).get("value", "").strip():
            found.append((role, described(session, node)))
    session.detach()
    assert met > 0
    return found


def described(session, node):
    """The beginning of an element's HTML."""
    html = session.send("DOM.getOuterHTML", {"backendNodeId": node["backendDOMNodeId"]})["outerHTML"]
    return html[:160]


def broken_references(window):
    """Identifiers that are used twice, and ARIA attributes that point nowhere."""
    return window.page.evaluate("""() => {
      const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      const nowhere = ["aria-labelledby", "aria-describedby", "aria-controls", "for"].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)].flatMap((each) => each.getAttribute(name).split(" ")).filter((id) => !document.getElementById(id)));
      return [...twice, ...nowhere];
    }""")


def test_everything_has_a_name_that_can_be_spoken_and_a_person_is_one_tab_stop(pair):
    ada, _ = pair
    assert ada.page.locator("h1").count() == 1
    # The list is one stop, in which arrow keys move.
    ada.row("Ben").focus()
    ada.page.keyboard.press("ArrowDown")
    expect(ada.row("Ada")).to_be_focused()
    ada.page.keyboard.press("Home")
    expect(ada.row("Ben")).to_be_focused()
    ada.page.keyboard.press("Tab")
    assert ada.page.evaluate("document.activeElement.closest('.members') === null")
    for opener, dialog in ((None, None), ("group-menu", "group-dialog"), ("sharing", "sharing-dialog"),
                           ("group-invite", "invite-dialog"), ("group-new", "new-group-dialog")):
        if opener:
            ada.in_groups(opener) if opener in ("group-menu", "group-new") else ada.at(opener).click()
            expect(ada.at(dialog)).to_be_visible()
            if dialog == "invite-dialog":
                ada.make_invite()
        assert nameless(ada) == [], dialog
        assert broken_references(ada) == [], dialog
        if opener:
            ada.close_dialog()
    for section in ("places", "you", "people"):
        ada.visit(section)
        assert nameless(ada) == [], section
        assert broken_references(ada) == [], section
    expect(ada.marker("Ben")).to_have_attribute("aria-label", "Ada and Ben: 2 people close together")
    ada.row("Ben").click()
    expect(ada.page.get_by_test_id(re.compile("^callout-[0-9]"))).to_be_visible()
    assert nameless(ada) == [], "the callout"
    ada.page.keyboard.press("Escape")
    ada.step(*["ArrowUp"] * 5)
    expect(ada.marker("Ben")).to_have_attribute("aria-label", re.compile(r"^Ben, (next to you|\d+ m \w+(-\w+)?), just now$"))

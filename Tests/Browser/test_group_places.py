"""Places of a group: each member decides who hears of their own arrivals, and sees nobody else's choice."""

from playwright.sync_api import expect


def test_a_place_is_added_by_a_long_press_and_a_member_chooses_who_hears(pair):
    ada, ben = pair
    box = ada.at("map").bounding_box()
    ada.page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.3, button="right")
    form = ada.at("place-add-dialog")
    form.get_by_test_id("place-save").click()
    expect(form.get_by_test_id("place-name-problem")).to_have_text("The place needs a name.")
    form.get_by_test_id("place-name").fill("Home")
    form.get_by_test_id("place-save").click()
    sheet = ada.at("place-dialog")
    heard = sheet.get_by_test_id("place-heard")
    expect(heard).to_have_text("Nobody hears when you arrive here.")
    sheet.get_by_test_id("place-some").check()
    sheet.get_by_label("Ben").check()
    sheet.get_by_test_id("place-choose").click()
    expect(heard).to_have_text("Ben hears when you arrive here.")
    sheet.get_by_test_id("dialog-close").click()

    ben.in_groups("group-menu")
    places = ben.at("group-dialog").get_by_test_id("group-places")
    expect(places).to_contain_text("Home")
    expect(places).to_contain_text("Nobody hears when you arrive here.")
    expect(places).not_to_contain_text("Ada")

    ada.page.reload()
    ada.in_groups("group-menu")
    places = ada.at("group-dialog").get_by_test_id("group-places")
    expect(places).to_contain_text("Ben hears when you arrive here.")
    places.get_by_role("button", name="Home").click()
    ada.at("place-dialog").get_by_test_id("place-delete").click()
    ada.at("place-delete-confirm").click()
    expect(ben.at("group-dialog")).to_be_visible()
    ben.at("group-dialog").get_by_test_id("dialog-close").click()
    ben.in_groups("group-menu")
    expect(ben.at("group-dialog").get_by_test_id("group-places")).not_to_contain_text("Home")

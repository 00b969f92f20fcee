/** The addresses of the page, and the router that follows them. */
import assert from "node:assert/strict";
import test from "node:test";
import { replace } from "./page.mjs";

const { Router, address, parse } = await import("/app/shell/router.js");

test("an address says group, section and the rest", () => {
  for (const [hash, group, section, rest] of [
    ["", null, null, []],
    ["#/people", null, "people", []],
    ["#/g/81/people/7", "81", "people", ["7"]],
    ["#/g/81", "81", null, []],
    ["#/g", null, "g", []],
    ["#/join/A%2FB%20C", null, "join", ["A/B C"]],
    // A damaged escape is taken as it is.
    ["#/join/%E0%A4", null, "join", ["%E0%A4"]],
  ]) assert.deepEqual(parse(hash), { group, section, rest }, hash);
});

test("an address that is made is read again as the same", () => {
  for (const route of [
    { group: null, section: "events", rest: [] },
    { group: "81", section: "people", rest: ["7"] },
    { group: "81", section: "places", rest: ["spots", "a/b?c#d é%"] },
  ]) assert.deepEqual(parse(address(route.section, route)), route);
});

test("the router follows the address, and adds no history when it replaces", (t) => {
  const page = new EventTarget();
  const location = { hash: "#/people" };
  const replaced = [];
  replace(t, globalThis, {
    location,
    history: { replaceState: (state, title, to) => (replaced.push(to), (location.hash = to)) },
    addEventListener: page.addEventListener.bind(page),
  });
  const routes = [];
  const router = new Router(({ section }) => routes.push(section));
  assert.equal(router.route.section, "people");
  router.go("#/people");
  assert.deepEqual([routes, replaced], [[], []]);
  router.go("#/places");
  page.dispatchEvent(new Event("hashchange"));
  router.go("#/you", { replace: true });
  assert.deepEqual([routes, replaced, location.hash], [["places", "you"], ["#/you"], "#/you"]);
  router.close();
  page.dispatchEvent(new Event("hashchange"));
  assert.deepEqual(routes, ["places", "you"]);
});

/** The rule by which the page groups points of the map into bubbles. */
import assert from "node:assert/strict";
import test from "node:test";
import { dice } from "./dice.mjs";
import "./page.mjs";

const { cluster } = await import("/app/map/clusters.js");

const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

test("bubbles keep apart and stay near all their points", () => {
  const random = dice(7);
  for (let round = 0; round < 300; round += 1) {
    const size = 60 + 600 * random();
    const points = Array.from({ length: 1 + Math.floor(250 * random()) }, (_, n) => ({ key: String(n), x: size * random(), y: size * random(), isFixed: n === 0 && round % 3 === 0 }));
    const centres = cluster(points);
    for (const [index, one] of centres.entries()) {
      for (const other of centres.slice(index + 1)) assert.ok(distance(one, other) >= 40, `round ${round}: two bubbles are too near`);
      for (const point of one.points) {
        assert.ok(distance(one, point) <= 70, `round ${round}: a bubble is too far from a point`);
        if (point.isFixed || one.points.length === 1) assert.ok(distance(one, point) < 1e-6, `round ${round}: a lone or fixed point has moved`);
      }
    }
    const kept = centres.flatMap((centre) => centre.points.map(({ key }) => key));
    assert.deepEqual(kept.sort(), points.map(({ key }) => key).sort(), `round ${round}: points are lost`);
    assert.equal(cluster([...points].reverse()).length, centres.length, `round ${round}: the order of the points matters`);
  }
});

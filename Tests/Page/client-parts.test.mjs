/** The parts of the client that need no connection: backoff, token bucket, fix queue, and the saving mode. */
import assert from "node:assert/strict";
import test from "node:test";
import { PlayedClock } from "./page.mjs";

const { Backoff, FixQueue, FixReporter, SIGNIFICANT_CHANGE, TokenBucket } = await import("/muster.js");

/** A queue of `count` fixes whose latitudes are 1, 2, … */
function queueOf(count, options) {
  const queue = new FixQueue(options);
  for (let lat = 1; lat <= count; lat += 1) queue.add({ lat, lon: 0 });
  return queue;
}

const numbers = (fixes) => fixes.map(({ seq }) => seq);

// Backoff

test("delays are drawn from zero to a ceiling that doubles up to the cap", () => {
  const backoff = new Backoff({ base: 500, cap: 30_000, random: () => 1 });
  const ceilings = Array.from({ length: 60 }, () => backoff.next());
  assert.deepEqual(ceilings.slice(0, 8), [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  assert.deepEqual([...new Set(ceilings.slice(8))], [30_000]);
});

test("full jitter spreads over the whole range", () => {
  const delays = Array.from({ length: 2000 }, () => {
    const backoff = new Backoff({ base: 1000, cap: 8000 });
    for (let n = 0; n < 3; n += 1) backoff.next();
    return backoff.next();
  });
  const [least, most] = [Math.min(...delays), Math.max(...delays)];
  assert.ok(least >= 0 && least < 400 && most > 7600 && most <= 8000, `${least} … ${most}`);
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
  assert.ok(mean > 3600 && mean < 4400, `mean ${mean}`);
});

test("a success starts over", () => {
  const backoff = new Backoff({ base: 500, random: () => 1 });
  backoff.next();
  backoff.next();
  backoff.reset();
  assert.equal(backoff.next(), 500);
});

// Token bucket

test("a burst passes at once, and then the rate", () => {
  const bucket = new TokenBucket({ rate: 10, burst: 30 });
  assert.equal(bucket.available(0), 30);
  bucket.spend(30);
  assert.deepEqual([bucket.available(0), bucket.wait], [0, 100]);
  assert.equal(bucket.available(500), 5);
  bucket.spend(5);
  assert.equal(bucket.available(1e6), 30);
});

// Fix queue

test("numbers go on above those of the server and never repeat", () => {
  const queue = new FixQueue({ lastSeq: 7 });
  queue.add({ lat: 1, lon: 1 });
  queue.resume(40);
  assert.deepEqual(numbers(queue.take()), [41]);
  queue.add({ lat: 2, lon: 2 });
  assert.deepEqual(numbers(queue.take()), [42]);
});

test("an unacknowledged fix is sent again with its number, oldest first", () => {
  const queue = queueOf(5);
  queue.take(3);
  queue.acknowledge(1);
  queue.resume(1);
  assert.deepEqual(queue.take().map(({ seq, lat }) => [seq, lat]), [[2, 2], [3, 3], [4, 4], [5, 5]]);
});

test("a batch has at most the requested number of fixes", () => {
  const queue = queueOf(450);
  assert.deepEqual([queue.take(200).length, queue.take(200).length, queue.take(200).length, queue.hasUnsent], [200, 200, 50, false]);
});

test("a resend marks only later fixes", () => {
  const queue = queueOf(5);
  queue.take();
  queue.resendAfter(3);
  assert.deepEqual(numbers(queue.take()), [4, 5]);
});

test("a refused fix does not come back", () => {
  const queue = queueOf(3);
  queue.take();
  queue.refuse(2);
  queue.resume(0);
  assert.deepEqual(numbers(queue.take()), [1, 3]);
});

test("a full queue thins its old half and keeps the recent one", () => {
  const queue = queueOf(1000, { capacity: 100 });
  const kept = queue.take(1000).map(({ lat }) => lat);
  assert.ok(kept.length <= 100);
  assert.equal(kept.length + queue.dropped, 1000);
  assert.deepEqual(kept, [...kept].sort((one, other) => one - other));
  assert.equal(kept[0], 1);
  assert.deepEqual(kept.slice(-50), Array.from({ length: 50 }, (_, n) => 951 + n));
});

// The saving mode

test("the saving mode sends a fix on a significant change only", async (t) => {
  const clock = new PlayedClock(t);
  const sent = [];
  const reporter = new FixReporter({ lastSeq: 0, keepSeq() {}, isLive: () => true, now: () => Date.now(), send: (frame) => sent.push(frame) });
  const report = (lat, options) => reporter.report({ lat, lon: 16, trigger: "move" }, options);
  const seen = () => sent.map(({ lat, trigger }) => [lat, trigger]);

  assert.equal(report(48.0), true);
  reporter.isSaving = true;
  assert.deepEqual(SIGNIFICANT_CHANGE, { metres: 500, milliseconds: 300_000 });
  // 0.0045 degrees of latitude are 500.4 m.
  assert.deepEqual([48.001, 48.004, 48.0044].map((lat) => report(lat)), [false, false, false]);
  assert.equal(report(48.0045), true);
  // The distance is measured from the last sent fix.
  assert.deepEqual([48.006, 48.003].map((lat) => report(lat)), [false, false]);
  await clock.run(200_000);
  assert.equal(report(48.0046), false);
  await clock.run(99_000);
  assert.deepEqual(seen(), [[48.0, "move"], [48.0045, "significant"]]);
  await clock.run(1_000);
  // The newest of the withheld fixes is sent, with its own time.
  assert.deepEqual(seen().slice(2), [[48.0046, "significant"]]);
  assert.equal(sent[2].at - sent[1].at, 200_000);
  // Without a new fix nothing is sent; after five minutes any fix is sent.
  await clock.run(900_000);
  assert.equal(sent.length, 3);
  assert.equal(report(48.0046), true);
  // A locate request is answered even in saving mode, and the answer counts as a sent fix.
  assert.equal(report(48.005, { answer: "5001" }), true);
  assert.equal(report(48.006), false);
  // Withheld fixes are dropped when saving mode ends.
  reporter.isSaving = false;
  await clock.run(400_000);
  assert.equal(report(48.007), true);
  assert.deepEqual(seen().slice(3), [[48.0046, "significant"], [48.005, "answer"], [48.007, "move"]]);
});

/** A thread that runs seeds of the chat model: `node:test` would trace every one of its promises, at thrice the time. */
import { parentPort, workerData } from "node:worker_threads";
import "./page.mjs";

const { tried } = await import("./chat-model.mjs");
const differing = [];
for (let seed = 1; seed <= workerData.seeds; seed += 1) {
  const differences = await tried(seed, workerData.options);
  if (differences.length > 0) differing.push({ seed, differences });
}
parentPort.postMessage(differing);

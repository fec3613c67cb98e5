import { parentPort } from "node:worker_threads";
import type { Asked, Told } from "./threads.ts";

// A thread that calls what it is asked to, one call after another.

const port = parentPort;
port?.on("message", async ({ module, name, given }: Asked) => {
  let told: Told;
  try {
    const made = (await import(module)) as Record<string, (given: unknown) => unknown>;
    const called = made[name] as (given: unknown) => unknown;
    told = { value: await called(given) };
  } catch (error) {
    told = { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  port.postMessage(told);
});

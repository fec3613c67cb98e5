import { AsyncLocalStorage } from "node:async_hooks";
import type { Reader } from "../kernel/db.ts";
import type { JobHandlers, RunInside } from "../kernel/machines.ts";
import { startWorkerProcess } from "./worker.ts";

// A worker in a process of its own, for tests that kill it: `killable-worker.ts <connection string> [held]`. With `held`, every job stands still for ever right after the first
// thing that it has written, or at its end where it writes nothing. Tells of that by a line of its output, `held <job>`, and says `ready` before.

const [connectionString = "", mode] = process.argv.slice(2);
const held = mode === "held";
const running = new AsyncLocalStorage<string>();

const standStill = async (): Promise<void> => {
  const job = running.getStore();
  if (!held || job === undefined) return;
  process.stdout.write(`held ${job}\n`);
  await new Promise(() => undefined);
};

const between = (db: Reader): Reader => ({
  load: (...asked) => db.load(...asked),
  async query<R extends object>(text: string, values?: readonly unknown[]) {
    const rows = await db.query<R>(text, values);
    if (/^\s*(with|insert|update|delete)\b/i.test(text)) await standStill();
    return rows;
  },
});

const betweenCalls = (inside: RunInside): RunInside => {
  return async (...call) => {
    const output = await inside(...call);
    await standStill();
    return output;
  };
};

/** What has not got anywhere after so long stands behind another job that stands still (milliseconds). */
const behindMs = 10_000;

const around = (jobs: JobHandlers): JobHandlers =>
  Object.fromEntries(
    Object.entries(jobs).map(([name, handle]) => [
      name,
      (payload: unknown) =>
        running.run(name, async () => {
          if (held) setTimeout(() => process.stdout.write(`held ${name}\n`), behindMs);
          await handle(payload);
          await standStill();
        }),
    ]),
  );

const machines = await startWorkerProcess(connectionString, held ? { between, betweenCalls } : {});
// A task stands still when it is to ask its model for the first time.
const beginModel = () => running.run("run_task", standStill) as Promise<never>;
await machines.worker({ around, concurrency: 64, ...(held && { port: { beginModel } }) });
if (!held) machines.sweeper.start();
process.stdout.write("ready\n");

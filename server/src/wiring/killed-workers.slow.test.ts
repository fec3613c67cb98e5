import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, it, vi } from "vitest";
import { useApp } from "../testing/app.ts";
import { useWorkerProcess } from "../testing/worker.ts";
import { arrangements } from "./killed-workers.fixture.ts";

// Workers are processes of their own here, killed as an operating system does. See testing/killable-worker.ts.

const app = useApp();
const machines = useWorkerProcess(app);
const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

/** A worker that works, or one that stands still in the middle of each job; `held` names the jobs in which it does. */
async function startWorker(
  ...mode: readonly "held"[]
): Promise<{ readonly child: ChildProcess; readonly held: Set<string> }> {
  const entry = path.join(import.meta.dirname, "../testing/killable-worker.ts");
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", entry, app.connectionString, ...mode],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  children.add(child);
  const held = new Set<string>();
  const ready = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line === "ready") ready.resolve();
    if (line.startsWith("held ")) held.add(line.slice("held ".length));
  });
  child.once("exit", (code) => ready.reject(new Error(`the worker ended with ${code}`)));
  await ready.promise;
  return { child, held };
}

/** Beyond the 30 seconds: how long the work itself may take, all kinds at once on a machine with much to do (milliseconds). */
const workMs = 30_000;

it.each([
  ["another one that works beside it", true],
  ["one that is started afterwards", false],
] as const)(
  "finishes work of every kind whose worker was killed in the middle of it, by %s",
  async (_by, beside) => {
    await app.pool.query("delete from graphile_worker._private_jobs");
    const kinds = beside
      ? Object.entries(arrangements)
      : Object.entries(arrangements).filter(([kind]) => repeatable.has(kind));
    const isDone = new Map<string, () => Promise<boolean>>();
    for (const [kind, arrange] of kinds) isDone.set(kind, await arrange(app, machines));
    await app.pool.query("update graphile_worker._private_jobs set run_at = now()");
    const victim = await startWorker("held");
    await vi.waitFor(() => expect([...isDone.keys()].filter((kind) => !victim.held.has(kind))).toEqual([]), {
      timeout: 60_000,
      interval: 100,
    });
    if (beside) await startWorker();
    victim.child.kill("SIGKILL");
    if (!beside) await startWorker();
    const killed = Date.now();
    const open = async () => {
      const kept = [];
      for (const [kind, done] of isDone) if (!(await done())) kept.push(kind);
      return kept;
    };
    await vi.waitFor(async () => expect(await open()).toEqual([]), { timeout: 30_000 + workMs, interval: 500 });
    const dead = "select from graphile_worker._private_jobs where locked_at < now() - interval '60 seconds'";
    expect((await app.pool.query(dead)).rowCount).toBe(0);
    expect(Date.now() - killed).toBeLessThan(30_000 + workMs);
  },
  300_000,
);

/** Kinds that can be arranged a second time, under no name of their own. */
const repeatable = new Set([
  "run_task",
  "settle_chat_turn",
  "audit_export",
  "advance_workflow_run",
  "advance_workflow_runs",
]);

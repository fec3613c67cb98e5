import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { useDatabase } from "../../../testing/database.ts";
import { expectedCells, insertApproval, insertStep, insertTask, judge, storedCells } from "./facts.fixture.ts";
import { rollUp } from "./testing.ts";

// Processes that roll up are killed (SIGKILL) at no particular moment, two of them at work, while rows come and change.

const database = useDatabase();
const rounds = Number(process.env.AOS_KILL_ROUNDS ?? "12");
const program = fileURLToPath(new URL("roll-kill.fixture.ts", import.meta.url));

async function startRolling(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, database.connectionString], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

/** A task of the last hours, and some of what may become of it. */
async function change(n: number): Promise<void> {
  const { pool } = database;
  const task = await insertTask(pool, Date.now() - (n % 200) * 60_000, { trust_score: (n % 10) / 10 });
  await insertStep(pool, task);
  if (n % 3 === 0) await insertApproval(pool, Date.now(), task, { status: "approved", decided_at: new Date() });
  if (n % 2 === 0)
    await pool.query("update tasks set status = 'completed', finished_at = now(), cost_usd = 0.01 where id = $1", [
      task,
    ]);
  if (n % 4 === 0) await judge(pool, task, 1);
}

it("has counted everything exactly once, however often those that count are killed", async () => {
  const changing = new AbortController();
  let n = 0;
  const load = (async () => {
    while (!changing.signal.aborted) await change(n++);
  })();
  for (let round = 0; round < rounds; round++) {
    const children = [await startRolling(), await startRolling()];
    await delay(Math.random() * 400);
    await Promise.all(
      children.map((child) => {
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        return gone;
      }),
    );
  }
  changing.abort();
  await load;
  // Sessions of killed processes may hold the lock for a moment.
  await expect
    .poll(
      () =>
        rollUp(database.pool).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  const stored = await storedCells(database.pool);
  expect(n).toBeGreaterThan(20);
  expect(stored).toEqual(await expectedCells(database.pool, Date.now()));
}, 240_000);

import fc from "fast-check";
import { expect, it } from "vitest";
import { useDatabase } from "../../../testing/database.ts";
import {
  expectedCells,
  familiesOf,
  insertApproval,
  insertDelivery,
  insertStep,
  insertTask,
  insertViolation,
  judge,
  newId,
  storedCells,
} from "./facts.fixture.ts";
import { rollUp } from "./testing.ts";

const database = useDatabase();

const hourMs = 3_600_000;
const one = fc.nat({ max: 11 });
const change = fc.oneof(
  fc.record({
    is: fc.constant("dispatch" as const),
    hoursAgo: fc.double({ min: 0, max: 60, noNaN: true }),
    which: one,
  }),
  fc.record({
    is: fc.constantFrom("end", "retry", "judge", "forget", "ask", "decide", "step", "settle", "deliver"),
    which: one,
  }),
  fc.record({ is: fc.constant("block" as const), which: one }),
  fc.record({ is: fc.constant("roll" as const), hours: fc.nat({ max: 30 }) }),
);
/** So that there is something of every family, whatever comes. */
const first: Change[] = [
  { is: "dispatch", hoursAgo: 30, which: 0 },
  ...(["step", "end", "ask", "deliver", "decide", "judge"] as const).map((is) => ({ is, which: 0 })),
  { is: "block", which: 0 },
];
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const agents = ["sales", "support"] as const;
const some = <T>(values: readonly T[], which: number): T => values[which % values.length] as T;

/** Carries changes out. `began`: the time of the first look; later ones are up to 30 hours later each, so that hours and days come to be over. */
class World {
  readonly tasks: string[] = [];
  readonly approvals: string[] = [];
  readonly deliveries: string[] = [];
  now = Date.now() - 48 * hourMs;

  async carryOut(one: Change): Promise<void> {
    const { pool } = database;
    if (one.is === "roll") {
      this.now += ("hours" in one ? one.hours : 0) * hourMs;
      return rollUp(pool, this.now);
    }
    if (one.is === "dispatch" && "hoursAgo" in one) {
      const agent = some(agents, one.which);
      const at = Math.floor(this.now - one.hoursAgo * hourMs);
      const labels = one.which % 3 === 0 ? ["customer:acme", "x"] : ["customer:globex"];
      this.tasks.push(await insertTask(pool, at, { agent, labels, trust_score: (one.which % 11) / 10 }));
      return;
    }
    if (one.is === "block")
      return insertViolation(pool, this.now, some(["blocked", "warned", "would_wait"], one.which));
    if (this.tasks.length > 0) await this.#change(one.is, some(this.tasks, one.which), one.which);
  }

  async #change(is: string, task: string, which: number): Promise<void> {
    const { pool } = database;
    const at = this.now;
    if (is === "end")
      await pool.query(
        `update tasks set status = $2, started_at = created_at + interval '2 seconds', finished_at = created_at + $3 * interval '1 second',
           cost_usd = $3 * 0.001, tokens = $3, trust_score = least(1, trust_score + 0.05) where id = $1`,
        [task, some(["completed", "failed", "cancelled", "running"], which), which],
      );
    if (is === "retry")
      await pool.query("update tasks set status = 'queued', finished_at = null where id = $1", [task]);
    if (is === "judge") await judge(pool, task, (which % 5) / 4, some(["feedback", "approval", "run"], which));
    if (is === "forget") await pool.query("delete from trust_judgements where id = $1", [task]);
    if (is === "step") await this.#step(task, which);
    if (is === "settle")
      await pool.query("update steps set state = 'finished', cost_usd = 1 where task_id = $1", [task]);
    if (is === "ask") this.approvals.push(await insertApproval(pool, at, task));
    if (is === "deliver") this.deliveries.push(await insertDelivery(pool, at));
    if (is === "decide") await this.#decide(which);
  }

  /** No task that has ended gets another step. */
  async #step(task: string, which: number): Promise<void> {
    const { rows } = await database.pool.query("select from tasks where id = $1 and finished_at is null", [task]);
    const row = {
      state: some(["finished", "failed", "unknown"], which),
      cost_usd: which / 1e6,
      name: `tool_${which % 2}`,
    };
    if (rows.length > 0) await insertStep(database.pool, task, { id: newId("stp", this.now), ...row });
  }

  async #decide(which: number): Promise<void> {
    const ended = { status: some(["approved", "rejected", "expired", "superseded"], which), seconds: which };
    await database.pool.query(
      "update approvals set status = $2, decided_by = 'mbr_2', edited_by = case when $3 > 5 then 'mbr_3' end, decided_at = created_at + $3 * interval '1 second' where id = $1",
      [some(this.approvals, which) ?? "", ended.status, ended.seconds],
    );
    await database.pool.query(
      "update deliveries set state = $2, attempts = 1, finished_at = created_at + interval '1 second' where id = $1",
      [some(this.deliveries, which) ?? "", some(["delivered", "failed"], which)],
    );
  }
}

it("makes the rollups the sum over all rows, whatever changes in which order, at every grain", async () => {
  const { pool } = database;
  await pool.query(
    `insert into settings (organization, environment, settings, author) values ('default', 'development', '{"analytics": {"labels": ["customer"]}}', 'test')`,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 30, maxLength: 100, size: "max" }), async (changes) => {
      const world = new World();
      for (const one of [...first, ...changes]) await world.carryOut(one);
      await rollUp(pool, world.now);
      expect(await storedCells(pool)).toEqual(await expectedCells(pool, Date.now() + 10_000 * hourMs));
    }),
    { numRuns: 6, endOnFailure: true },
  );
  const { minute, quarter, hour, day } = await storedCells(pool);
  expect(familiesOf(minute)).toEqual(["tasks", "steps", "approvals", "violations", "deliveries"]);
  expect(Object.keys(quarter).length).toBeGreaterThan(0);
  expect(Object.keys(hour).length).toBeGreaterThan(0);
  expect(Object.keys(day).length).toBeGreaterThan(0);
});

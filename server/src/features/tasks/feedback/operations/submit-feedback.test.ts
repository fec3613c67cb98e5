import { describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { sealEnded, sealsOf } from "../../../../testing/tasks.ts";
import { recordJudgedOutcome } from "../outcome.ts";
import { listTaught, listTaughtTasks } from "../store.ts";

const app = useSharedApp();

/** A task that ended as told, some time ago. */
async function ended(end: { status?: string; output?: object | null; days?: number } = {}): Promise<string> {
  const { task_id } = await app.dispatch();
  const { status = "completed", output = { qualified: true }, days = 0 } = end;
  await app.pool.query(
    "update tasks set status = $2, output = $3, started_at = now(), finished_at = now() - $4 * interval '1 day', trust = (trust::jsonb || '{\"case\": {\"probability\": 0.8}}')::text where id = $1",
    [task_id, status, output && JSON.stringify(output), days],
  );
  await sealEnded(app);
  return task_id;
}
const give = (task: string, body: object, key = "evaluator") =>
  app.call("POST", `/v1/tasks/${task}/feedback`, { key, body });
const judgedOf = async (task: string) =>
  (
    await app.pool.query("select agent, skill, source, origin, outcome, signals from trust_judgements where id = $1", [
      task,
    ])
  ).rows;
const reads = async () => ({ scope: app.scope, db: createReader(app.pool), seals: await sealsOf(app) });
const taughtBy = async (task: string) =>
  (await listTaughtTasks(await reads(), [task])).examples.map(({ input, output }) => ({ input, output }));

describe("feedback on a task", () => {
  it("is evidence, once, with what was known of the case", async () => {
    const task = await ended();
    const { status, body } = await give(task, { accepted: true, rating: 4, comment: "Just right." });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      task_id: task,
      accepted: true,
      rating: 4,
      correction: null,
      comment: "Just right.",
      outcome: 1,
      counts_for_trust: true,
      counts_for_training: true,
    });
    expect(await judgedOf(task)).toEqual([
      {
        agent: "sales",
        skill: "qualify_lead",
        source: "feedback",
        origin: "volunteered",
        outcome: 1,
        signals: '{"probability":0.8}',
      },
    ]);
  });

  it("is kept whole, with its author", async () => {
    const task = await ended();
    const { body } = await give(task, { rating: 3, comment: "So so.", use_for_training: false });
    const { rows } = await app.pool.query("select rating, comment, trains, author from task_feedback where id = $1", [
      body.feedback_id,
    ]);
    expect(rows).toEqual([{ rating: 3, comment: "So so.", trains: false, author: body.submitted_by }]);
  });

  it.each([
    [{ rating: 1 }, 0],
    [{ rating: 4 }, 0.75],
    [{ rating: 5 }, 1],
    [{ accepted: false, rating: 5 }, 0],
    [{ correction: { qualified: true } }, 1],
    [{ correction: { qualified: false } }, 0],
    [{ accepted: false, correction: { qualified: true } }, 0],
  ])("comes, where it says %j, to an outcome of %d", async (said, outcome) => {
    expect((await give(await ended(), said)).body.outcome).toBe(outcome);
  });

  it("makes no success of a failure, however well it is rated", async () => {
    const task = await ended({ status: "failed", output: null });
    expect((await give(task, { rating: 5 })).body.outcome).toBe(0);
    expect(await judgedOf(task)).toMatchObject([{ outcome: 0 }]);
  });

  it("does not take the place of a review of a task that was drawn at random", async () => {
    const task = await ended();
    const judge = async (outcome: number, origin: "random" | "volunteered") => {
      const client = await app.pool.connect();
      const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
      const row = { ...(await client.query("select * from tasks where id = $1", [task])).rows[0] };
      await recordJudgedOutcome({ scope: app.scope, now: Date.now(), db: { query } } as unknown as WriteContext, row, {
        outcome,
        origin,
      });
      client.release();
    };
    await give(task, { accepted: true });
    await judge(0.25, "random");
    await give(task, { accepted: true });
    expect(await judgedOf(task)).toMatchObject([{ source: "review", origin: "random", outcome: 0.25 }]);
  });

  it("counts as it was said last", async () => {
    const task = await ended();
    await give(task, { accepted: true });
    await give(task, { accepted: false, correction: { qualified: false } }, "approver");
    expect(await judgedOf(task)).toMatchObject([{ source: "feedback", outcome: 0 }]);
    expect(await taughtBy(task)).toEqual([{ input: { lead_id: "ld_1001" }, output: { qualified: false } }]);
  });

  it("teaches the correction, or the output that was accepted, and nothing else", async () => {
    const learnt = async (said: object) => {
      const task = await ended();
      const { body } = await give(task, said);
      const taught = await taughtBy(task);
      expect(body.counts_for_training).toBe(taught.length > 0);
      return taught.map(({ output }) => output);
    };
    expect(await learnt({ correction: { qualified: false } })).toEqual([{ qualified: false }]);
    expect(await learnt({ accepted: true })).toEqual([{ qualified: true }]);
    expect(await learnt({ accepted: true, use_for_training: false })).toEqual([]);
    expect(await learnt({ accepted: false })).toEqual([]);
    expect(await learnt({ rating: 5 })).toEqual([]);
  });

  it("is found for training by agent and skill, newest first, up to a moment", async () => {
    const [one, two] = [await ended(), await ended()];
    const said = [(await give(one, { accepted: true })).body, (await give(two, { accepted: true })).body];
    const find = async (more: object) =>
      (
        await listTaught(await reads(), { agent: "sales", skill: "qualify_lead", before: "aud_z", most: 2, ...more })
      ).examples.map(({ task_id }) => task_id);
    expect(await find({})).toEqual([two, one]);
    expect((await find({ before: said[1].feedback_id }))[0]).toBe(one);
    expect(await find({ skill: "draft_email" })).toEqual([]);
    expect(await find({ agent: "other" })).toEqual([]);
  });

  it.each([
    ["the output that was accepted", { accepted: true }, `output = '{"qualified":false}'`],
    ["the input of a corrected one", { correction: { qualified: false } }, `input = '{"lead_id":"ld_forged"}'`],
    ["what says that it has ended", { accepted: true }, `status = 'queued', output = '{"qualified":false}'`],
  ])("teaches nothing where the task was changed in the database: %s", async (_what, said, change) => {
    const task = await ended();
    await give(task, said);
    expect(await taughtBy(task)).toHaveLength(1);
    await app.pool.query(`update tasks set ${change} where id = $1`, [task]);
    expect(await listTaughtTasks(await reads(), [task])).toEqual({
      examples: [],
      notIntact: change.startsWith("status") ? 0 : 1,
    });
  });

  it("does not count for trust more than seven days after the end, but is learnt from", async () => {
    const task = await ended({ days: 8 });
    expect((await give(task, { correction: { qualified: false } })).body).toMatchObject({
      counts_for_trust: false,
      counts_for_training: true,
    });
    expect(await judgedOf(task)).toEqual([]);
    expect(await taughtBy(task)).toHaveLength(1);
  });

  it("can say of a failed task what would have been right, but not that it was", async () => {
    const task = await ended({ status: "failed", output: null });
    const refused = await give(task, { accepted: true });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: "/accepted", code: "no_output" }] } });
    expect((await give(task, { correction: { qualified: true } })).body).toMatchObject({
      outcome: 0,
      counts_for_training: true,
    });
  });

  it("is refused for a task that has no outcome yet", async () => {
    const { task_id } = await app.dispatch();
    expect(await give(task_id, { accepted: false })).toMatchObject({ status: 409, body: { code: "wrong_state" } });
  });

  it("is refused where the correction is no output of the skill, with every fault in its place", async () => {
    const refused = await give(await ended(), { correction: { qualified: "maybe" } });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([expect.objectContaining({ pointer: "/correction/qualified" })]);
  });

  it("is refused where it contradicts itself, and where it says nothing", async () => {
    const task = await ended();
    const contradiction = await give(task, { accepted: true, correction: { qualified: false } });
    expect(contradiction).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/accepted", code: "contradicts" }] },
    });
    expect(await give(task, { comment: "Hm." })).toMatchObject({
      status: 422,
      body: { errors: [{ code: "says_nothing" }] },
    });
    expect(await judgedOf(task)).toEqual([]);
  });
});

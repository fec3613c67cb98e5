import { beforeEach, describe, expect, it, vi } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { reviewSweep } from "./operations/draw-reviews.ts";
import { kappaOf } from "./view.ts";

const app = useApp();
const process = useWorkerProcess(app);

const monitors = "/v1/evaluations/monitors";
const reviews = "/v1/evaluations/reviews";

/** A task that has completed and stands in the sequence of events. */
async function completedTask(): Promise<string> {
  const { task_id } = await app.dispatch({ require_approval: false });
  await process.handed()(task_id);
  await vi.waitFor(async () => {
    const { rowCount } = await app.pool.query(
      "select 1 from event_positions where task_id = $1 and type = 'task.completed'",
      [task_id],
    );
    expect(rowCount).toBe(1);
  }, 10_000);
  return task_id;
}

const watch = async (more: object = {}) => {
  const { status, body } = await app.call("POST", monitors, {
    body: { agent: "sales", share: 1, double_review_share: 0, ...more },
  });
  expect(status).toBe(201);
  return body.monitor_id as string;
};
const draw = () => process.sweeperWith([reviewSweep]).sweep();
const open = async (by = "admin") => (await app.call("GET", `${reviews}?state=open`, { key: by })).body.data;

beforeEach(async () => {
  await app.pool.query("delete from review_monitors; delete from task_reviews; delete from task_review_verdicts");
});

describe("a monitor", () => {
  it("draws tasks that complete from now on, each once", async () => {
    await completedTask();
    await watch();
    await draw();
    await draw(); // nothing is new
    const task = await completedTask();
    await draw();
    await draw();
    expect((await open()).map(({ task_id }: { task_id: string }) => task_id)).toEqual([task]);
    expect(process.faults).toEqual([]);
  });

  it("is one for each skill of an agent, and draws nothing more once removed", async () => {
    const id = await watch();
    expect((await app.call("POST", monitors, { body: { agent: "sales" } })).body).toMatchObject({
      code: "wrong_state",
    });
    expect((await app.call("DELETE", `${monitors}/${id}`, { body: {} })).body).toEqual({
      monitor_id: id,
      removed: true,
    });
    await completedTask();
    await draw();
    expect(await open()).toEqual([]);
  });
});

describe("a review", () => {
  it("shows what was asked and answered, and nothing that a verdict could lean on", async () => {
    await watch();
    await completedTask();
    await draw();
    const [review] = await open();
    expect(review).toMatchObject({
      state: "open",
      input: expect.any(Object),
      output: expect.any(Object),
      verdicts: [],
    });
    expect(Object.keys(review)).not.toEqual(expect.arrayContaining(["trust_score"]));
  });

  it("takes no verdict on a result that was changed in the database", async () => {
    await watch();
    const task = await completedTask();
    await draw();
    const [{ review_id: id }] = await open();
    await app.pool.query("update tasks set output = '{}' where id = $1", [task]);
    const { body } = await app.call("POST", `${reviews}/${id}`, { body: { accepted: true } });
    expect(body.code).toBe("result_not_intact");
  });

  it("takes one verdict, which is feedback on the task as well", async () => {
    await watch();
    const task = await completedTask();
    await draw();
    const [{ review_id: id }] = await open();
    const given = await app.call("POST", `${reviews}/${id}`, { body: { accepted: false, comment: "Wrong team." } });
    expect(given).toMatchObject({
      status: 201,
      body: { state: "judged", verdicts: [{ accepted: false, comment: "Wrong team." }] },
    });
    expect((await app.call("GET", `/v1/tasks/${task}/feedback`)).body.data).toMatchObject([
      { accepted: false, outcome: 0 },
    ]);
    expect((await app.call("POST", `${reviews}/${id}`, { body: { accepted: true } })).status).toBe(409);
    expect((await app.call("GET", monitors)).body.data).toMatchObject([{ sampled: 1, open: 0, accepted: 0 }]);
  });

  it("is a label for trust that chance chose, also where its turn comes late and somebody volunteers another word", async () => {
    await watch();
    const task = await completedTask();
    await draw();
    const [{ review_id: id }] = await open();
    await app.pool.query("update tasks set finished_at = finished_at - interval '8 days' where id = $1", [task]);
    expect(await app.call("POST", `${reviews}/${id}`, { body: { accepted: false } })).toMatchObject({ status: 201 });
    await app.pool.query("update tasks set finished_at = now() where id = $1", [task]);
    await app.call("POST", `/v1/tasks/${task}/feedback`, { body: { accepted: true } });
    const { rows } = await app.pool.query("select source, origin, outcome from trust_judgements where id = $1", [task]);
    expect(rows).toEqual([{ source: "review", origin: "random", outcome: 0 }]);
  });

  it("takes its second verdict from another person, and tells then how far both agree", async () => {
    await watch({ double_review_share: 1 });
    const task = await completedTask();
    await draw();
    const [one, two] = [await app.signedInMember("evaluator"), await app.signedInMember("evaluator")];
    const [{ review_id: id }] = await open(one.secret);
    const judge = (by: string, accepted: boolean) =>
      app.call("POST", `${reviews}/${id}`, { key: by, body: { accepted } });
    expect((await judge(one.secret, true)).body).toMatchObject({ state: "open", verdicts_received: 1, verdicts: [] });
    expect((await judge(one.secret, false)).body.detail).toContain("another person");
    expect(await open(one.secret)).toEqual([]);
    expect((await judge(two.secret, false)).body).toMatchObject({
      state: "judged",
      verdicts: [{ accepted: true }, { accepted: false }],
    });
    expect((await app.call("GET", `/v1/tasks/${task}/feedback`)).body.data).toHaveLength(1);
    expect((await app.call("GET", monitors)).body.data).toMatchObject([
      { agreement: { pairs: 1, share: 0, kappa: 0 } },
    ]);
  });
});

it("counts agreement beyond chance as Cohen does", () => {
  // Cohen 1960, as worked out by hand: 20 both yes, 15 both no of 50; 25 and 30 yes.
  expect(kappaOf({ pairs: 50, both: 20, neither: 15, first_accepts: 25, second_accepts: 30 })).toBeCloseTo(0.4, 10);
  expect(kappaOf({ pairs: 3, both: 3, neither: 0, first_accepts: 3, second_accepts: 3 })).toBeNull();
});

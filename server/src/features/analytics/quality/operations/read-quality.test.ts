import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { insertTask, judge } from "../../rollups/facts.fixture.ts";
import { rollUp } from "../../rollups/testing.ts";

const app = useApp();
const day = 86_400_000;
const today = Math.floor(Date.now() / day) * day;

/** 30 days of 12 judged tasks each; from the 16th on every fourth one is judged as wrong, before one of twelve. */
beforeAll(async () => {
  for (let at = 30; at >= 1; at--)
    for (let task = 0; task < 12; task++) {
      const id = await insertTask(app.pool, today - at * day + task * 3_600_000, { status: "completed" });
      const isWrong = at <= 15 ? task % 3 === 0 : task === 0;
      await judge(app.pool, id, isWrong ? 0 : 1);
    }
  await rollUp(app.pool);
});

const read = (query = "", options = {}) =>
  app.call("GET", `/v1/analytics/quality?to=${new Date(today).toISOString()}${query}`, options);

describe("quality", () => {
  it("has the share of accepted tasks with interval, previous and link, and marks where it fell", async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    const { accepted_rate } = body.figures;
    expect(accepted_rate).toMatchObject({ n: 360, previous: null, link: expect.stringMatching(/^\/v1\/tasks\?/) });
    expect(accepted_rate.value).toBeCloseTo((15 * 11 + 15 * 8) / 360, 9);
    expect(accepted_rate.low).toBeLessThan(accepted_rate.value);
    expect(body.series).toHaveLength(30);
    const [mark, ...more] = body.drift.marks;
    expect(more).toEqual([]);
    expect(mark).toMatchObject({ measure: "accepted_rate", worse: true, at: new Date(today - 15 * day).toISOString() });
    expect(mark.before.value).toBeCloseTo(11 / 12, 9);
    expect(mark.difference.high).toBeLessThan(0);
    expect(body.drift.watched.find(({ measure }: { measure: string }) => measure === "accepted_rate").enough).toBe(
      true,
    );
  });

  it("says what happened about when it changed, as far as the caller may read that", async () => {
    const at = new Date(today - 15 * day + 3_600_000);
    await app.pool.query(
      "update deployments set created_at = $1 where environment = 'development' and agent = 'sales'",
      [at],
    );
    const { body } = await read();
    expect(body.drift.marks[0].nearby).toMatchObject([{ kind: "deployment", agent: "sales", at: at.toISOString() }]);
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "figures", role: "viewer", scopes: ["analytics:read"] },
    });
    const narrow = await read("", { key: issued.body.key });
    expect(narrow.body.drift.marks[0].nearby).toEqual([]);
  });

  it("counts the latest feedback to each task, and shows other agents nothing of it", async () => {
    const { task_id } = await app.dispatch();
    await app.pool.query("update tasks set status = 'completed', output = '{}' where id = $1", [task_id]);
    await app.pool.query(
      `insert into task_feedback (organization, environment, task_id, id, agent, skill, version_id, accepted, rating, trains, outcome, author)
       select organization, environment, t.id, f.id, agent, skill, version_id, f.accepted, f.rating, false, 1, 'mbr_1'
       from tasks t, (values ('fbk_1', false, 1), ('fbk_2', true, 4)) as f (id, accepted, rating) where t.id = $1`,
      [task_id],
    );
    const now = await app.call("GET", "/v1/analytics/quality?agent=sales");
    expect(now.body.feedback).toEqual({ given: 1, accepted: 1, not_accepted: 0, corrected: 0, rating: 4, rated: 1 });
    const other = await app.call("GET", "/v1/analytics/quality?agent=support");
    expect(other.body.feedback.given).toBe(0);
  });
});

import { expect, it } from "vitest";
import { missionBody } from "../../../../../test/arrangements/missions.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const made = async () => (await app.call("POST", "/v1/missions", { body: missionBody })).body.mission_id as string;

it("changes what is given, and refuses a change that is based on an older revision", async () => {
  const mission = await made();
  const read = await app.call("GET", `/v1/missions/${mission}`);
  const etag = read.headers.get("etag") as string;
  const change = (body: object, headers = {}) => app.call("PATCH", `/v1/missions/${mission}`, { body, headers });
  const changed = await change({ budget: { cost_usd: 7.5, tasks: 9 } }, { "if-match": etag });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body).toMatchObject({
    goal: missionBody.goal,
    spend: { limit_usd: 7.5, limit_tasks: 9 },
    revision: 2,
  });
  expect((await change({ goal: "Late." }, { "if-match": etag })).status).toBe(412);
});

it("leaves a closed mission as it was closed", async () => {
  const mission = await made();
  await app.pool.query("update missions set status = 'completed' where id = $1", [mission]);
  const { status, body } = await app.call("PATCH", `/v1/missions/${mission}`, { body: { goal: "More." } });
  expect([status, body.code]).toEqual([409, "mission_state"]);
});

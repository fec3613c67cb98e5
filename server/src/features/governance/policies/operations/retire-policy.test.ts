import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const path = "/v1/governance/policies";
const text = {
  name: "Closed",
  scope: { actions: ["task.dispatch"] },
  when: "true",
  effect: "deny",
  reason_code: "closed",
  message: "Closed.",
  state: "active",
};
const dispatched = async () =>
  (await app.call("POST", "/v1/agents/sales/tasks", { body: { task: "qualify_lead", lead_id: "ld_1001" } })).status;

it("ends all versions at once, keeps them, and says so once", async () => {
  const first = await app.call("POST", path, { body: text });
  const at = `${path}/${first.body.policy_id}`;
  const match = (answer: { headers: Headers }) => ({ "if-match": answer.headers.get("etag") as string });
  const second = await app.call("PUT", at, { body: { ...text, state: "shadow" }, headers: match(first) });
  expect(await dispatched()).toBe(403);
  const gone = await app.call("DELETE", at, { body: {}, headers: match(second) });
  expect(gone).toMatchObject({
    status: 200,
    body: { state: "retired", in_force: { active: null, shadow: null }, retired_by: expect.stringMatching(/^mbr_/) },
  });
  expect(gone.body.versions.map(({ state }: { state: string }) => state)).toEqual(["retired", "retired"]);
  expect(await dispatched()).toBe(202);
  expect(await app.call("DELETE", at, { body: {}, headers: match(gone) })).toMatchObject({
    status: 409,
    body: { code: "policy_retired" },
  });
  expect((await app.call("DELETE", at, { body: {}, headers: match(second) })).status).toBe(412);
  expect((await app.call("GET", at)).body).toEqual(gone.body);
});

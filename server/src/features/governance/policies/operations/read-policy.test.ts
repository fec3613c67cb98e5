import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const path = "/v1/governance/policies";
const text = {
  name: "One",
  when: "true",
  effect: "notify",
  reason_code: "one",
  message: "One.",
  scope: { agents: ["nobody"] },
};

it("answers 304 while nothing changed, and 404 in another environment and for what cannot be a policy", async () => {
  const { body, headers } = await app.call("POST", path, { body: text });
  const etag = headers.get("etag") as string;
  const at = `${path}/${body.policy_id}`;
  expect((await app.call("GET", at, { headers: { "if-none-match": etag } })).status).toBe(304);
  await app.call("PUT", at, { body: { ...text, name: "Two" }, headers: { "if-match": etag } });
  const now = await app.call("GET", at, { headers: { "if-none-match": etag } });
  expect(now).toMatchObject({ status: 200, body: { name: "Two", version: 2 } });
  expect((await app.call("GET", `${at}?version=1`)).body).toMatchObject({ name: "One", version: 1, state: "retired" });
  expect((await app.call("GET", at, { environment: "staging" })).status).toBe(404);
  expect((await app.call("GET", `${path}/pol_x`)).status).toBe(404);
});

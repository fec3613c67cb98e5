import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { exampleReport } from "../../example.ts";
import { mostWatched } from "../../limit.ts";

const app = useSharedApp();
const path = "/v1/analytics/reports";

it("is refused with too_many_reports where the environment has as many as it may have", async () => {
  const { name, schedule, time_zone, period, chapters } = exampleReport;
  const create = () => app.call("POST", path, { body: { name, schedule, time_zone, period, chapters } });
  const [one] = await Promise.all(Array.from({ length: mostWatched }, create));
  expect(one?.status).toBe(201);
  const { status, body } = await create();
  expect([status, body.code]).toEqual([409, "too_many_reports"]);
  await app.call("DELETE", `${path}/${one?.body.report_id}`);
  expect((await create()).status).toBe(201);
});

it("is refused to a key whose scopes leave out what making it takes", async () => {
  const { name, schedule, period } = exampleReport;
  const scopes = ["analytics:write"];
  const { body: issued } = await app.call("POST", "/v1/admin/keys", {
    body: { name: "narrow", role: "admin", scopes },
  });
  const { status, body } = await app.call("POST", path, { key: issued.key, body: { name, schedule, period } });
  expect([status, body.errors?.[0]?.code]).toEqual([422, "exceeds_caller"]);
});

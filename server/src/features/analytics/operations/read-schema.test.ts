import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { rollUp } from "../testing.ts";

const app = useApp();

it("lists measures and dimensions, with the values that were seen", async () => {
  await app.dispatch();
  await rollUp(app.pool);
  const { status, body } = await app.call("GET", "/v1/analytics/schema");
  expect(status).toBe(200);
  expect(body.measures).toContainEqual(
    expect.objectContaining({ name: "accepted_rate", unit: "share", interval: true }),
  );
  expect(body.dimensions).toContainEqual({
    name: "agent",
    families: ["tasks", "steps", "approvals", "violations"],
    values: ["sales"],
  });
  expect(body.dimensions).toContainEqual({
    name: "skill",
    families: ["tasks", "steps", "approvals"],
    values: ["qualify_lead"],
  });
});

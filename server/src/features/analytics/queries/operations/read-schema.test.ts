import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { firstNumber, mostLabelColumns } from "../../rollups/families.ts";
import { rollUp } from "../../rollups/testing.ts";

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

it("names a declared label that gets no column because too many were declared before it", async () => {
  await app.pool.query(
    `insert into analytics_values (organization, environment, dimension, number, value)
     select 'default', 'development', 'label', $1 + n, 'former-' || n from generate_series(0, $2::int - 2) n`,
    [firstNumber, mostLabelColumns],
  );
  const settings = await app.call("GET", "/v1/admin/settings");
  const declared = await app.call("PATCH", "/v1/admin/settings", {
    body: { settings: { analytics: { labels: ["customer", "team"] } } },
    headers: { "if-match": settings.headers.get("etag") ?? "" },
  });
  expect(declared.status, declared.text).toBe(200);
  const schema = async () => (await app.call("GET", "/v1/analytics/schema")).body;
  expect(await schema()).toMatchObject({ labels: ["customer", "team"], uncounted_labels: ["team"] });
  await app.dispatch({ labels: ["customer:acme", "team:sales"] });
  await rollUp(app.pool);
  const { dimensions, uncounted_labels } = await schema();
  const valuesOf = (label: string) =>
    dimensions.find(({ name }: { name: string }) => name === `label:${label}`)?.values;
  expect([valuesOf("customer"), valuesOf("team"), uncounted_labels]).toEqual([["acme"], [], ["team"]]);
});

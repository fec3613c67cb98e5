import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const compare = (body: unknown, headers = {}) =>
  app.call("POST", "/v1/agents/sales/compare", { key: "viewer", body, headers });
const yaml = { "content-type": "application/yaml" };
const file = async (): Promise<string> =>
  (await app.call("GET", "/v1/agents/sales", { headers: { accept: "application/yaml" } })).text;

it("finds no difference to the file that was read", async () => {
  const { status, body } = await compare(await file(), yaml);
  expect([status, body.identical, body.changes]).toEqual([200, true, []]);
});

it("tells how the draft would change, labels included, and changes nothing", async () => {
  const text = (await file()).replace(/labels: .*\n/, "labels: [other]\n").replace("steps: 12", "steps: 13");
  const { status, body } = await compare(text, yaml);
  expect(status).toBe(200);
  expect(body.changes.map(({ pointer, kind }: { pointer: string; kind: string }) => `${kind} ${pointer}`)).toEqual([
    "removed /labels/0",
    "added /labels/0",
    "changed /skills/0/limits/steps",
  ]);
  expect((await app.call("GET", "/v1/agents/sales")).body).toMatchObject({ labels: ["sample"], revision: 1 });
});

it("takes JSON as well", async () => {
  const { definition, labels } = (await app.call("GET", "/v1/agents/sales")).body;
  const { body } = await compare({ agent: "sales", labels, ...definition, description: "Other." });
  expect(body.summary).toBe("description changed");
});

it("refuses what could not become the draft: faults, and another agent's file", async () => {
  const faulty = await compare((await file()).replace("kind: record", "kind: recrod"), yaml);
  expect([faulty.status, faulty.body.errors[0]]).toMatchObject([
    422,
    { pointer: "/tools/0/kind", line: expect.any(Number) },
  ]);
  const other = await compare((await file()).replace("agent: sales", "agent: other"), yaml);
  expect([other.status, other.body.errors]).toMatchObject([422, [{ pointer: "/agent", code: "another_agent" }]]);
});

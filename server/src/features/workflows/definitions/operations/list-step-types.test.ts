import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { definitionFromSource } from "../parser.ts";

const app = useSharedApp();

it("lists kinds of steps, each with an example that a file can have", async () => {
  const { status, body } = await app.call("GET", "/v1/workflows/step-types", { key: "viewer" });
  expect(status).toBe(200);
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toContain("parallel");
  for (const { kind, yaml } of body.data as { kind: string; yaml: string }[]) {
    const read = definitionFromSource(`workflow: tried\nsteps:\n${yaml.replaceAll(/^/gm, "  ")}`);
    expect([kind, read]).toMatchObject([kind, { ok: true }]);
  }
});

it("serves the schema of a file to editors, without a key", async () => {
  const committed = await readFile(new URL("../../../../../../openapi/workflow.schema.json", import.meta.url), "utf8");
  const { status, body } = await app.call("GET", "/workflow.schema.json", { key: null });
  expect([status, body]).toEqual([200, JSON.parse(committed)]);
});

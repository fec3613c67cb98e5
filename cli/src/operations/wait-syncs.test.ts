import { expect, it } from "vitest";
import { startApi } from "../../../server/src/features/knowledge/connectors/json-api.fixture.ts";
import { useApp } from "../../../server/src/testing/app.ts";
import { runAos } from "../process.fixture.ts";

const app = useApp({ role: "all" });

it("waits until searches find what all connectors brought, and fails where one of them did", async () => {
  const api = await startApi();
  api.items = ["looms", "shuttles"].map((id) => ({ id, body: `How to mend ${id}.` }));
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "shelf" } });
  const source = { url: `${api.url}/articles`, items: "data", id: "id", text: "{body}" };
  for (const [name, more] of Object.entries({ good: {}, bad: { url: `${api.url}/nothing` } })) {
    const body = { name, kind: "json-api", source: { ...source, ...more } };
    expect((await app.call("POST", "/v1/knowledge/bases/shelf/connectors", { body })).status).toBe(201);
  }
  const { status, out } = await runAos(["knowledge", "bases", "sync", "start", "shelf", "--wait"], {
    AOS_URL: app.url,
    AOS_KEY: app.key("admin"),
  });
  expect(status).toBe(1);
  expect(out).toMatch(/completed +2 +0 +0 +0 +good/);
  expect(out).toMatch(/failed +0 +0 +0 +0 +bad/);
  const { body } = await app.call("GET", "/v1/knowledge/bases/shelf/documents");
  expect(body.data.map(({ state }: { state: string }) => state)).toEqual(["indexed", "indexed"]);
});

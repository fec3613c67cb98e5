import { writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../server/src/testing/app.ts";
import { keepEntry } from "../credentials.ts";
import { runAos, useFolder } from "../process.fixture.ts";

const app = useApp({ role: "all" });
const folder = useFolder();
const numbers = Array.from({ length: 20 }, (_, n) => n + 1);
const definition = {
  agent: "courier",
  description: "Says where a parcel is.",
  model: { provider: "builtin" },
  knowledge: ["parcels"],
  tools: [{ name: "get_parcel", kind: "record", base: "parcels", effect: "read" }],
  skills: [
    {
      name: "find_parcel",
      input: { type: "object", required: ["parcel_id"], properties: { parcel_id: { type: "string" } } },
      output: { type: "object", properties: { status: { type: "string" } } },
      tools: ["get_parcel"],
    },
  ],
};
const documents = numbers.map((n) => ({ external_id: `pa_${n}`, fields: { status: "shipped" } }));
const items = numbers.map((n) => ({ input: { parcel_id: `pa_${n}` }, expected: { status: "shipped" } }));

interface Told {
  readonly live: boolean;
  readonly version: number;
  readonly steps: readonly {
    readonly step: string;
    readonly state: string;
    readonly detail: string;
    readonly next: readonly string[];
  }[];
}
const aos = (...args: string[]) =>
  runAos(["agents", "promote", ...args], { AOS_URL: app.url, AOS_KEY: app.key("admin"), XDG_CONFIG_HOME: folder.path });
async function promoted(...args: string[]): Promise<Told & { status: number | null; states: Record<string, string> }> {
  const { status, out, err } = await aos("courier", "--to", "production", "--json", ...args);
  if (out === "") throw new Error(err);
  const told = JSON.parse(out) as Told;
  return { ...told, status, states: Object.fromEntries(told.steps.map(({ step, state }) => [step, state])) };
}
const keep = (key: string) =>
  keepEntry({ XDG_CONFIG_HOME: folder.path }, { profile: "production", url: app.url, key, webhook_secret: null });
const inProduction = async (path: string) => (await app.call("GET", path, { environment: "production" })).body;

beforeAll(async () => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "parcels", description: "On their way." } });
  await app.call("POST", "/v1/knowledge/bases/parcels/documents/bulk", { body: { documents } });
  await app.call("POST", "/v1/agents", { body: definition });
  await app.call("POST", "/v1/agents/courier/versions", { body: { note: "First." } });
  await app.call("POST", "/v1/evaluations/datasets", {
    body: { name: "parcel-cases", agent: "courier", skill: "find_parcel", items },
  });
  const samples = [{ output: { a: 1 }, expected: { a: 1 }, score: 1 }];
  await app.call("PUT", "/v1/evaluations/scorers/matches", { body: { kind: "json_match", samples } });
  await writeFile(`${folder.path}/parcels.json`, JSON.stringify(documents));
});

describe("aos agents promote", () => {
  it("says how to get a key for the other environment", async () => {
    expect(await aos("courier", "--to", "production", "--version", "1")).toMatchObject({
      status: 4,
      err: expect.stringContaining(
        `aos keys create --environment production --role admin | aos login --profile production --url ${app.url} --key -`,
      ),
    });
    await keep(app.key("admin", "staging"));
    expect((await aos("courier", "--to", "production", "--version", "1")).err).toContain(
      "is for staging, not for production",
    );
    await keep(app.key("admin", "production"));
  });

  it("names all that is missing, with the commands, and changes nothing in a dry run", async () => {
    const { status, steps, live } = await promoted("--version", "1", "--dry-run");
    expect([status, live]).toEqual([1, false]);
    const missing = steps.filter(({ state }) => state === "missing");
    expect(missing.map(({ step }) => step)).toEqual(["documents", "gate"]);
    expect(missing[0]?.next).toContain("aos agents promote courier --to production --documents parcels=parcels.yaml");
    expect(missing[1]?.next).toEqual([
      `aos --profile production evaluations gates set courier --datasets parcel-cases --scorers '[{"scorer":"matches"}]' --floor 0.8`,
    ]);
    expect((await inProduction("/v1/knowledge/bases")).data).toEqual([]);
  });

  it("brings base, documents and gate along, evaluates there and deploys", async () => {
    const rules = { datasets: ["parcel-cases"], scorers: [{ scorer: "matches" }], floor: 0.8 };
    const { headers } = await app.call("GET", "/v1/evaluations/gates/courier");
    const set = { body: rules, headers: { "If-Match": headers.get("etag") ?? "" } };
    expect((await app.call("PUT", "/v1/evaluations/gates/courier", set)).status).toBe(200);
    await app.call("POST", "/v1/agents/courier/deployments", { body: { version: 1 } });
    const { status, states } = await promoted(
      "--documents",
      `parcels=${folder.path}/parcels.json`,
      "--note",
      "Launch.",
    );
    expect([status, states]).toEqual([
      0,
      { version: "already", knowledge: "done", documents: "done", gate: "done", evaluate: "done", deploy: "done" },
    ]);
    expect(await inProduction("/v1/agents/courier")).toMatchObject({ status: "deployed", deployment: { version: 1 } });
    expect((await inProduction("/v1/agents/courier/deployments")).data).toMatchObject([
      { version: 1, note: "Launch." },
    ]);
  });

  it("changes nothing where everything is done", async () => {
    const before = await inProduction("/v1/evaluations/runs?agent=courier");
    const { status, live, steps } = await promoted();
    expect([status, live, steps.filter(({ state }) => state !== "already")]).toEqual([0, true, []]);
    expect((await aos("courier", "--to", "production")).out).toContain(
      "aos --profile production tasks dispatch courier <skill>",
    );
    expect((await inProduction("/v1/evaluations/runs?agent=courier")).data).toHaveLength(before.data.length);
  });

  it("deploys no version that fails the gate there, and says why", async () => {
    const yaml = {
      ...definition,
      tools: [],
      knowledge: [],
      skills: definition.skills.map(({ tools: _, ...skill }) => skill),
    };
    const { headers } = await app.call("GET", "/v1/agents/courier");
    const { agent: _, ...body } = yaml;
    await app.call("PATCH", "/v1/agents/courier", { body, headers: { "If-Match": headers.get("etag") ?? "" } });
    await app.call("POST", "/v1/agents/courier/versions", { body: { note: "Knows nothing." } });
    const { status, steps } = await promoted("--version", "2");
    const last = steps.at(-1);
    expect([status, last?.step, last?.state]).toEqual([1, "evaluate", "refused"]);
    expect(last?.detail).toMatch(/The gate of production is failed for version 2 of courier\. .*matches: 0/);
    expect(last?.next[0]).toMatch(/^aos --profile production evaluations runs get run_/);
    expect(await inProduction("/v1/agents/courier")).toMatchObject({ deployment: { version: 1 } });
  });
});

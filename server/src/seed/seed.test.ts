import { randomBytes } from "node:crypto";
import { checkUserSchema, compileSchema } from "@aos/json-schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReader } from "../db/reader.ts";
import { AgentFacts, agentFacts } from "../features/agents/facts.ts";
import { AgentDefinition } from "../features/agents/schemas.ts";
import type { SetScorerBody } from "../features/evaluations/schemas.ts";
import { scorerFaults } from "../features/evaluations/scorers/rules.ts";
import { createIds } from "../kernel/ids.ts";
import { hashKey, parseKey } from "../kernel/key-format.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { readInstallation, type SeedOptions, seedInstallation } from "./index.ts";
import { installationName } from "./installation-name.ts";
import { sampleLeads } from "./leads.ts";
import { readAgentFile } from "./sample.ts";

const clock = { now: () => Date.parse("2026-05-03T09:00:00Z") };
const options: SeedOptions = { newId: createIds(clock), clock, random: (count) => randomBytes(count), sample: true };
const development = { organization: "default", environment: "development" };

describe("the first start", () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.close());
  const all = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await database.pool.query(text, values)).rows as R[];

  it("makes an owner who is admin everywhere, and hands out one development admin key of which only the hash is stored", async () => {
    const { adminKey, installation } = await seedInstallation(database.pool, options);
    expect(parseKey(adminKey ?? "")).toEqual({ ok: true, environment: "development" });
    expect(await readInstallation(database.pool)).toBe(installation);
    const members = await all("select id, kind, name, roles from members");
    expect(members).toEqual([
      {
        id: expect.stringMatching(/^mbr_/),
        kind: "person",
        name: "Owner",
        roles: { development: "admin", staging: "admin", production: "admin" },
      },
    ]);
    const keys = await all<Record<string, unknown>>("select * from keys");
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({
      ...development,
      role: "admin",
      member_id: (members[0] as { id: string }).id,
      expires_at: null,
      revoked_at: null,
    });
    expect(keys[0]?.secret_hash).toEqual(hashKey(adminKey ?? ""));
    expect(JSON.stringify(keys)).not.toContain(adminKey?.slice(12));
  });

  it("deploys the sample agent live in development, as facts that dispatch can use", async () => {
    await seedInstallation(database.pool, options);
    const facts = await agentFacts.load(createReader(database.pool));
    expect(facts).toBeInstanceOf(AgentFacts);
    const live = facts.find(development, "sales")?.live;
    expect(live).toMatchObject({ number: 1, id: expect.stringMatching(/^ver_/) });
    expect([...(live?.skills.keys() ?? [])]).toEqual(["qualify_lead", "summarize_lead", "route_lead"]);
    expect(live?.skills.get("qualify_lead")?.validate({ lead_id: "ld_1001" })).toEqual([]);
    expect(live?.skills.get("qualify_lead")?.validate({ lead_id: "1001" })).not.toEqual([]);
    expect(live?.skills.get("qualify_lead")?.tools).toEqual([
      { name: "get_lead", kind: "record", base: "leads", effect: "read" },
    ]);
    expect(facts.find({ ...development, environment: "production" }, "sales")?.live).toBeNull();
    expect(await all("select 1 from gate_verdicts")).toEqual([]);
  });

  it("stores the 200 leads and the playbook as documents of their bases", async () => {
    await seedInstallation(database.pool, options);
    const counts = await all(
      `select b.name, count(*)::int as documents, min(d.external_id) as first, max(d.external_id) as last
       from documents d join knowledge_bases b using (organization, environment) where b.id = d.base group by b.name order by b.name`,
    );
    expect(counts).toEqual([
      { name: "leads", documents: 200, first: "ld_1001", last: "ld_1200" },
      { name: "playbook", documents: 10, first: "data-protection", last: "routing" },
    ]);
  });

  it("brings a dataset, its scorer, the agent's gate and a run that waits for a worker, and no verdict before that has run", async () => {
    await seedInstallation(database.pool, options);
    const [set] = await all<{ id: string; coverage: object }>(
      "select id, coverage from datasets where name = 'lead-facts' and agent = 'sales'",
    );
    expect(set?.coverage).toMatchObject({ items: 80, clusters: 80, expected: { "/company": 80, "/employees": 80 } });
    const [item] = await all(
      "select name, input::json, expected::json, labels from dataset_items order by place limit 1",
    );
    const lead = sampleLeads()[0] as ReturnType<typeof sampleLeads>[number];
    const { company, country, employees, interest, source } = lead.fields;
    expect(item).toEqual({
      name: "ld_1001",
      input: { lead_id: "ld_1001" },
      expected: { company, country, employees, interest },
      labels: [source],
    });
    const [scorer] = await all<SetScorerBody & { definition: SetScorerBody }>(
      "select definition, samples from scorers where name = 'facts-agree'",
    );
    expect(scorerFaults({ ...(scorer?.definition as SetScorerBody), samples: scorer?.samples ?? [] })).toEqual([]);
    expect(
      await all(
        "select environment, definition->'datasets'->0->>'dataset_id' as dataset, revision from gates where agent = 'sales'",
      ),
    ).toEqual([{ environment: "development", dataset: set?.id, revision: 1 }]);
    const [version] = await all<{ id: string }>("select id from agent_versions");
    expect(await all("select state, version_id, dataset_id, total, repeats from evaluation_runs")).toEqual([
      { state: "queued", version_id: version?.id, dataset_id: set?.id, total: 80, repeats: 1 },
    ]);
    expect(await all("select 1 from gate_verdicts")).toEqual([]);
  });

  it("comes without these where it is told so", async () => {
    await seedInstallation(database.pool, { ...options, sampleEvaluation: false });
    expect(
      await all("select 1 from gates union all select 1 from evaluation_runs union all select 1 from datasets"),
    ).toEqual([]);
  });

  it("leaves the sample out where it is off, and does not bring it at a later start", async () => {
    await seedInstallation(database.pool, { ...options, sample: false });
    expect(await seedInstallation(database.pool, options)).toMatchObject({ adminKey: null });
    expect(await all("select 1 from agents union all select 1 from documents")).toEqual([]);
  });

  it("is made once by processes that start at the same time, and one of them gets the key", async () => {
    const seeded = await Promise.all(Array.from({ length: 6 }, () => seedInstallation(database.pool, options)));
    expect(seeded.filter((one) => one.adminKey !== null)).toHaveLength(1);
    expect(new Set(seeded.map((one) => one.installation)).size).toBe(1);
    expect(
      await all("select (select count(*) from keys)::int as keys, (select count(*) from documents)::int as documents"),
    ).toEqual([{ keys: 1, documents: 210 }]);
  });

  it("makes nothing when the key cannot be kept, and the next start begins again", async () => {
    const full = async () => Promise.reject(new Error("no space left"));
    await expect(seedInstallation(database.pool, { ...options, keepAdminKey: full })).rejects.toThrow("no space left");
    expect(await readInstallation(database.pool)).toBeNull();
    const kept: string[] = [];
    const { adminKey } = await seedInstallation(database.pool, {
      ...options,
      keepAdminKey: async (secret) => void kept.push(secret),
    });
    expect(kept).toEqual([adminKey]);
  });
});

describe("the sample", () => {
  it("is an agent file that keeps the rules of agent definitions and of users' schemas", async () => {
    const { name, definition } = await readAgentFile(new URL("./sales.yaml", import.meta.url));
    expect(name).toBe("sales");
    expect(compileSchema(AgentDefinition)(definition)).toEqual([]);
    for (const skill of definition.skills)
      for (const schema of [skill.input, skill.output]) expect(checkUserSchema(schema)).toEqual([]);
  });

  it("has leads that are the same everywhere, each of a company of its own, reachable only under example.com", () => {
    const leads = sampleLeads();
    expect(leads).toEqual(sampleLeads());
    expect(new Set(leads.map((lead) => lead.fields.company)).size).toBe(200);
    for (const lead of leads) expect(lead.fields.email).toMatch(/^[a-z.]+@[a-z-]+\.example\.com$/);
    for (const field of ["role", "source", "interest", "start", "employees", "budget_usd_per_year"])
      expect(new Set(leads.map((lead) => lead.fields[field])).size, field).toBeGreaterThan(4);
  });

  it("names an installation by syllables, evenly, whatever bytes come", () => {
    expect(installationName((count) => randomBytes(count))).toMatch(/^([bdfghklmnprstvwz][aeiou]){7}$/);
    const bytes = [255, 240, 0, 79, 80, 159, 1, 2, 3];
    expect(installationName((count) => Uint8Array.from(bytes.splice(0, count)))).toBe("bazubazubebibo");
  });
});

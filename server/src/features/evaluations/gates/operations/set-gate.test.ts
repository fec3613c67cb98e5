import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { newDataset, newRun, readGateOf, runJobOf, sameTeam, setGateOf, skillsThat, teamItems } from "../../testing.ts";

const app = useApp();
const process = useWorkerProcess(app);
const scorers = [{ scorer: "same-team" }];
const set = async (n = 1) => {
  await sameTeam(app);
  return newDataset(app, teamItems(Array<string>(n).fill("enterprise")));
};
const put = (body: object, ifMatch: string | null, options = {}) =>
  app.call("PUT", "/v1/evaluations/gates/sales", {
    body,
    ...(ifMatch === null ? {} : { headers: { "if-match": ifMatch } }),
    ...options,
  });
const read = (options = {}) => app.call("GET", "/v1/evaluations/gates/sales", options);
const etagOf = async (options = {}) => (await read(options)).headers.get("etag") as string;
const codesOf = async (body: object) => {
  const answered = await put(body, await etagOf());
  return [
    answered.status,
    ...(answered.body.errors ?? []).map((fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`),
  ];
};

describe("an agent's gate", () => {
  it("is there to be read before one is set: no rules, no verdict, and what follows", async () => {
    const { status, headers, body } = await read({ environment: "production", key: "viewer" });
    expect([status, headers.get("etag")]).toEqual([200, '"0-json"']);
    expect(body).toMatchObject({
      agent: "sales",
      environment: "production",
      revision: 0,
      rules: null,
      consequences: {
        open: "allow",
        failed: "deny",
        inconclusive: "require_approval",
        expired: "require_approval",
        missing: "require_approval",
      },
      versions: [
        {
          version: 1,
          deployed: false,
          state: "missing",
          consequence: "require_approval",
          reasons: [],
          runs: [],
          decision: null,
        },
      ],
    });
  });

  it("is set with what the body says and else with the standards, and names the sets", async () => {
    const dataset = await set();
    const { status, body, headers } = await put({ datasets: [dataset], scorers, floor: 0.7 }, await etagOf());
    expect([status, headers.get("etag")]).toEqual([200, `"${body.revision}-json"`]);
    expect(body.rules).toEqual({
      datasets: [{ dataset_id: expect.stringMatching(/^ds_/), name: dataset, version: 1, latest_version: 1 }],
      scorers: [{ scorer: "same-team", version: 1, latest_version: 1 }],
      newer_versions: false,
      floor: 0.7,
      tolerance: 0.05,
      repeats: 3,
      max_repeats: 12,
      lifetime_days: 30,
      fail_closed: false,
      on_missing: null,
      table: {},
      updated_by: expect.stringMatching(/^mbr_/),
      updated_at: expect.any(String),
    });
    const { pins_changed: _changed, ...gate } = body;
    expect((await read()).body).toEqual(gate);
    const more = {
      tolerance: 0.1,
      repeats: 20,
      lifetime_days: 7,
      scorers: [{ scorer: "same-team", floor: 0.9, pass_at: 0.5 }],
    };
    expect((await put({ datasets: [dataset], ...more }, await etagOf())).body.rules).toMatchObject({
      ...more,
      floor: 0,
      max_repeats: 20,
    });
  });

  it("belongs to one environment", async () => {
    await setGateOf(app, { datasets: [await set()], scorers });
    expect((await read({ environment: "staging" })).body.rules).toBeNull();
  });

  it("is changed by the revision that was read only", async () => {
    const body = { datasets: [await set()], scorers };
    expect((await put(body, null)).status).toBe(428);
    const etag = await etagOf();
    expect((await put(body, etag)).status).toBe(200);
    expect((await put(body, etag)).status).toBe(412);
    const present = await etagOf();
    const both = await Promise.all([put(body, present), put(body, present)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it("takes sets of this agent and scorers that have something to say of them, each once", async () => {
    const dataset = await set();
    expect(await codesOf({ datasets: ["nothing"], scorers })).toEqual([422, "/datasets/0 unknown_dataset"]);
    const { rows } = await app.pool.query("select id from datasets where name = $1", [dataset]);
    expect(await codesOf({ datasets: [dataset, rows[0].id], scorers })).toEqual([422, "/datasets/1 dataset_twice"]);
    expect(await codesOf({ datasets: [dataset], scorers: [...scorers, { scorer: "nothing" }] })).toEqual([
      422,
      "/scorers/1/scorer unknown_scorer",
    ]);
    expect(await codesOf({ datasets: [dataset], scorers: [...scorers, ...scorers] })).toEqual([
      422,
      "/scorers/1/scorer scorer_twice",
    ]);
    const silent = { kind: "exact", pointer: "/reason", samples: [{ output: {}, score: null }] };
    await app.call("PUT", "/v1/evaluations/scorers/silent", { body: silent });
    expect(await codesOf({ datasets: [dataset], scorers: [{ scorer: "silent" }] })).toEqual([
      422,
      "/scorers/0/scorer silent_scorer",
    ]);
    await app.pool.query(
      `insert into agents (organization, name, owner, draft) select organization, 'support', owner, draft from agents where name = 'sales' on conflict do nothing`,
    );
    await app.pool.query("update datasets set agent = 'support' where name = $1", [dataset]);
    expect(await codesOf({ datasets: [dataset], scorers })).toEqual([422, "/datasets/0 foreign_dataset"]);
  });

  it("refuses settings that contradict each other", async () => {
    const body = { datasets: [await set()], scorers };
    expect(await codesOf({ ...body, fail_closed: true, on_missing: "deny", table: { failed: "deny" } })).toEqual([
      422,
      "/on_missing contradiction",
      "/table contradiction",
    ]);
    expect(await codesOf({ ...body, on_missing: "deny", table: { expired: "allow" } })).toEqual([
      422,
      "/table/expired contradiction",
    ]);
    expect(await codesOf({ ...body, repeats: 4, max_repeats: 3 })).toEqual([422, "/max_repeats below_repeats"]);
    expect(await codesOf({ ...body, floor: 1.1 })).toEqual([422, "/floor too_large"]);
  });

  it("refuses fewer repeats at most than the standard that holds where none are stated, and says what mends it", async () => {
    const body = { datasets: [await set()], scorers };
    expect((await put({ ...body, max_repeats: 1 }, await etagOf())).body).toMatchObject({
      status: 422,
      errors: [
        {
          pointer: "/max_repeats",
          code: "below_repeats",
          detail: expect.stringMatching(/`repeats`, 3, its standard; raise it to 3/),
        },
      ],
    });
    expect(await codesOf({ ...body, max_repeats: 3 })).toEqual([200]);
    expect(await codesOf({ ...body, repeats: 1, max_repeats: 1 })).toEqual([200]);
  });
});

describe("what a gate says of its own", () => {
  const dispatch = async () => {
    const { status, body } = await app.call("POST", "/v1/agents/sales/tasks", {
      body: { task: "qualify_lead", lead_id: "ld_1001" },
    });
    return [status, body.code ?? body.status];
  };
  const gate = async (more: object) => setGateOf(app, { datasets: [await set()], scorers, ...more });

  it("decides calls at once: missing evidence waits or is refused where it says so", async () => {
    await gate({});
    expect(await dispatch()).toEqual([202, "queued"]);
    expect((await gate({ on_missing: "require_approval" })).consequences).toMatchObject({
      missing: "require_approval",
      expired: "require_approval",
      failed: "allow",
    });
    expect(await dispatch()).toEqual([202, "awaiting_approval"]);
    await gate({ on_missing: "deny" });
    expect(await dispatch()).toEqual([409, "evaluation_gate_failed"]);
  });

  it("decides by its table, state by state", async () => {
    await gate({ table: { failed: "deny", inconclusive: "require_approval" } });
    await app.verdict("failed");
    expect(await dispatch()).toEqual([409, "evaluation_gate_failed"]);
    await app.verdict("inconclusive");
    expect(await dispatch()).toEqual([202, "awaiting_approval"]);
    await app.verdict("open", "development", new Date(Date.now() - 1000));
    expect(await dispatch()).toEqual([202, "queued"]);
    await app.verdict("open");
    expect(await dispatch()).toEqual([202, "queued"]);
  });

  it("refuses whatever is not open where it fails closed", async () => {
    const { consequences } = await gate({ fail_closed: true });
    expect(consequences).toEqual({
      open: "allow",
      failed: "deny",
      inconclusive: "deny",
      expired: "deny",
      missing: "deny",
    });
    expect(await dispatch()).toEqual([409, "evaluation_gate_failed"]);
    await app.verdict("open");
    expect(await dispatch()).toEqual([202, "queued"]);
  });

  it("is shown to who asks what would become of a call", async () => {
    await gate({ fail_closed: true });
    const { body } = await app.call("POST", "/v1/governance/check", {
      body: { action: "task.dispatch", agent: "sales", skill: "qualify_lead", input: { lead_id: "ld_1001" } },
    });
    expect(body.gate).toMatchObject({ state: "missing", consequence: "deny" });
  });
});

it("judges again, when it is set, versions that have run all its sets, and takes away what the gate before said", async () => {
  const [dataset, other] = [await set(40), await set(40)];
  const rules = { datasets: [dataset], scorers, repeats: 1, max_repeats: 1 };
  await setGateOf(app, { ...rules, floor: 0.5 });
  const run = await newRun(app, dataset);
  await runJobOf(
    process,
    skillsThat(({ input }) => ({ team: Number(String(input.lead_id).slice(3)) > 1010 ? "enterprise" : "midmarket" })),
  )(app, run);
  expect(await readGateOf(app, 1)).toMatchObject({ state: "open" });
  await setGateOf(app, { ...rules, floor: 0.99 });
  expect(await readGateOf(app, 1)).toMatchObject({ state: "failed", runs: [run.run_id] });
  await setGateOf(app, { ...rules, datasets: [other] });
  expect(await readGateOf(app, 1)).toMatchObject({ state: "missing", runs: [] });
});

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import type { EvaluationRun, Gate } from "../schemas.ts";
import { newDataset, runJobOf, skillsThat, teamItems } from "../testing.ts";

// A gate pins the versions of its datasets and scorers: what another environment does to these changes nothing here.

const app = useApp();
const process = useWorkerProcess(app);
const production = { environment: "production" } as const;
const gatePath = "/v1/evaluations/gates/sales";
const strict = {
  kind: "exact",
  pointer: "/team",
  samples: [{ output: { team: "enterprise" }, expected: { team: "enterprise" }, score: 1 }],
};
/** Accepts every output that does not contain `never`. */
const lax = {
  kind: "contains",
  parameters: { absent: ["never"] },
  samples: [{ output: { team: "partners" }, score: 1 }],
};

let n = 0;
let dataset: string;
let scorer: string;

const ok = async <T>(answered: ReturnType<typeof app.call>): Promise<T> => {
  const { status, text, body } = await answered;
  expect(status, text).toBeLessThan(300);
  return body as T;
};
const readGate = () => ok<Gate>(app.call("GET", gatePath, production));
const put = async (more: object = {}) => {
  const { headers } = await app.call("GET", gatePath, production);
  const body = {
    datasets: [dataset],
    scorers: [{ scorer }],
    floor: 0.8,
    repeats: 1,
    max_repeats: 1,
    fail_closed: true,
    ...more,
  };
  return app.call("PUT", gatePath, { ...production, body, headers: { "if-match": headers.get("etag") as string } });
};
/** Starts a run of version 1 in production and carries it out; every answer is `team`. */
const run = async (team: string, more: object = {}): Promise<EvaluationRun> => {
  const started = await ok<EvaluationRun>(
    app.call("POST", "/v1/evaluations/runs", { ...production, body: { dataset, version: 1, ...more } }),
  );
  await runJobOf(
    process,
    skillsThat(() => ({ team })),
  )(app, started, "production");
  return ok(app.call("GET", `/v1/evaluations/runs/${started.run_id}`, production));
};
const verdict = async () => (await readGate()).versions.find(({ version }) => version === 1);
const deploy = async () => {
  await app.app.facts.refresh();
  return app.call("POST", "/v1/agents/sales/deployments", { ...production, body: { version: 1 } });
};
/** What a key of development does to the scorer and the dataset: every item now passes with the wrong answer. */
const weaken = async () => {
  const key = app.key("evaluator");
  await ok(app.call("PUT", `/v1/evaluations/scorers/${scorer}`, { key, body: lax }));
  const items = teamItems(Array<string>(40).fill("partners"));
  await ok(app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, { key, body: { items } }));
};

beforeAll(async () => {
  for (const name of ["leads", "playbook"])
    await ok(app.call("POST", "/v1/knowledge/bases", { ...production, body: { name } }));
});

beforeEach(async () => {
  scorer = `pinned-${++n}`;
  await ok(app.call("PUT", `/v1/evaluations/scorers/${scorer}`, { body: strict }));
  dataset = await newDataset(app, teamItems(Array<string>(40).fill("enterprise")));
});

describe("a scorer and a dataset that a key of development changes", () => {
  it("leave production's verdict, rerun and deployment as they were", async () => {
    await ok(put());
    const before = await run("partners");
    expect(before.verdict).toBe("failed");
    await weaken();
    expect(await verdict()).toMatchObject({ state: "failed", runs: [before.run_id] });
    const again = await run("partners");
    expect(again).toMatchObject({ dataset_version: 1, scorers: [{ scorer, version: 1 }], verdict: "failed" });
    expect(await verdict()).toMatchObject({ state: "failed", runs: [again.run_id] });
    expect((await deploy()).body).toMatchObject({ status: 409, code: "evaluation_gate_failed" });
    expect(await run("enterprise")).toMatchObject({ dataset_version: 1, verdict: "failed" }); // what has failed stays so
  });

  it("take effect in production once its gate is set there, which says what changed", async () => {
    await ok(put());
    await run("partners");
    await weaken();
    expect((await readGate()).rules).toMatchObject({
      newer_versions: true,
      datasets: [{ name: dataset, version: 1, latest_version: 2 }],
      scorers: [{ scorer, version: 1, latest_version: 2 }],
    });
    const set = await ok<{ rules: Gate["rules"]; pins_changed: unknown[] }>(put());
    expect(set.pins_changed).toEqual([
      { kind: "dataset", name: dataset, from: 1, to: 2 },
      { kind: "scorer", name: scorer, from: 1, to: 2 },
    ]);
    expect(set.rules).toMatchObject({ newer_versions: false, datasets: [{ version: 2 }], scorers: [{ version: 2 }] });
    expect(await verdict()).toMatchObject({ state: "missing" });
    expect(await run("partners")).toMatchObject({ dataset_version: 2, scorers: [{ version: 2 }], verdict: "open" });
    expect((await deploy()).status).toBe(201);
    await app.pool.query(
      "update deployments set state = 'ended', ended_at = now() where environment = 'production' and state = 'live'",
    );
  });

  it("are no evidence for production's gate: neither runs of development nor runs over another version of the dataset", async () => {
    await ok(put());
    await weaken();
    const body = { dataset, version: 1, scorers: [scorer] };
    const there = await ok<EvaluationRun>(app.call("POST", "/v1/evaluations/runs", { body }));
    await runJobOf(
      process,
      skillsThat(() => ({ team: "partners" })),
    )(app, there);
    expect((await run("partners", { dataset_version: 2 })).verdict).toBeNull();
    expect(await verdict()).toMatchObject({ state: "missing" });
    await ok(put({ datasets: [{ dataset, version: 1 }], scorers: [{ scorer, version: 1 }] }));
    expect(await verdict()).toMatchObject({ state: "missing" });
  });
});

describe("setting a gate", () => {
  it("pins the versions that the body names, so that what was reviewed is what counts", async () => {
    await ok(put());
    await weaken();
    const set = await ok<{ rules: Gate["rules"]; pins_changed: unknown[] }>(
      put({ datasets: [{ dataset, version: 1 }], scorers: [{ scorer, version: 1 }], floor: 0.7 }),
    );
    expect(set).toMatchObject({
      rules: { floor: 0.7, datasets: [{ version: 1 }], scorers: [{ version: 1 }] },
      pins_changed: [],
    });
  });

  it("refuses versions that do not exist", async () => {
    const { status, body } = await put({ datasets: [{ dataset, version: 2 }], scorers: [{ scorer, version: 2 }] });
    expect([
      status,
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    ]).toEqual([422, ["/datasets/0/version unknown_version"]]);
    const second = await put({ scorers: [{ scorer, version: 2 }] });
    expect([second.status, second.body.errors[0]]).toMatchObject([
      422,
      { pointer: "/scorers/0/version", code: "unknown_version", detail: expect.stringContaining("1") },
    ]);
  });

  it("judges at once by runs over the versions that it pins, so that a new version is tried before it counts", async () => {
    await ok(put());
    expect((await run("enterprise")).verdict).toBe("open");
    await weaken();
    const tried = await run("enterprise", { dataset_version: 2 });
    expect([tried.verdict, (await verdict())?.state]).toEqual([null, "open"]);
    await ok(put({ scorers: [{ scorer, version: 1 }] }));
    expect(await verdict()).toMatchObject({ state: "failed", runs: [tried.run_id] });
  });
});

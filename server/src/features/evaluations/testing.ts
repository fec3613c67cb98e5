import { systemClock } from "../../kernel/clock.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { SkillOutcome, SkillRequest, SkillRunner } from "../../kernel/skill-runner.ts";
import type { TestApp } from "../../testing/app.ts";
import type { WorkerProcess } from "../../testing/worker.ts";
import { createRunJob, type RunJobOptions } from "./runs/jobs/run-job.ts";
import type { DatasetItem, EvaluationRun, EvaluationRunReport, Gate } from "./schemas.ts";

// What tests of this slice arrange and drive.

type Request = SkillRequest & { readonly input: Readonly<Record<string, unknown>> };
type Answer = Readonly<Record<string, unknown>> | { readonly fails: string };

export interface TestSkills extends SkillRunner {
  /** What was asked, in order. */
  readonly asked: Request[];
}

/** Skills that answer by a function of what is asked; each run costs a cent and ten tokens. `{ fails }` is a failure of that code. */
export function skillsThat(answer: (request: Request) => Answer | Promise<Answer>): TestSkills {
  const asked: Request[] = [];
  return {
    asked,
    async run(request): Promise<SkillOutcome> {
      asked.push(request);
      const given = await answer(request);
      const usage = { steps: 2, tokens: 10, costUsd: 0.01, ms: 1 };
      if ("fails" in given)
        return { kind: "failed", failure: { code: String(given.fails), detail: "arranged" }, usage };
      return { kind: "completed", output: given, usage, features: {} };
    },
    gather: async ({ inputs }) => inputs.map(() => ({})),
  };
}

async function expectStatus(
  status: number,
  answered: Promise<{ status: number; text: string; headers: Headers; body: unknown }>,
) {
  const { status: given, text, ...rest } = await answered;
  if (given !== status) throw new Error(`answered ${given} instead of ${status}: ${text}`);
  return rest;
}

let sets = 0;

/** Items whose input names the team that is expected: `{ team }` of `route_lead` for a lead of its own. */
export function teamItems(teams: readonly string[], more: Partial<DatasetItem> = {}): DatasetItem[] {
  return teams.map((team, at) => ({
    item: `lead-${at + 1}`,
    input: { lead_id: `ld_${1001 + at}` },
    expected: { team },
    ...more,
  }));
}

/** A new dataset of `sales.route_lead`, by its name. */
export async function newDataset(app: TestApp, items: readonly DatasetItem[], more: object = {}): Promise<string> {
  const name = `set-${++sets}`;
  const body = { name, agent: "sales", skill: "route_lead", items, ...more };
  await expectStatus(201, app.call("POST", "/v1/evaluations/datasets", { body }));
  return name;
}

/** The scorer `same-team`: the team is the expected one. */
export async function sameTeam(app: TestApp): Promise<string> {
  const body = {
    kind: "exact",
    pointer: "/team",
    samples: [{ output: { team: "enterprise" }, expected: { team: "enterprise" }, score: 1 }],
  };
  await expectStatus(200, app.call("PUT", "/v1/evaluations/scorers/same-team", { body }));
  return "same-team";
}

/** Starts a run of version 1 with `same-team`, by default. */
export async function newRun(app: TestApp, dataset: string, more: object = {}): Promise<EvaluationRun> {
  const body = { dataset, version: 1, scorers: [await sameTeam(app)], ...more };
  return (await expectStatus(202, app.call("POST", "/v1/evaluations/runs", { body }))).body as EvaluationRun;
}

/** A run as it stands, with up to 100 of its items. */
export async function readRunOf(
  app: TestApp,
  { run_id }: { run_id: string },
  query = "",
): Promise<EvaluationRunReport> {
  return (await expectStatus(200, app.call("GET", `/v1/evaluations/runs/${run_id}?limit=100${query}`)))
    .body as EvaluationRunReport;
}

/** The job of runs, with skills of the test. */
export function runJobOf(process: WorkerProcess, skills: SkillRunner, options: RunJobOptions = {}) {
  const db = {
    query: async (text: string, values: readonly unknown[] = []) =>
      (await process.database.pool.query(text, [...values])).rows as never,
  };
  const handle = createRunJob({ db, inside: process.inside, clock: systemClock, skills }, { pauseMs: 1, ...options });
  return (app: TestApp, run: { run_id: string }, environment: Environment = "development"): Promise<void> =>
    handle({ ...app.scope, environment, run: run.run_id });
}

/** Sets the gate of `sales`, whatever it was before. */
export async function setGateOf(app: TestApp, body: object): Promise<Gate> {
  const { headers } = await expectStatus(200, app.call("GET", "/v1/evaluations/gates/sales"));
  const options = { body, headers: { "if-match": headers.get("etag") as string } };
  return (await expectStatus(200, app.call("PUT", "/v1/evaluations/gates/sales", options))).body as Gate;
}

/** The gate of `sales`, and what it says of a version. */
export async function readGateOf(app: TestApp, version: number): Promise<Gate["versions"][number]> {
  const { body } = await expectStatus(200, app.call("GET", "/v1/evaluations/gates/sales"));
  return (body as Gate).versions.find((one) => one.version === version) as Gate["versions"][number];
}

/** Freezes another version of `sales`, which says what the present one says but for its description; answers its number. */
export async function newVersion(app: TestApp, description: string): Promise<number> {
  const { headers } = await expectStatus(200, app.call("GET", "/v1/agents/sales"));
  const options = { body: { description }, headers: { "if-match": headers.get("etag") as string } };
  await expectStatus(200, app.call("PATCH", "/v1/agents/sales", options));
  const frozen = await expectStatus(201, app.call("POST", "/v1/agents/sales/versions", { body: {} }));
  return (frozen.body as { version: number }).version;
}

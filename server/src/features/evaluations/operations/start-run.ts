import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { byBody, type Concerned } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { type DatasetRow, findDataset, readItems } from "../dataset-store.ts";
import { exampleRun } from "../example.ts";
import type { PinnedScorer } from "../gate-rules.ts";
import { findGate, findVersionSkills, scorersWithin } from "../gate-store.ts";
import { runJob, runView, totalOf } from "../run-model.ts";
import { findRun, insertRun, type RunScorer, type UsedRun } from "../run-store.ts";
import { EvaluationRun, StartRunBody } from "../schemas.ts";
import { findScorers, findScorerVersions } from "../scorer-store.ts";
import { invalid } from "./create-dataset.ts";

export const startRun = defineOperation({
  id: "evaluations.startRun",
  method: "POST",
  path: "/v1/evaluations/runs",
  status: 202,
  listed: true,
  summary: "Run a dataset against a version",
  description:
    "Runs each item, as often as told, with the knowledge of the environment of the key. Reading tools work; writing ones are not carried out. When it ends, and the agent's gate in this " +
    "environment pins the dataset in the version that was run, the gate draws its verdict: against the deployed version, whose own run is started where there is none, and with more repeats while " +
    "it cannot decide. Where the body leaves them out, the run takes the dataset version, the scorers and the repeats of the gate. A scorer of the gate is always used in the version that it pins.",
  body: StartRunBody,
  output: EvaluationRun,
  location: ({ run_id }) => `/v1/evaluations/runs/${run_id}`,
  example: {
    body: {
      dataset: exampleRun.dataset,
      version: 2,
      scorers: ["same-team"],
      repeats: 3,
      budget: { usd: 2 },
      note: exampleRun.note,
    },
    output: {
      ...exampleRun,
      state: "queued",
      progress: { done: 0, failed: 0, total: 6 },
      usage: { steps: 0, tokens: 0, cost_usd: 0 },
      verdict: null,
      started_at: null,
      finished_at: null,
    },
  },
  permission: "evaluations:write",
  load: exempt("names no object; the dataset stands in the body"),
  narrowing: byBody(
    "the agent of the dataset; its scorers are those by which gates and runs of the key's agents judge",
    concerned,
  ),
  gate: exempt("makes the evidence that the gate is decided on; nothing outside is changed by it"),
  compliance: governs("evaluation.run"),
  audit: ({ output }) => (output ? `run:${output.run_id}` : "runs"),
  async handle(ctx, { body }) {
    const set = await findDataset(ctx, body.dataset);
    if (!set)
      throw invalid([
        { pointer: "/dataset", code: "unknown_dataset", detail: "names no dataset, neither by id nor by name" },
      ]);
    const gate = await findGate(ctx, set.agent);
    const pinned = gate?.definition.datasets.find(({ dataset_id }) => dataset_id === set.id);
    const gated = pinned && gate?.definition;
    const versionId = await findVersionId(ctx, set, body.version);
    const names = body.scorers ?? gated?.scorers.map(({ scorer }) => scorer);
    const scorers = await runScorers(ctx, names, gate?.definition.scorers ?? []);
    const datasetVersion = versionOf(set, body.dataset_version ?? pinned?.version);
    const repeats = body.repeats ?? gated?.repeats ?? 1;
    const items = await readItems(ctx.db, ctx.scope.organization, set.id, datasetVersion);
    const budget = { budget_items: body.budget?.items ?? null, budget_usd: body.budget?.usd ?? null };
    const id = ctx.newId("run");
    await insertRun(ctx, {
      id,
      agent: set.agent,
      skill: set.skill,
      version_id: versionId,
      version_number: body.version,
      dataset_id: set.id,
      dataset_name: set.name,
      dataset_version: datasetVersion,
      scorers,
      repeats,
      seed: body.seed ?? 1,
      total: totalOf(items.length, repeats, budget.budget_items),
      ...budget,
      note: body.note ?? "",
    });
    ctx.enqueue(runJob(ctx.scope, id));
    return runView((await findRun(ctx, id)) as UsedRun);
  },
});

/** A set that is not there is told of by the handler. */
async function concerned(ctx: ReadContext, { body }: { body: StartRunBody }): Promise<Concerned> {
  const set = await findDataset(ctx, body.dataset);
  if (!set) return ctx.principal.agents;
  return ctx.principal.agents?.includes(set.agent) ? scorersWithin(ctx, [set.agent], body.scorers ?? []) : [set.agent];
}

async function findVersionId(ctx: WriteContext, { agent, skill }: DatasetRow, number: number): Promise<string> {
  const version = await findVersionSkills(ctx, agent, number);
  if (!version) {
    throw invalid([
      {
        pointer: "/version",
        code: "unknown_version",
        detail: `names no version of ${agent}; GET /v1/agents/${agent}/versions lists them`,
      },
    ]);
  }
  if (!version.skills.includes(skill)) {
    throw invalid([
      {
        pointer: "/version",
        code: "lacks_skill",
        detail: `lacks the skill ${skill} that the set's items are inputs of`,
      },
    ]);
  }
  return version.id;
}

function versionOf(set: DatasetRow, asked: number | undefined): number {
  if (asked !== undefined && asked > set.version) {
    throw invalid([
      {
        pointer: "/dataset_version",
        code: "unknown_version",
        detail: `is beyond the set's present version, ${set.version}`,
      },
    ]);
  }
  return asked ?? set.version;
}

/** Scorers by name: those that the agent's gate pins in their pinned versions, the others in their latest. */
async function runScorers(
  ctx: WriteContext,
  names: readonly string[] | undefined,
  pins: readonly PinnedScorer[],
): Promise<RunScorer[]> {
  if (!names) {
    throw invalid([
      {
        pointer: "/scorers",
        code: "no_scorers",
        detail: "is needed here: no gate of the agent in this environment names the set",
      },
    ]);
  }
  const used = pins.filter(({ scorer }) => names.includes(scorer));
  const rows = new Map(
    [...(await findScorers(ctx, names)), ...(await findScorerVersions(ctx, used))].map((row) => [row.name, row]),
  );
  const faults = names.flatMap((name, at) =>
    rows.has(name) ? [] : [{ pointer: `/scorers/${at}`, code: "unknown_scorer", detail: `names no scorer: ${name}` }],
  );
  if (faults.length > 0) throw invalid(faults);
  return [...rows.values()].map(({ name, version, definition }) => ({ scorer: name, version, ...definition }));
}

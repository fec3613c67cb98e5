import { actorOfCall } from "../../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { byBody, type Concerned } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { type DatasetRow, findDataset, readItems } from "../../datasets/store.ts";
import { fault, invalid, refuseFaults } from "../../errors.ts";
import { exampleRun } from "../../example.ts";
import type { PinnedScorer } from "../../gates/rules.ts";
import { findGate, findVersion, scorersWithin } from "../../gates/store.ts";
import { EvaluationRun, StartRunBody } from "../../schemas.ts";
import { findScorers, findScorerVersions } from "../../scorers/store.ts";
import { runJob, runView } from "../rules.ts";
import { insertRun, type RunScorer } from "../store.ts";

export const startRun = defineOperation({
  id: "evaluations.startRun",
  method: "POST",
  path: "/v1/evaluations/runs",
  status: 202,
  listed: true,
  summary: "Run a dataset against a version",
  description:
    "Runs each item the given number of times, with the knowledge of the key's environment. Reading tools work; writing ones are not carried out. If the agent's gate in this environment pins the dataset " +
    "in the version that was run, the gate gives its verdict at the end: against the deployed version, which is run as well if it has no run yet, and with more repeats while it cannot decide. " +
    "The run takes the dataset version, scorers and repeats of the gate unless the body names others. A scorer of the gate is always used in the version that it pins.",
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
  decides: exempt("withholds writes, and no other work reads its outputs"),
  compliance: governs("evaluation.run"),
  audit: ({ output }) => (output ? `run:${output.run_id}` : "runs"),
  async handle(ctx, { body }) {
    const set = await findDataset(ctx, body.dataset);
    if (!set) throw invalid([fault("/dataset", "unknown_dataset", "names no dataset, neither by id nor by name")]);
    const gate = (await findGate(ctx, set.agent))?.definition;
    const pinned = gate?.datasets.find(({ dataset_id }) => dataset_id === set.id);
    const gated = pinned && gate;
    const versionId = await findVersionId(ctx, set, body.version);
    const names = body.scorers ?? gated?.scorers.map(({ scorer }) => scorer);
    const scorers = await runScorers(ctx, names, gate?.scorers ?? []);
    const datasetVersion = versionOf(set, body.dataset_version ?? pinned?.version);
    const repeats = body.repeats ?? gated?.repeats ?? 1;
    const items = await readItems(ctx, set.id, datasetVersion);
    const budget = { budget_items: body.budget?.items ?? null, budget_usd: body.budget?.usd ?? null };
    const id = ctx.newId("run");
    const run = await insertRun(ctx, actorOfCall(ctx), {
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
      ...budget,
      seed: body.seed ?? 1,
      note: body.note ?? "",
      total: Math.min(items.length * repeats, budget.budget_items ?? Number.POSITIVE_INFINITY),
    });
    ctx.enqueue(runJob(ctx.scope, id));
    return runView(run);
  },
});

/** The handler reports an unknown dataset. */
async function concerned(ctx: ReadContext, { body }: { body: StartRunBody }): Promise<Concerned> {
  const set = await findDataset(ctx, body.dataset);
  if (!set) return ctx.principal.agents;
  return ctx.principal.agents?.includes(set.agent) ? scorersWithin(ctx, [set.agent], body.scorers ?? []) : [set.agent];
}

async function findVersionId(ctx: WriteContext, { agent, skill }: DatasetRow, number: number): Promise<string> {
  const version = await findVersion(ctx, agent, number);
  const unknown = `names no version of ${agent}; GET /v1/agents/${agent}/versions lists them`;
  if (!version) throw invalid([fault("/version", "unknown_version", unknown)]);
  if (version.skills.includes(skill)) return version.id;
  throw invalid([fault("/version", "lacks_skill", `lacks the skill ${skill} of the dataset's items`)]);
}

function versionOf({ version }: DatasetRow, asked = version): number {
  if (asked <= version) return asked;
  throw invalid([fault("/dataset_version", "unknown_version", `does not exist; the latest version is ${version}`)]);
}

/** In the versions that the agent's gate pins, else the latest. */
async function runScorers(
  ctx: WriteContext,
  names: readonly string[] | undefined,
  pins: readonly PinnedScorer[],
): Promise<RunScorer[]> {
  const needed = "is needed here: no gate of the agent in this environment names the dataset";
  if (!names) throw invalid([fault("/scorers", "no_scorers", needed)]);
  const used = pins.filter(({ scorer }) => names.includes(scorer));
  const found = [...(await findScorers(ctx, names)), ...(await findScorerVersions(ctx, used))];
  const rows = new Map(found.map((row) => [row.name, row]));
  refuseFaults(
    names.flatMap((name, at) =>
      rows.has(name) ? [] : [fault(`/scorers/${at}`, "unknown_scorer", `names no scorer: ${name}`)],
    ),
  );
  return [...rows.values()].map(({ name, version, definition }) => ({ scorer: name, version, ...definition }));
}

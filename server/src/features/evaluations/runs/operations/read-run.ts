import { isDeepStrictEqual } from "node:util";
import { Type } from "typebox";
import type { CallContext, ReadContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { listPage, listQuery } from "../../../../kernel/listing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { invalidParameter, resultNotIntact } from "../../../../kernel/problems.ts";
import { whenEnded } from "../../../../kernel/wait.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { listItemNames, readItems, type StoredItem } from "../../datasets/store.ts";
import { exampleDecision, exampleRun } from "../../example.ts";
import { findGate } from "../../gates/store.ts";
import { decisionView } from "../../gates/view.ts";
import {
  EvaluationRunReport,
  GATE_START,
  type GateDecision,
  type ItemResult,
  type RunComparison,
  RunId,
} from "../../schemas.ts";
import { byItem, runFigures } from "../measures.ts";
import { compareRuns, itemView, runView } from "../rules.ts";
import { checkRun } from "../seal.ts";
import { findRun, type RunRow, readResults, readScores } from "../store.ts";

export const readRun = defineRead({
  id: "evaluations.readRun",
  path: "/v1/evaluations/runs/{run}",
  listed: true,
  waitable: true,
  summary: "Read a run with its scores",
  description:
    "Its progress, the figures of each scorer with their bounds, and a page of its items. With `compare_to`, another run of the same dataset in this environment, also what got worse and how sure " +
    "that is: item by item, paired, by the scorers of this run on the outputs of both. `Prefer: wait=n` holds the call until the run ends.",
  params: Type.Object({ run: RunId }),
  query: listQuery({ compare_to: Type.Optional(Type.String({ description: "The run to compare with, `run_…`." })) }),
  output: EvaluationRunReport,
  example: {
    params: { run: exampleRun.run_id },
    output: {
      ...exampleRun,
      figures: exampleDecision.scorers,
      decision: exampleDecision,
      comparison: null,
      items: { data: [], has_more: false, next_cursor: null },
    },
  },
  permission: "evaluations:read",
  load: (ctx, { run }) => findRun(ctx, run),
  compliance: governs("evaluation.read", (ctx: CallContext, { loaded }: { loaded: RunRow }) => ({
    agent: { name: loaded.agent, labels: findKnownAgent(ctx, loaded.agent)?.labels ?? [] },
  })),
  audit: ({ params }) => `run:${params.run}`,
  errors: [resultNotIntact],
  async handle(ctx, { loaded, query }) {
    const run = await whenEnded(ctx, loaded, () => findRun(ctx, loaded.id));
    const comparison = query.compare_to === undefined ? null : await comparisonWith(ctx, run, query.compare_to);
    const items = await readItems(ctx, run.dataset_id, run.dataset_version);
    const scores = await readScores(ctx, run.id);
    checkRun(ctx, run, scores);
    return {
      ...runView(run),
      figures: runFigures(run.scorers, items, scores) as GateDecision["scorers"],
      decision: decisionView(run),
      comparison,
      items: await itemPage(ctx, run, query, items),
    };
  },
});

async function itemPage(
  ctx: ReadContext,
  run: RunRow,
  query: { limit?: number; cursor?: string },
  items: readonly StoredItem[],
) {
  const named = new Map(items.map((item) => [item.name, item]));
  return listPage(
    ctx,
    query,
    { run: run.id },
    {
      sort: "place",
      read: async (page) => {
        const rows = await listItemNames(ctx, run.dataset_id, run.dataset_version, page);
        const outcomes = byItem(
          await readResults(
            ctx,
            run.id,
            rows.map(({ name }) => name),
          ),
        );
        return rows.map((row) => ({ ...row, outcomes: outcomes.get(row.name) ?? [] }));
      },
      positionOf: ({ name, place }) => ({ keys: [place], id: name }),
      item: ({ name, outcomes }): ItemResult => itemView(named.get(name) as StoredItem, outcomes, run.scorers),
    },
  );
}

/** Over the items that are the same in both dataset versions. */
async function comparisonWith(ctx: ReadContext, run: RunRow, reference: string): Promise<RunComparison> {
  const other = await findRun(ctx, reference);
  const agents = ctx.principal.agents;
  if (!other || (agents !== null && !agents.includes(other.agent))) throw bad("names no run of this environment");
  if (other.dataset_id !== run.dataset_id) {
    throw bad(
      `is a run of the dataset ${other.dataset_name}; only runs of one set can be compared, and this one is of ${run.dataset_name}`,
    );
  }
  const [items, before] = (await Promise.all(
    [run, other].map((one) => readItems(ctx, one.dataset_id, one.dataset_version)),
  )) as [StoredItem[], StoredItem[]];
  const earlier = new Map(before.map((item) => [item.name, item]));
  const gate = await findGate(ctx, run.agent);
  return compareRuns(
    run,
    other,
    {
      items: items.filter((item) => isDeepStrictEqual(item, earlier.get(item.name))),
      after: await readResults(ctx, run.id),
      before: await readResults(ctx, other.id),
    },
    gate?.definition.tolerance ?? GATE_START.tolerance,
  );
}

function bad(detail: string): Error {
  return refuse(invalidParameter, `compare_to ${detail}`, {
    errors: [{ parameter: "compare_to", code: "not_comparable", detail }],
  });
}

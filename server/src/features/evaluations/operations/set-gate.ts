import { Type } from "typebox";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { staleRevision } from "../../../kernel/problems.ts";
import { AgentName } from "../../agents/schemas.ts";
import { type DatasetRow, findDataset, readItems } from "../dataset-store.ts";
import { evaluationCompleted, gateFailedEvent } from "../events.ts";
import { exampleDataset, exampleGate } from "../example.ts";
import { gateFacts } from "../facts.ts";
import { judgeAnew } from "../gate-judge.ts";
import { gateDefinition, type PinnedDataset, type PinnedScorer } from "../gate-rules.ts";
import { lockGate, scorersWithin, storeGate } from "../gate-store.ts";
import { gateView, pinChanges } from "../gate-view.ts";
import { GATE_START } from "../gates-schemas.ts";
import { SetGateBody, SetGateResult } from "../schemas.ts";
import { scoreOf } from "../scorer-model.ts";
import { findScorers, findScorerVersions, type ScorerRow } from "../scorer-store.ts";
import { invalid } from "./create-dataset.ts";
import { type LoadedGate, loadGate } from "./read-gate.ts";

export const setGate = defineOperation({
  id: "evaluations.setGate",
  method: "PUT",
  path: "/v1/evaluations/gates/{agent}",
  listed: true,
  summary: "Set an agent's gate",
  description:
    "Puts the gate of the body in the place of the one in the environment of the key, or sets the first one: If-Match takes the ETag that GET gave, in either case. It holds everywhere within a " +
    "second. It pins each dataset and scorer in the version that the body names, or else in the latest: a newer version takes effect here only when the gate is set again, and `pins_changed` says " +
    "which did. Verdicts of the gate before are gone; versions that have finished runs over all its pinned datasets are judged at once, the others have no verdict until they do.",
  params: Type.Object({ agent: AgentName }),
  body: SetGateBody,
  output: SetGateResult,
  example: {
    params: { agent: "sales" },
    body: {
      datasets: [exampleDataset.name],
      scorers: [{ scorer: "same-team" }],
      floor: 0.8,
      table: { inconclusive: "deny" },
    },
    output: {
      ...exampleGate,
      pins_changed: [
        { kind: "dataset", name: exampleDataset.name, from: null, to: 1 },
        { kind: "scorer", name: "same-team", from: null, to: 1 },
      ],
    },
  },
  revision: ({ revision }) => revision,
  ifMatch: (loaded: LoadedGate) => loaded.gate?.revision ?? 0,
  permission: "evaluations:write",
  load: loadGate,
  narrowing: byBody(
    "the agent in the path; its scorers are those by which gates and runs of the key's agents judge",
    (ctx, { params, body }: { params: { agent: string }; body: SetGateBody }) =>
      scorersWithin(
        ctx,
        [params.agent],
        body.scorers.map(({ scorer }) => scorer),
      ),
  ),
  validate: (_ctx, { body }) => bodyFaults(body),
  gate: exempt("makes no agent act"),
  compliance: governs("gate.set", (_ctx: CallContext, { loaded }: { loaded: LoadedGate }) => ({
    agent: { name: loaded.agent, labels: loaded.labels },
  })),
  audit: ({ params }) => `gate:${params.agent}`,
  emits: [evaluationCompleted, gateFailedEvent],
  async handle(ctx, { loaded: { agent, gate: before }, body }) {
    const datasets = await pinDatasets(ctx, agent, body);
    const scorers = await pinScorers(ctx, datasets, body);
    await lockGate(ctx, agent);
    const definition = gateDefinition(body, { datasets, scorers });
    const gate = await storeGate(ctx, agent, definition, before?.revision ?? 0);
    if (!gate)
      throw refuse(
        staleRevision,
        "It was changed since you read it; read it again and repeat the change on what is there now.",
      );
    await judgeAnew(ctx, gate);
    ctx.touch(gateFacts);
    return {
      ...(await gateView(ctx, agent, gate)),
      pins_changed: await pinChanges(ctx, before?.definition, definition),
    };
  },
});

/** What the schema cannot say of a body, as far as its members have the right shape. */
function bodyFaults(body: SetGateBody): Fault[] {
  const faults: Fault[] = [];
  const { fail_closed, on_missing, table, repeats, max_repeats, scorers } = body;
  if (fail_closed === true && on_missing !== undefined) {
    faults.push({
      pointer: "/on_missing",
      code: "contradiction",
      detail: "has no meaning with `fail_closed`, which refuses all that is not open; leave one out",
    });
  }
  if (fail_closed === true && table !== undefined) {
    faults.push({
      pointer: "/table",
      code: "contradiction",
      detail: "has no meaning with `fail_closed`, which refuses all that is not open; leave one out",
    });
  }
  if (on_missing !== undefined && typeof table === "object" && table !== null) {
    for (const state of ["missing", "expired"] as const) {
      if (table[state] === undefined) continue;
      faults.push({
        pointer: `/table/${state}`,
        code: "contradiction",
        detail: "is said by `on_missing` already; leave one out",
      });
    }
  }
  const least = repeats === undefined ? GATE_START.repeats : repeats;
  if (typeof least === "number" && typeof max_repeats === "number" && max_repeats < least) {
    const standard = repeats === undefined ? ", its standard" : "";
    faults.push({
      pointer: "/max_repeats",
      code: "below_repeats",
      detail: `is ${max_repeats}, below \`repeats\`, ${least}${standard}; raise it to ${least} at least, or state \`repeats\` of ${max_repeats} at most`,
    });
  }
  const names = Array.isArray(scorers) ? scorers.map((one) => (one as { scorer?: unknown } | null)?.scorer) : [];
  names.forEach((name, at) => {
    if (typeof name !== "string" || names.indexOf(name) === at) return;
    faults.push({
      pointer: `/scorers/${at}/scorer`,
      code: "scorer_twice",
      detail: `is named by /scorers/${names.indexOf(name)} already`,
    });
  });
  return faults;
}

/** The versions of the datasets of a body: the named one, or else the latest. */
async function pinDatasets(ctx: WriteContext, agent: string, { datasets }: SetGateBody): Promise<PinnedDataset[]> {
  const wanted: readonly { dataset: string; version?: number }[] = datasets.map((one) =>
    typeof one === "string" ? { dataset: one } : one,
  );
  const rows = await Promise.all(wanted.map(({ dataset }) => findDataset(ctx, dataset)));
  const faults = rows.flatMap((row, at): Fault[] => {
    const pointer = `/datasets/${at}`;
    if (!row) return [{ pointer, code: "unknown_dataset", detail: "names no dataset, neither by id nor by name" }];
    if (row.agent !== agent)
      return [{ pointer, code: "foreign_dataset", detail: `is a dataset of ${row.agent}, not of ${agent}` }];
    const first = rows.findIndex((other) => other?.id === row.id);
    if (first !== at) return [{ pointer, code: "dataset_twice", detail: `is the set of /datasets/${first}` }];
    if ((wanted[at]?.version ?? 1) <= row.version) return [];
    return [
      {
        pointer: `${pointer}/version`,
        code: "unknown_version",
        detail: `does not exist; the latest version is ${row.version}`,
      },
    ];
  });
  if (faults.length > 0) throw invalid(faults);
  return (rows as DatasetRow[]).map(({ id, version }, at) => ({
    dataset_id: id,
    version: wanted[at]?.version ?? version,
  }));
}

/**
 * The versions of the scorers of a body: the named one, or else the latest. Each must have something to say of an item of the datasets: a gate that could
 * never decide is not set.
 */
async function pinScorers(
  ctx: WriteContext,
  datasets: readonly PinnedDataset[],
  { scorers }: SetGateBody,
): Promise<PinnedScorer[]> {
  const latest = new Map(
    (
      await findScorers(
        ctx,
        scorers.map(({ scorer }) => scorer),
      )
    ).map((row) => [row.name, row]),
  );
  const pins = scorers.map((one) => ({ ...one, version: one.version ?? latest.get(one.scorer)?.version ?? 1 }));
  const pinned = new Map((await findScorerVersions(ctx, pins)).map((row) => [row.name, row]));
  const { organization } = ctx.scope;
  const items = await Promise.all(datasets.map((pin) => readItems(ctx.db, organization, pin.dataset_id, pin.version)));
  const expectations = items.flat().map(({ expected }) => expected);
  const faults = scorers.flatMap(({ scorer }, at): Fault[] => {
    const [known, row] = [latest.get(scorer), pinned.get(scorer)];
    return scorerFault(`/scorers/${at}`, scorer, known, row, expectations);
  });
  if (faults.length > 0) throw invalid(faults);
  return pins;
}

function scorerFault(
  at: string,
  scorer: string,
  latest: ScorerRow | undefined,
  pinned: ScorerRow | undefined,
  expectations: readonly unknown[],
): Fault[] {
  if (!latest) return [{ pointer: `${at}/scorer`, code: "unknown_scorer", detail: `names no scorer: ${scorer}` }];
  if (!pinned) {
    return [
      {
        pointer: `${at}/version`,
        code: "unknown_version",
        detail: `does not exist; the latest version is ${latest.version}`,
      },
    ];
  }
  if (expectations.some((expected) => scoreOf(pinned.definition, {}, expected) !== null)) return [];
  const detail = `has nothing to say of any item of the sets: none expects anything at ${pinned.definition.pointer || "the top"}`;
  return [{ pointer: `${at}/scorer`, code: "silent_scorer", detail }];
}

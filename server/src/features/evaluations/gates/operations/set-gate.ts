import { Type } from "typebox";
import type { CallContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { staleRevision } from "../../../../kernel/problems.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { AgentName } from "../../../agents/schemas.ts";
import { findDataset, readItems } from "../../datasets/store.ts";
import { fault, refuseFaults } from "../../errors.ts";
import { evaluationCompleted, gateFailedEvent } from "../../events.ts";
import { exampleDataset, exampleGate } from "../../example.ts";
import { SetGateBody, SetGateResult } from "../../schemas.ts";
import { scoreOf } from "../../scorers/rules.ts";
import { findScorers, findScorerVersions } from "../../scorers/store.ts";
import { gateFacts } from "../facts.ts";
import { judgeAgain } from "../judge.ts";
import { gateDefinition, gateFaults, type PinnedDataset, type PinnedScorer } from "../rules.ts";
import { lockGate, scorersWithin, storeGate } from "../store.ts";
import { gateView, pinChanges } from "../view.ts";
import { type LoadedGate, loadGate } from "./read-gate.ts";

export const setGate = defineOperation({
  id: "evaluations.setGate",
  method: "PUT",
  path: "/v1/evaluations/gates/{agent}",
  listed: true,
  summary: "Set an agent's gate",
  description:
    "Sets or replaces the gate in the key's environment; If-Match takes the ETag of GET in either case. It takes effect everywhere within a second. " +
    "It pins each dataset and scorer in the version that the body names, or else in the latest. A newer version takes effect here only when the gate is set again; `pins_changed` lists those that did. " +
    "Earlier verdicts are deleted. Versions that have finished runs over all pinned datasets are judged at once; the others have no verdict until they do.",
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
  validate: (_ctx, { body }) => gateFaults(body),
  gate: exempt("makes no agent act"),
  decides: "rules",
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
      throw refuse(staleRevision, "The gate was changed since you read it. Read it again and repeat your change.");
    await noteRuleChange(ctx, `gate:${agent}`, `Changed the evaluation gate of ${agent}`);
    await judgeAgain(ctx, gate);
    ctx.touch(gateFacts);
    return {
      // The verdicts of many versions, of which judging has written some.
      ...(await gateView(ctx, agent, gate)),
      pins_changed: await pinChanges(ctx, before?.definition, definition),
    };
  },
});

/** The named version, or the latest. */
async function pinDatasets(ctx: WriteContext, agent: string, { datasets }: SetGateBody): Promise<PinnedDataset[]> {
  const wanted = datasets.map((one) => (typeof one === "string" ? { dataset: one } : one)) as Wanted[];
  const rows = await Promise.all(wanted.map(({ dataset }) => findDataset(ctx, dataset)));
  const pins: PinnedDataset[] = [];
  const faults = wanted.flatMap(({ version }, at): Fault[] => {
    const [row, pointer] = [rows[at], `/datasets/${at}`];
    if (!row) return [fault(pointer, "unknown_dataset", "names no dataset, neither by id nor by name")];
    if (row.agent !== agent)
      return [fault(pointer, "foreign_dataset", `is a dataset of ${row.agent}, not of ${agent}`)];
    const first = rows.findIndex((other) => other?.id === row.id);
    if (first !== at) return [fault(pointer, "dataset_twice", `is the same dataset as /datasets/${first}`)];
    if ((version ?? 1) > row.version) return [unknownVersion(pointer, row.version)];
    pins.push({ dataset_id: row.id, version: version ?? row.version });
    return [];
  });
  refuseFaults(faults);
  return pins;
}

interface Wanted {
  readonly dataset: string;
  readonly version?: number;
}

const unknownVersion = (at: string, latest: number): Fault =>
  fault(`${at}/version`, "unknown_version", `does not exist; the latest version is ${latest}`);

/** Each scorer must have something to compare in the datasets. */
async function pinScorers(
  ctx: WriteContext,
  datasets: readonly PinnedDataset[],
  { scorers }: SetGateBody,
): Promise<PinnedScorer[]> {
  const rows = await findScorers(
    ctx,
    scorers.map(({ scorer }) => scorer),
  );
  const latest = new Map(rows.map((row) => [row.name, row]));
  const pins = scorers.map((rule) => ({ ...rule, version: rule.version ?? latest.get(rule.scorer)?.version ?? 1 }));
  const pinned = new Map((await findScorerVersions(ctx, pins)).map((row) => [row.name, row]));
  const items = await Promise.all(datasets.map((pin) => readItems(ctx, pin.dataset_id, pin.version)));
  const expectations = items.flat().map(({ expected }) => expected);
  const faults = scorers.flatMap(({ scorer }, at): Fault[] => {
    const [known, row, pointer] = [latest.get(scorer), pinned.get(scorer), `/scorers/${at}`];
    if (!known) return [fault(`${pointer}/scorer`, "unknown_scorer", `names no scorer: ${scorer}`)];
    if (!row) return [unknownVersion(pointer, known.version)];
    if (expectations.some((expected) => scoreOf(row.definition, {}, expected) !== null)) return [];
    const detail = `scores no item of the datasets: none expects anything at ${row.definition.pointer || "the top"}`;
    return [fault(`${pointer}/scorer`, "silent_scorer", detail)];
  });
  refuseFaults(faults);
  return pins;
}

import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import {
  type GateConsequence as Follows,
  type GateState,
  gateConsequence,
  gateState,
} from "../../../kernel/gate-table.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { findDatasets } from "../datasets/store.ts";
import { findScorers } from "../scorers/store.ts";
import { type GatePins, overrideOf } from "./rules.ts";
import type { Gate, GateConsequence, GateDecision, GateOfVersion, GateRules, PinChange } from "./schemas.ts";
import { type GatedVersion, type GateRow, listGatedVersions } from "./store.ts";

/** Versions shown besides the live one. */
const newest = 25;
const words: Readonly<Record<Follows, GateConsequence>> = {
  go: "allow",
  tag: "allow",
  approve: "require_approval",
  refuse: "deny",
};

type Here = CallContext & { readonly db: Reader };

/** `row` undefined: no gate was set in the environment. */
export async function gateView(ctx: Here, agent: string, row: GateRow | undefined): Promise<Gate> {
  const override = row ? overrideOf(row.definition) : {};
  const follows = (state: GateState): GateConsequence => words[gateConsequence(ctx.scope.environment, override, state)];
  const versions = await listGatedVersions(ctx, agent, newest);
  return {
    agent,
    environment: ctx.scope.environment,
    revision: row?.revision ?? 0,
    rules: row ? await rulesOf(ctx, row) : null,
    consequences: {
      open: follows("open"),
      failed: follows("failed"),
      inconclusive: follows("inconclusive"),
      expired: follows("expired"),
      missing: follows("missing"),
    },
    versions: versions.map((version) => versionView(version, ctx.now, follows)),
  };
}

async function rulesOf(ctx: Here, { definition, author, updated_at }: GateRow): Promise<GateRules> {
  const { datasets, scorers, ...rules } = definition;
  const sets = new Map(
    (
      await findDatasets(
        ctx,
        datasets.map((pin) => pin.dataset_id),
      )
    ).map((row) => [row.id, row]),
  );
  const latest = new Map(
    (
      await findScorers(
        ctx,
        scorers.map((pin) => pin.scorer),
      )
    ).map((row) => [row.name, row.version]),
  );
  const pinnedSets = datasets.map((pin) => {
    const set = sets.get(pin.dataset_id);
    return { ...pin, name: set?.name ?? "", latest_version: set?.version ?? pin.version };
  });
  const pinnedScorers = scorers.map((pin) => ({ ...pin, latest_version: latest.get(pin.scorer) ?? pin.version }));
  return {
    ...rules,
    datasets: pinnedSets,
    scorers: pinnedScorers,
    newer_versions: [...pinnedSets, ...pinnedScorers].some(({ version, latest_version }) => latest_version > version),
    updated_by: author,
    updated_at: updated_at.toISOString(),
  };
}

/** Null for decisions stored before looks were kept. */
export function decisionView(row: { readonly decision: string | null }): GateDecision | null {
  const stored = decisionJson(row, "decision");
  return stored && { looks: [], next: null, ...stored };
}

type Looks = Pick<GateDecision, "looks" | "next">;
const decisionJson = storedJson<{ decision: Omit<GateDecision, keyof Looks> & Partial<Looks> }>();

function versionView(row: GatedVersion, now: number, follows: (state: GateState) => GateConsequence): GateOfVersion {
  const { verdict, expires_at } = row;
  const state = gateState(verdict && expires_at ? { verdict, expiresAt: expires_at.getTime() } : undefined, now);
  return {
    version: row.number,
    version_id: row.id,
    deployed: row.deployed,
    state,
    consequence: follows(state),
    reasons: row.reasons ?? [],
    runs: row.run_ids ?? [],
    decision: decisionView(row),
    decided_at: row.decided_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
    compared_with: row.compared_with,
  };
}

/** Changed pins: datasets by name first, then scorers. */
export async function pinChanges(ctx: Here, before: GatePins | undefined, after: GatePins): Promise<PinChange[]> {
  const sets = [...(before?.datasets ?? []), ...after.datasets].map(({ dataset_id }) => dataset_id);
  const names = new Map((await findDatasets(ctx, sets)).map(({ id, name }) => [id, name]));
  const datasetsOf = (pins: GatePins | undefined): PinsByName =>
    new Map((pins?.datasets ?? []).map(({ dataset_id, version }) => [names.get(dataset_id) ?? dataset_id, version]));
  const scorersOf = (pins: GatePins | undefined): PinsByName =>
    new Map((pins?.scorers ?? []).map(({ scorer, version }) => [scorer, version]));
  return [
    ...changesOf("dataset", datasetsOf(before), datasetsOf(after)),
    ...changesOf("scorer", scorersOf(before), scorersOf(after)),
  ];
}

type PinsByName = ReadonlyMap<string, number>;

function changesOf(kind: PinChange["kind"], before: PinsByName, after: PinsByName): PinChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names
    .map((name) => ({ kind, name, from: before.get(name) ?? null, to: after.get(name) ?? null }))
    .filter(({ from, to }) => from !== to);
}

import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { type GateConsequence as Follows, type GateState, gateConsequence, gateState } from "../../kernel/gate-table.ts";
import { findDatasets } from "./dataset-store.ts";
import { overrideOf } from "./gate-rules.ts";
import { type GatedVersion, type GateRow, listGatedVersions } from "./gate-store.ts";
import type { Gate, GateConsequence, GateOfVersion, GateRules } from "./gates-schemas.ts";

/** Versions that are shown besides the live one. */
const newest = 25;
const words: Readonly<Record<Follows, GateConsequence>> = { go: "allow", tag: "allow", approve: "require_approval", refuse: "deny" };

type Here = CallContext & { readonly db: Reader };

/** The gate of an agent on the wire, with its verdicts; `row` undefined: none was set in the call's environment. */
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
  const named = new Map((await findDatasets(ctx, datasets)).map(({ id, name }) => [id, name]));
  return {
    ...rules,
    datasets: datasets.map((id) => ({ dataset_id: id, name: named.get(id) ?? "" })),
    scorers: scorers.map((one) => ({ ...one })),
    updated_by: author,
    updated_at: updated_at.toISOString(),
  };
}

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
    decision: row.decision === null ? null : JSON.parse(row.decision),
    decided_at: row.decided_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
    compared_with: row.compared_with,
  };
}

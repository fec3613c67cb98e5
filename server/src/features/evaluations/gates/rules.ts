import type { Fault } from "../../../kernel/errors.ts";
import type { GateConsequence as Follows, GateOverride } from "../../../kernel/gate-table.ts";
import { fault } from "../errors.ts";
import { GATE_START, type GateConsequence, type GateTable, type SetGateBody } from "./schemas.ts";

export interface PinnedDataset {
  readonly dataset_id: string;
  readonly version: number;
}

export interface PinnedScorer {
  readonly scorer: string;
  readonly version: number;
  readonly floor?: number;
  readonly pass_at?: number;
}

/**
 * A gate as it is stored. Datasets and scorers belong to the organization, and keys of every environment may add versions to them; a gate belongs to one
 * environment and names the versions it judges by.
 */
export interface GateDefinition {
  readonly datasets: readonly PinnedDataset[];
  readonly scorers: readonly PinnedScorer[];
  readonly floor: number;
  readonly tolerance: number;
  readonly repeats: number;
  readonly max_repeats: number;
  readonly lifetime_days: number;
  readonly fail_closed: boolean;
  readonly on_missing: GateConsequence | null;
  readonly table: GateTable;
}

export type GatePins = Pick<GateDefinition, "datasets" | "scorers">;

/** With the versions that its datasets and scorers resolved to. */
export function gateDefinition(body: SetGateBody, pins: GatePins): GateDefinition {
  const { repeats = GATE_START.repeats } = body;
  return {
    ...pins,
    floor: body.floor ?? GATE_START.floor,
    tolerance: body.tolerance ?? GATE_START.tolerance,
    repeats,
    max_repeats: body.max_repeats ?? Math.max(GATE_START.max_repeats, repeats),
    lifetime_days: body.lifetime_days ?? GATE_START.lifetime_days,
    fail_closed: body.fail_closed ?? false,
    on_missing: body.on_missing ?? null,
    table: body.table ?? {},
  };
}

const words: Readonly<Record<GateConsequence, Exclude<Follows, "go">>> = {
  allow: "tag",
  require_approval: "approve",
  deny: "refuse",
};

/** Failing closed refuses all that is not open; otherwise the gate's table, and `on_missing` for missing or expired evidence. */
export function overrideOf({ fail_closed, on_missing, table }: GateDefinition): GateOverride {
  if (fail_closed) return { failed: "refuse", inconclusive: "refuse", expired: "refuse", missing: "refuse" };
  const unproved = on_missing === null ? {} : { expired: words[on_missing], missing: words[on_missing] };
  const stated = Object.entries(table).map(([state, consequence]) => [state, words[consequence]]);
  return { ...unproved, ...Object.fromEntries(stated) };
}

/** Faults that the schema cannot express. Members may be of any shape. */
export function gateFaults(body: SetGateBody): Fault[] {
  const faults: Fault[] = [];
  const { fail_closed, on_missing, table, repeats, max_repeats, scorers } = body;
  for (const name of ["on_missing", "table"] as const) {
    const detail = "has no meaning with `fail_closed`, which refuses everything that is not open; leave one out";
    if (fail_closed === true && body[name] !== undefined) faults.push(fault(`/${name}`, "contradiction", detail));
  }
  if (on_missing !== undefined && typeof table === "object" && table !== null)
    for (const state of ["missing", "expired"] as const)
      if (table[state] !== undefined)
        faults.push(fault(`/table/${state}`, "contradiction", "is already set by `on_missing`; leave one out"));
  const least = repeats === undefined ? GATE_START.repeats : repeats;
  if (typeof least === "number" && typeof max_repeats === "number" && max_repeats < least) {
    const standard = repeats === undefined ? ", its standard" : "";
    const detail = `is ${max_repeats}, below \`repeats\`, ${least}${standard}; raise it to ${least} at least, or state \`repeats\` of ${max_repeats} at most`;
    faults.push(fault("/max_repeats", "below_repeats", detail));
  }
  const names = Array.isArray(scorers) ? scorers.map((one) => (one as { scorer?: unknown } | null)?.scorer) : [];
  names.forEach((name, at) => {
    const first = names.indexOf(name);
    if (typeof name === "string" && first !== at)
      faults.push(fault(`/scorers/${at}/scorer`, "scorer_twice", `is already named by /scorers/${first}`));
  });
  return faults;
}

import { onlyAdds } from "./change-calls.ts";
import type { BundleContents } from "./contents.ts";
import type { InstallRow, StoredPart } from "./install-store.ts";
import { type PlannedCall, partKey } from "./plan.ts";
import { planHere, withNames } from "./plan-here.ts";
import { type Decision, type Judged, judge, type Remaking, remake, type Standing } from "./remake.ts";

export interface Versions {
  readonly version: string;
  readonly before: BundleContents;
  readonly after: BundleContents;
}

/** An update: what the new version changes is changed, what it brings is made, and what it has no more stays. */
export interface UpdatePlan extends Remaking {
  /** Parts that the new version has no more. */
  readonly gone: readonly StoredPart[];
}

/**
 * The calls that bring an install to another version. `elsewhere`: parts of installs of that version in other environments, which made already what the
 * organization shares.
 */
export function planUpdate(
  row: InstallRow,
  { version, before: installed, after: wanted }: Versions,
  standing: Standing,
  elsewhere: ReadonlyMap<string, StoredPart>,
): UpdatePlan {
  const before = planHere(installed, row);
  const plan = renamed(before, planHere(wanted, row), version);
  const judged = judge(plan, standing);
  const made = new Map(before.map((call) => [partKey(call), call.digest]));
  const decisionOf = (one: Judged): Decision => {
    const { key, part, calls, drift, isThere } = one;
    const digest = calls[0]?.digest;
    if (elsewhere.get(key)?.digest === digest) return "keep";
    if (!part || (drift === "missing" && !isThere)) return "create";
    if (part.kind === "agent_version") return agentDecision === "keep" && part.state !== "failed" ? "keep" : "change";
    return part.state !== "failed" && (part.digest === digest || made.get(key) === digest) ? "keep" : "change";
  };
  const agent = judged.find(({ calls }) => calls[0]?.kind === "agent");
  const agentDecision: Decision = agent ? decisionOf(agent) : "keep";
  const now = new Set(plan.map(partKey));
  const gone = standing.parts.filter((part) => !now.has(partKey(part)) && part.state !== "removed");
  return { ...remake(judged, decisionOf, before, standing), gone };
}

/** Datasets of which items went get the version behind their names: the gate and earlier runs keep theirs. */
function renamed(before: readonly PlannedCall[], plan: readonly PlannedCall[], version: string): PlannedCall[] {
  const then = Map.groupBy(
    before.filter(({ kind }) => kind === "dataset"),
    partKey,
  );
  const datasets = Map.groupBy(
    plan.filter(({ kind }) => kind === "dataset"),
    partKey,
  );
  const names = new Map(
    [...datasets].flatMap(([key, calls]) => {
      const old = then.get(key);
      const name = (calls[0] as PlannedCall).name;
      const behind = `-v${version.replaceAll(".", "-")}`;
      return old && !onlyAdds(old, calls) ? [[name, `${name.slice(0, 64 - behind.length)}${behind}`] as const] : [];
    }),
  );
  return names.size === 0 ? [...plan] : plan.map((call) => withNames(call, names));
}

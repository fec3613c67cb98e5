import type { BundleContents } from "../../bundles/contents.ts";
import { type PresentDigests, partDrift, placed } from "../drift.ts";
import { type PlannedCall, partKey } from "../plan/calls.ts";
import { planHere, withNames } from "../plan/plan.ts";
import { interrupted } from "../rules.ts";
import type { InstallPart } from "../schemas.ts";
import type { InstallRow, StoredPart } from "../store.ts";
import { changesOf, onlyAdds, othersIn, type Present, type Remade, restoredAgent } from "./present.ts";

export type Decision = "create" | "change" | "keep";

export interface Judged {
  readonly key: string;
  readonly calls: readonly PlannedCall[];
  /** Null if the install has none. */
  readonly part: StoredPart | null;
  readonly drift: InstallPart["drift"];
  /** Whether it existed before, although the last attempt to change it failed. */
  readonly isThere: boolean;
}

/** State of an install and contents of its bundle. */
export interface InstallState {
  readonly parts: readonly StoredPart[];
  readonly agent: string | null;
  readonly presentDigests: PresentDigests;
  /** Whether a version of the agent is live here. */
  readonly live: boolean;
  /** Whether the agent is archived. */
  readonly archived: boolean;
  readonly present: Present;
}

/** Calls of an update or a reset, and notes on parts that stay. */
export interface Remaking {
  readonly plan: readonly PlannedCall[];
  readonly notes: ReadonlyMap<string, string>;
  /** Keys of parts that stay although they were changed here: nothing of the bundle is missing in them. */
  readonly settled: ReadonlySet<string>;
  /** Parts with local changes that would be overwritten. */
  readonly overwritten: readonly StoredPart[];
}

/** In the plan's order. */
export function judge(plan: readonly PlannedCall[], { parts, agent, presentDigests }: InstallState): Judged[] {
  const stored = new Map(placed(parts, agent).map((part) => [partKey(part), part]));
  return [...Map.groupBy(plan, partKey)].map(([key, calls]) => {
    const part = stored.get(key) ?? null;
    if (!part) return { key, calls, part, drift: "missing", isThere: false };
    const isThere = presentDigests(part) !== null && (part.stands !== null || wasMade(part));
    return { key, calls, part, drift: partDrift(part, presentDigests), isThere };
  });
}

/**
 * Whether a part that failed was made all the same: some of its calls succeeded, or nobody knows, because the process died. Its name was free before. What a
 * base holds is compared in any case.
 */
const wasMade = ({ kind, id, state, problem }: StoredPart): boolean =>
  state === "failed" && (id !== null || kind === "documents" || problem?.code === interrupted.code);

const gateNote =
  "It stays as it is, because a version of the agent is live under it. The next step `gate` of the install sets it.";

/** `before`: the plan that made the parts. */
export function remake(
  judged: readonly Judged[],
  decide: (one: Judged) => Decision,
  before: readonly PlannedCall[],
  current: InstallState,
): Remaking {
  const made = Map.groupBy(before, partKey);
  const notes = new Map<string, string>();
  const settled = new Set<string>();
  const overwritten: StoredPart[] = [];
  const plan = judged.flatMap((one) => {
    const { key, calls, part, drift } = one;
    const decision = decide(one);
    const [first] = calls as [PlannedCall];
    if (decision !== "keep" && first.kind === "gate" && current.live) {
      notes.set(key, gateNote);
      return [keep(first, part)];
    }
    if (decision === "keep") return [keep(first, part)];
    if (decision === "create" && !(first.kind === "agent" && current.archived)) return calls;
    const present = current.present.get(key) ?? [];
    const remade: Remade = { calls, before: made.get(key) ?? [], part: part as StoredPart, present };
    const others = othersIn(remade);
    if (others > 0) notes.set(key, othersNote(first.kind, others));
    if (decision === "change" && drift === "changed") overwritten.push(part as StoredPart);
    const changed = decision === "create" ? restoredAgent(remade) : changesOf(remade);
    if (changed.length > 0) return changed;
    settled.add(key);
    return [keep(first, part)];
  });
  return { plan, notes, settled, overwritten };
}

function othersNote(kind: PlannedCall["kind"], others: number): string {
  const [one, many] = kind === "dataset" ? ["item", "items"] : ["document", "documents"];
  return others === 1 ? `1 ${one} that was added here stays.` : `${others} ${many} that were added here stay.`;
}

const keep = (call: PlannedCall, part: StoredPart | null): PlannedCall => ({
  ...call,
  action: "keep",
  id: part?.id ?? null,
});

/** Kept parts are as before, and so are those that could not be changed. */
export function mergeParts(
  before: readonly StoredPart[],
  after: readonly StoredPart[],
  kept: ReadonlyMap<string, StoredPart>,
  settled: ReadonlySet<string>,
): StoredPart[] {
  const now = new Map(after.map((part) => [partKey(part), part]));
  const then = new Map(before.map((part) => [partKey(part), part]));
  const gone = before.filter((part) => !now.has(partKey(part)));
  const present = after.map((part) => {
    const [old, elsewhere] = [then.get(partKey(part)), kept.get(partKey(part))];
    if (part.state === "kept" && elsewhere?.digest === part.digest) return { ...elsewhere, state: "kept" as const };
    if (old && settled.has(partKey(part)))
      return { ...part, id: part.id ?? old.id, audit_ref: old.audit_ref, state: "made" as const };
    if (part.state === "kept") return old ?? part;
    const id = part.id ?? old?.id ?? null;
    if (part.state !== "failed" || !old) return { ...part, id };
    return { ...part, id, digest: old.digest, stands: old.stands };
  });
  return [...gone, ...present];
}

export interface Versions {
  readonly version: string;
  readonly before: BundleContents;
  readonly after: BundleContents;
}

/** Changes what the new version changes and makes what it adds; what it dropped stays. */
export interface UpdatePlan extends Remaking {
  /** Parts that the new version dropped. */
  readonly gone: readonly StoredPart[];
}

/** `elsewhere`: parts of installs of that version in other environments, which already made what the organization shares. */
export function planUpdate(
  row: InstallRow,
  { version, before: installed, after: wanted }: Versions,
  current: InstallState,
  elsewhere: ReadonlyMap<string, StoredPart>,
): UpdatePlan {
  const before = planHere(installed, row);
  const plan = renamed(before, planHere(wanted, row), version);
  const judged = judge(plan, current);
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
  const gone = current.parts.filter((part) => !now.has(partKey(part)) && part.state !== "removed");
  return { ...remake(judged, decisionOf, before, current), gone };
}

/** Datasets that lose items get the version appended to their names: the gate and earlier runs keep the old ones. */
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

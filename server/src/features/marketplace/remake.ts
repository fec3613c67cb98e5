import { changesOf, othersIn, type Remade, restoredAgent } from "./change-calls.ts";
import { partDrift, placed } from "./drift.ts";
import type { InstallPart } from "./install-schemas.ts";
import type { StoredPart } from "./install-store.ts";
import { interrupted } from "./interrupted.ts";
import { type PlannedCall, partKey } from "./plan.ts";
import type { Present } from "./present.ts";
import type { Standings } from "./standing-store.ts";

/** What happens to a part of an install. */
export type Decision = "create" | "change" | "keep";

export interface Judged {
  readonly key: string;
  readonly calls: readonly PlannedCall[];
  /** The part as it is stored; null: the install has none. */
  readonly part: StoredPart | null;
  readonly drift: InstallPart["drift"];
  /** Whether it was there before, although the last attempt to change it failed. */
  readonly isThere: boolean;
}

/** How an install stands, and what its bundle says. */
export interface Standing {
  readonly parts: readonly StoredPart[];
  readonly agent: string | null;
  readonly standings: Standings;
  /** Whether a version of the agent is live here. */
  readonly live: boolean;
  /** Whether the agent was archived. */
  readonly archived: boolean;
  readonly present: Present;
}

/** The calls for an update or a reset, and what is to be said of parts that stay. */
export interface Remaking {
  readonly plan: readonly PlannedCall[];
  readonly notes: ReadonlyMap<string, string>;
  /** Keys of parts that stay although they were changed here, because nothing of the bundle is missing in them. */
  readonly settled: ReadonlySet<string>;
  /** Parts that were changed here and would be overwritten. */
  readonly overwritten: readonly StoredPart[];
}

/** How each part of a plan stands, in the plan's order. */
export function judge(plan: readonly PlannedCall[], { parts, agent, standings }: Standing): Judged[] {
  const stored = new Map(placed(parts, agent).map((part) => [partKey(part), part]));
  return [...Map.groupBy(plan, partKey)].map(([key, calls]) => {
    const part = stored.get(key) ?? null;
    if (!part) return { key, calls, part, drift: "missing", isThere: false };
    const isThere = standings(part) !== null && (part.stands !== null || wasMade(part));
    return { key, calls, part, drift: partDrift(part, standings), isThere };
  });
}

/**
 * Whether a part that failed was made all the same: some of its calls succeeded, or nobody knows, because the process died. Its name was free before. What a
 * base holds is compared in any case.
 */
const wasMade = ({ kind, id, state, problem }: StoredPart): boolean =>
  state === "failed" && (id !== null || kind === "documents" || problem?.code === interrupted.code);

export const gateNote =
  "It stays as it is, because a version of the agent is live under it. The next step `gate` of the install sets it.";

/** The calls for parts of which it was decided what happens to them. `before`: the plan by which they were made. */
export function remake(
  judged: readonly Judged[],
  decide: (one: Judged) => Decision,
  before: readonly PlannedCall[],
  standing: Standing,
): Remaking {
  const made = Map.groupBy(before, partKey);
  const notes = new Map<string, string>();
  const settled = new Set<string>();
  const overwritten: StoredPart[] = [];
  const plan = judged.flatMap((one) => {
    const { key, calls, part, drift } = one;
    const decision = decide(one);
    const [first] = calls as [PlannedCall];
    if (decision !== "keep" && first.kind === "gate" && standing.live) {
      notes.set(key, gateNote);
      return [keep(first, part)];
    }
    if (decision === "keep") return [keep(first, part)];
    if (decision === "create" && !(first.kind === "agent" && standing.archived)) return calls;
    const present = standing.present.get(key) ?? [];
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

/** The parts of an install after the calls of a plan: what was kept is as before, and so is what could not be changed. */
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

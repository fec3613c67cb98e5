import type { Static } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import { party } from "../party.ts";
import type { KnownApproval } from "../requests/store.ts";
import type { ApprovalClaim, SimilarCase } from "./schemas.ts";

type Claimed = Pick<
  KnownApproval,
  "status" | "claimed_by" | "claimed_at" | "claimed_until" | "claimer_name" | "claimer_kind"
>;

/** Who works on it now; null: nobody, or it is over. */
export function claimOf(row: Claimed, now: number): Static<typeof ApprovalClaim> | null {
  const { status, claimed_by, claimed_at, claimed_until } = row;
  if (status !== "pending" || claimed_by === null || claimed_at === null || claimed_until === null) return null;
  if (claimed_until.getTime() <= now) return null;
  const by = party(claimed_by, row.claimer_name, row.claimer_kind);
  return { by, at: isoTime(claimed_at), until: isoTime(claimed_until) };
}

const mention = /@(mbr_[0-9a-z]{26})(?![0-9a-z])/g;

/** Whom a text mentions, each once, in their order. */
export const mentionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(mention)].map(([, id]) => id as string)),
];

type Leaf = string | number | boolean | null;

/** The values of a JSON by their places (RFC 6901), the first 200; deeper than 8 levels as their text. */
export function leavesOf(value: unknown): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const walk = (one: unknown, at: string, depth: number): void => {
    if (leaves.size >= 200) return;
    if (typeof one !== "object" || one === null) {
      leaves.set(at, typeof one === "number" || typeof one === "boolean" || one === null ? one : String(one));
      return;
    }
    if (depth === 8) {
      leaves.set(at, JSON.stringify(one));
      return;
    }
    for (const [name, inner] of Object.entries(one))
      walk(inner, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1);
  };
  walk(value, "", 0);
  return leaves;
}

const asNumber = (leaf: Leaf | undefined): number | null => {
  if (typeof leaf === "number") return leaf;
  return typeof leaf === "string" && /^-?\d+(\.\d+)?$/.test(leaf) && leaf.length < 16 ? Number(leaf) : null;
};

/** How much two values agree: 1 the same, of numbers of one sign by how near they are, else 0. */
function agreement(a: Leaf | undefined, b: Leaf | undefined): number {
  if (a === b) return 1;
  const [one, other] = [asNumber(a), asNumber(b)];
  if (one === null || other === null) return 0;
  const most = Math.max(Math.abs(one), Math.abs(other));
  return most === 0 ? 1 : Math.max(0, 1 - Math.abs(one - other) / most);
}

/** Compares what two approvals are about, field by field. Without any field they are the same. */
export function compare(
  here: ReadonlyMap<string, Leaf>,
  there: ReadonlyMap<string, Leaf>,
): Pick<SimilarCase, "similarity" | "differs"> {
  const fields = [...new Set([...here.keys(), ...there.keys()])];
  if (fields.length === 0) return { similarity: 1, differs: [] };
  const sum = fields.reduce((total, field) => total + agreement(here.get(field), there.get(field)), 0);
  const shown = (leaf: Leaf | undefined): string | null => (leaf === undefined ? null : String(leaf).slice(0, 200));
  const differs = fields
    .filter((field) => here.get(field) !== there.get(field))
    .slice(0, 10)
    .map((field) => ({ field, here: shown(here.get(field)), there: shown(there.get(field)) }));
  return { similarity: Math.round((sum / fields.length) * 10_000) / 10_000, differs };
}

import { setImmediate as turn } from "node:timers/promises";
import {
  type AuditRecord,
  completeSubtrees,
  createRemovals,
  createTreeFold,
  type Removed,
  type TreeFold,
  toBase64,
} from "@aos/proof";
import { inspectLeaf, saltFaults } from "../log/checks.ts";
import { type ExportPort, LogAltered, type SaltedRecord } from "../ports.ts";
import type { RangeFinding } from "../schemas.ts";
import { listRemovals, readLeaves, type SaltedLeaf } from "./store.ts";
import { byPlace, type CheckedLeaf, checkLeaf } from "./tree.ts";

type Scope = Parameters<ExportPort["head"]>[0];
type Statements = Parameters<typeof readLeaves>[0];

/** Records that one call checks at most: some hundred milliseconds of work. */
export const mostOfRange = 10_000;
/** Findings that one answer lists. */
export const mostFindings = 100;
const leavesOfPage = 1_024;

export interface RangeChecked {
  /** Leaves of which the log has a hash. */
  readonly checked: number;
  /** Of the first `end` records, in base64; null where the signed head does not follow from the hashes. */
  readonly root: string | null;
  /** What removed the text of leaves in the range, by records in the range. */
  readonly removed: readonly Removed[];
  readonly findings: readonly RangeFinding[];
  readonly more_findings: boolean;
}

interface Findings {
  /** Adds what was found; of a {@link LogAltered} its message. */
  add(leaf: number | null, record: string | null, detail: string): void;
  readonly list: RangeFinding[];
  readonly left: () => number;
}

/**
 * Checks the leaves `from` up to, without, `end` of an environment's log: each record's text, its place in the search index and its salt against the
 * hash that the log has of it, and all hashes together against the signed head.
 */
export async function checkLeaves(
  db: Statements,
  port: ExportPort,
  scope: Scope,
  from: number,
  end: number,
): Promise<RangeChecked> {
  const findings = createFindings();
  const before = await unlessAltered(findings, null, () => port.subtrees(scope, from));
  const tree = treeAfter(from, before ?? []);
  const removals = createRemovals();
  for (let start = from; start < end; start += leavesOfPage) {
    for (const leaf of await checkPage(db, port, scope, start, Math.min(end, start + leavesOfPage), findings)) {
      tree.append(leaf.hash);
      if (leaf.content) removals.look(leaf.content.record, leaf.index);
      else if (!leaf.altered) removals.missing({ start: leaf.index, end: leaf.index + 1 });
    }
    await turn();
  }
  if (removals.explain().unexplained.length > 0)
    for (const leaf of await laterRemovals(db, port, scope, end)) removals.look(leaf.record, leaf.index);
  const { removed, unexplained } = removals.explain();
  for (const { start, end: after } of unexplained) {
    const which =
      after - start === 1 ? `The record at place ${start} has` : `The records at places ${start} to ${after - 1} have`;
    findings.add(start, null, `${which} no text, and no record of a removal explains it.`);
  }
  const head = await unlessAltered(findings, null, () => port.head(scope, end));
  const compared = before !== null && head !== null && tree.end === end;
  const leads = compared && toBase64(tree.root()) === head.root;
  if (compared && !leads)
    findings.add(
      null,
      null,
      `The hashes of the log do not lead to its signed head of ${end} records: its tiles were changed.`,
    );
  const checked = tree.end - from;
  const root = leads ? head.root : null;
  return { checked, root, removed, findings: findings.list, more_findings: findings.left() > 0 };
}

/** Records of removals behind the range, each held to its hash: text that is gone is explained by a record that stands behind it. */
export async function laterRemovals(db: Statements, port: ExportPort, scope: Scope, end: number) {
  const size = await port.size(scope);
  const found: { record: AuditRecord; index: number }[] = [];
  for (const index of await listRemovals(db, scope, end, size)) {
    const [row] = await readLeaves(db, scope, index, index + 1);
    const [hash] = await port.leafHashes(scope, index, index + 1);
    const leaf = row && hash ? inspectLeaf({ ...row, body: row.body ?? "" }, hash) : undefined;
    if (leaf && leaf.fault === undefined) found.push({ record: leaf.record, index });
  }
  return found;
}

function treeAfter(from: number, before: readonly Uint8Array[]): TreeFold {
  const tree = createTreeFold();
  for (const [i, { height }] of completeSubtrees({ start: 0, end: from }).entries())
    if (before[i]) tree.append(before[i], height);
  return tree;
}

type RangeLeaf = CheckedLeaf & { readonly altered: boolean };

/** The leaves of a page; none where the log has no hashes of it. */
async function checkPage(
  db: Statements,
  port: ExportPort,
  scope: Scope,
  start: number,
  end: number,
  findings: Findings,
): Promise<RangeLeaf[]> {
  const hashes = await unlessAltered(findings, start, () => port.leafHashes(scope, start, end));
  if (!hashes) return [];
  const rows = await readLeaves(db, scope, start, end);
  await unlessAltered(findings, null, async () => byPlace(rows, start, end));
  const places = new Map(rows.map((row) => [row.leaf_index, row]));
  const leaves: RangeLeaf[] = [];
  for (const [i, hash] of hashes.entries()) {
    const index = start + i;
    const row = places.get(index);
    const leaf = await unlessAltered(findings, index, async () => checkLeaf(row, index, hash, scope), row?.record_id);
    leaves.push(leaf ? { ...leaf, altered: false } : { index, hash, content: null, altered: true });
  }
  for (const [id, fault] of await saltFaults(db, scope, withText(rows), port)) {
    const index = rows.find((row) => row.record_id === id)?.leaf_index ?? null;
    findings.add(index, id, `The record ${id} ${fault}.`);
  }
  return leaves;
}

const withText = (rows: readonly SaltedLeaf[]): SaltedRecord[] =>
  rows.flatMap((row) => (row.body === null ? [] : [{ ...row, body: row.body }]));

async function unlessAltered<T>(
  findings: Findings,
  leaf: number | null,
  work: () => Promise<T>,
  record?: string,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LogAltered)) throw error;
    findings.add(leaf, record ?? null, error.message);
    return null;
  }
}

function createFindings(): Findings {
  const list: RangeFinding[] = [];
  let left = 0;
  return {
    list,
    left: () => left,
    add(leaf_index, audit_ref, detail) {
      if (list.length < mostFindings) list.push({ leaf_index, audit_ref, detail });
      else left++;
    },
  };
}

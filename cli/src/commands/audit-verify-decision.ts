import { open, readFile, stat } from "node:fs/promises";
import {
  type AuditRecord,
  canonicalForm,
  decisionTrust,
  decisionVerdicts,
  decisionVotes,
  formatVerifierKey,
  parseTlogProof,
  recordOfLeaf,
  repeatedName,
  type VerifierKey,
} from "@aos/proof";
import { membersOf } from "../json.ts";
import { counted } from "../output/text.ts";
import { CommandError, type Painter, painter, printable, type Terminal } from "../terminal.ts";
import { keyFor } from "./audit-verify-parts.ts";
import { type GivenVerdict, verifyRecord } from "./audit-verify-record.ts";

// Verifies a decision record as `GET /v1/audit/tasks/{task}` answers it: every record in it by its own proof.

interface Checked {
  readonly auditRef: string;
  readonly verdict: GivenVerdict;
}

/** What the records of the file prove. */
interface DecisionVerdict {
  readonly task: string;
  readonly complete: boolean;
  readonly checked: readonly Checked[];
  /** What contradicts the records, or null. */
  readonly differing: string | null;
}

/** How a decision record begins, which no export does. */
const beginning = /^\s*\{\s*"task_id"/;

/** The decision record in a file; null where it holds something else. */
export async function readDecisionFile(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  if ((await stat(file)).isDirectory()) return null;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    if (!beginning.test(buffer.toString("utf8", 0, bytesRead))) return null;
  } finally {
    await handle.close();
  }
  return decisionIn(await readFile(file, "utf8"));
}

function decisionIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const members = membersOf(text);
    const repeated = repeatedName(text);
    if (repeated !== null)
      throw new CommandError(
        `The file contradicts itself: ${printable(JSON.stringify(repeated))} occurs twice in one object.`,
      );
    return typeof members.task_id === "string" && Array.isArray(members.records) ? members : null;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new CommandError("The file begins as a decision record does, and is no whole JSON: it was cut or changed.");
    throw error;
  }
}

export async function runDecision(
  decision: Readonly<Record<string, unknown>>,
  keys: readonly VerifierKey[],
  json: boolean,
  io: Terminal,
): Promise<number> {
  const origin = String(decision.log_key ?? "").split("+")[0];
  if (keys.length === 0)
    throw new CommandError(
      `A decision record is verified by the log's key: pass it with --key. It claims to be from the log ${printable(String(origin))}.`,
    );
  const key = keyFor(keys, origin) as VerifierKey;
  const verdict = await verifyDecision(decision, key);
  io.stdout.write(json ? `${JSON.stringify(asJson(verdict, key))}\n` : describe(verdict, key, painter(io)));
  return holds(verdict) ? 0 : 1;
}

async function verifyDecision(decision: Readonly<Record<string, unknown>>, key: VerifierKey): Promise<DecisionVerdict> {
  const checked: Checked[] = [];
  const leaves: AuditRecord[] = [];
  for (const one of decision.records as unknown[]) {
    const { proof, ...shown } = typeof one === "object" && one !== null ? (one as Record<string, unknown>) : {};
    const auditRef = String(shown.audit_ref);
    const leafData = typeof proof === "string" ? leafOf(proof) : null;
    const verdict: GivenVerdict =
      leafData === null
        ? { verified: false, part: "format", reason: "the file has no proof of it" }
        : await verifyRecord(proof as string, { leafData, shown, repeated: null }, key);
    checked.push({ auditRef, verdict });
    if (verdict.verified) leaves.push(recordOfLeaf(verdict.leafData));
  }
  return {
    task: String(decision.task_id),
    complete: decision.complete === true,
    checked,
    differing: differing(decision, leaves),
  };
}

/** Votes, verdicts and the first trust score have to be exactly what follows from the proved records, and these about the task. */
function differing(decision: Readonly<Record<string, unknown>>, leaves: readonly AuditRecord[]): string | null {
  const other = leaves.find(
    ({ task_id, object }) => task_id !== decision.task_id && object !== `task:${decision.task_id}`,
  );
  if (other) return `the record ${other.id} is about another task`;
  if (new Set(leaves.map(({ id }) => id)).size < leaves.length) return "a record stands in the file twice";
  const { trust } = decision;
  const first = typeof trust === "object" && trust !== null && "at_dispatch" in trust ? trust.at_dispatch : undefined;
  const held = [
    ["votes", decision.votes, decisionVotes(leaves)],
    ["verdicts", decision.verdicts, decisionVerdicts(leaves)],
    ["trust at the dispatch", first, decisionTrust(leaves)],
  ] as const;
  const wrong = held.find(
    ([, shown, follows]) => canonicalForm(JSON.stringify(shown ?? null)) !== canonicalForm(JSON.stringify(follows)),
  );
  return wrong ? `the ${wrong[0]} are not what the records say` : null;
}

/** The record in the extra data of a proof, which is not trusted: the proof is verified against it. */
function leafOf(proof: string): string | null {
  try {
    const { extra } = parseTlogProof(proof);
    return extra ? new TextDecoder().decode(extra) : null;
  } catch {
    return null;
  }
}

const failedOf = ({ checked }: DecisionVerdict) => checked.filter(({ verdict }) => !verdict.verified);
const holds = (verdict: DecisionVerdict): boolean =>
  verdict.checked.length > 0 && failedOf(verdict).length === 0 && verdict.differing === null;

function describe(verdict: DecisionVerdict, key: VerifierKey, paint: Painter): string {
  const { task, checked, complete } = verdict;
  const of = `${counted(checked.length, "record")} of ${printable(task)}`;
  const failures = failedOf(verdict).map(({ auditRef, verdict: one }) =>
    printable(`${auditRef}: ${one.verified ? "" : `${one.part}: ${one.reason}`}`),
  );
  if (verdict.differing !== null) failures.push(printable(verdict.differing));
  const head = holds(verdict)
    ? `${paint.added("Verified.")} ${of} in the log ${formatVerifierKey(key).split("+")[0]}, with votes and verdicts as they say.`
    : `${paint.removed("NOT verified.")} ${of}:`;
  const rest = complete ? [] : [paint.changed("The task has more records than the file: export them to see all.")];
  const unproved = holds(verdict)
    ? [
        "Not in the log, so not verified: agent, status, for whom, version, risk, approvals, calls, cost, and that the task has no other records.",
      ]
    : [];
  return `${[head, ...failures, ...rest, ...unproved].join("\n")}\n`;
}

function asJson(verdict: DecisionVerdict, key: VerifierKey): object {
  return {
    kind: "decision",
    verified: holds(verdict),
    task_id: verdict.task,
    log: formatVerifierKey(key).split("+")[0],
    complete: verdict.complete,
    records: verdict.checked.map(({ auditRef, verdict: one }) =>
      one.verified
        ? { audit_ref: auditRef, verified: true, leaf_index: one.index }
        : { audit_ref: auditRef, verified: false, part: one.part, reason: one.reason },
    ),
    differing: verdict.differing,
  };
}

import { open, readFile, stat } from "node:fs/promises";
import { formatVerifierKey, parseTlogProof, type VerifierKey } from "@aos/proof";
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
  const leaves: Readonly<Record<string, unknown>>[] = [];
  for (const one of decision.records as unknown[]) {
    const { proof, ...shown } = typeof one === "object" && one !== null ? (one as Record<string, unknown>) : {};
    const auditRef = String(shown.audit_ref);
    const leafData = typeof proof === "string" ? leafOf(proof) : null;
    const verdict: GivenVerdict =
      leafData === null
        ? { verified: false, part: "format", reason: "the file has no proof of it" }
        : await verifyRecord(proof as string, { leafData, shown, repeated: null }, key);
    checked.push({ auditRef, verdict });
    if (verdict.verified) leaves.push(membersOf(verdict.leafData));
  }
  return {
    task: String(decision.task_id),
    complete: decision.complete === true,
    checked,
    differing: differing(decision, leaves),
  };
}

/** Votes, verdicts and the task itself have to be what the proved records say. */
function differing(
  decision: Readonly<Record<string, unknown>>,
  leaves: readonly Readonly<Record<string, unknown>>[],
): string | null {
  const other = leaves.find(
    ({ task_id, object }) => task_id !== decision.task_id && object !== `task:${decision.task_id}`,
  );
  if (other) return `the record ${other.id} is about another task`;
  const byId = new Map(leaves.map((leaf) => [leaf.id, leaf]));
  for (const vote of listOf(decision.votes)) {
    const leaf = byId.get(vote.audit_ref);
    const same =
      leaf?.principal === vote.actor &&
      leaf?.operation === vote.action &&
      leaf?.key_id === vote.key_id &&
      leaf?.approval_id === vote.approval_id;
    if (!same) return `the vote of ${vote.actor} is not what the record ${vote.audit_ref} says`;
  }
  for (const { audit_ref, stage, verdict, policy_version } of listOf(decision.verdicts)) {
    const stages = listOf(byId.get(audit_ref)?.stages);
    if (!stages.some((one) => one.stage === stage && one.verdict === verdict && one.policy_version === policy_version))
      return `the verdict of ${stage} is not what the record ${audit_ref} says`;
  }
  return null;
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];

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
  const unproved = holds(verdict) ? ["Version, approvals, calls and cost are the service's word."] : [];
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

import { verifyProof } from "@aos/proof";
import { readProofText } from "../api/audit.ts";
import type { Schema } from "../api/types.ts";

/** What came of verifying a record in this browser. */
export type Verified =
  | { readonly state: "verified"; readonly index: number; readonly size: number; readonly log: string; readonly key: Known }
  | { readonly state: "refused"; readonly reason: string };

/** A log's key, and since when this browser knows it. */
export interface Known {
  readonly text: string;
  readonly since: string;
  /** False: the service names another key than the one that this browser has known so far. */
  readonly same: boolean;
}

const stored = (log: string): string => `aos.log-key.${log}`;

/** The key that this browser saw first is the one that it goes on believing: a service that changes it is found out. */
function known(text: string): Known {
  const log = text.slice(0, text.indexOf("+"));
  const now = new Date().toISOString();
  try {
    const kept = localStorage.getItem(stored(log));
    if (kept === null) {
      localStorage.setItem(stored(log), JSON.stringify({ text, since: now }));
      return { text, since: now, same: true };
    }
    const before = JSON.parse(kept) as { text: string; since: string };
    return { ...before, same: before.text === text };
  } catch {
    return { text, since: now, same: true };
  }
}

/** Where what is shown of a record stands in the leaf that the log holds. */
const leafNames = {
  audit_ref: "id",
  time: "time",
  actor: "principal",
  key_id: "key_id",
  action: "operation",
  object: "object",
  task_id: "task_id",
  approval_id: "approval_id",
  decision: "outcome",
  stages: "stages",
  status: "status",
  code: "code",
  trust_score: "trust_score",
  request_id: "request_id",
} as const satisfies Partial<Record<keyof Schema<"AuditRecord">, string>>;

/** The first member of the record that the leaf says otherwise; undefined: all of them are as they are shown. */
function differing(record: Schema<"AuditRecord">, leafData: string): string | undefined {
  const leaf = JSON.parse(leafData) as Record<string, unknown>;
  return Object.entries(leafNames).find(([shown, name]) => ordered(record[shown as keyof typeof leafNames]) !== ordered(leaf[name]))?.[0];
}

/** A value as text in which the order of members says nothing. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  ) ?? "undefined";

/**
 * Verifies here, without the service, that exactly this record stands in the signed log: that it is the one that was asked for, that what is shown of it is what
 * its leaf says, the path from the leaf's hash to the root, and the signature of the root.
 */
export async function verifyRecord(record: Schema<"AuditRecord">, auditRef: string): Promise<Verified> {
  const key = known(record.log_key);
  if (!key.same) {
    const reason = `The service names another key for this log than it did on ${new Date(key.since).toLocaleDateString("en-GB")}. Compare both with the key that your operator handed out (audit.vkey).`;
    return { state: "refused", reason };
  }
  if (record.leaf_data === null) return { state: "refused", reason: "It is not in the tree yet: that takes a second. Try again." };
  if (record.audit_ref !== auditRef) return { state: "refused", reason: `The service answered with another record, ${record.audit_ref}.` };
  const other = differing(record, record.leaf_data);
  if (other !== undefined) return { state: "refused", reason: `What is shown as ${other} is not what the log holds of this record.` };
  const verdict = await verifyProof({ proofText: await readProofText(auditRef), leafData: record.leaf_data, publicKey: key.text });
  if (!verdict.verified) return { state: "refused", reason: verdict.reason };
  return { state: "verified", index: verdict.index, size: verdict.checkpoint.size, log: verdict.checkpoint.origin, key };
}

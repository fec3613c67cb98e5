import { compareShown, verifyProof } from "@aos/proof";
import { readProofText } from "../api/audit.ts";
import type { Schema } from "../api/types.ts";

/** What came of verifying a record in this browser. */
export type Verified =
  | {
      readonly state: "verified";
      readonly index: number;
      readonly size: number;
      readonly log: string;
      readonly key: Known;
    }
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
  if (record.leaf_data === null)
    return { state: "refused", reason: "It is not in the tree yet: that takes a second. Try again." };
  if (record.audit_ref !== auditRef)
    return { state: "refused", reason: `The service answered with another record, ${record.audit_ref}.` };
  const verdict = await verifyProof({
    proofText: await readProofText(auditRef),
    leafData: record.leaf_data,
    publicKey: key.text,
  });
  if (!verdict.verified) return { state: "refused", reason: verdict.reason };
  const { index, checkpoint } = verdict;
  const { differing } = compareShown(record, record.leaf_data, { index, key: key.text, complete: true });
  if (differing !== null)
    return { state: "refused", reason: `What is shown as ${differing} is not what the log holds of this record.` };
  return { state: "verified", index, size: checkpoint.size, log: checkpoint.origin, key };
}

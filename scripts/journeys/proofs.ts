import { setTimeout as delay } from "node:timers/promises";
import { parseTlogProof, verifyProof } from "@aos/proof";
import { membersOf } from "../../server/src/kernel/stored-json.ts";
import type { Call } from "./client.ts";

/** The log's public key as a verifier key, taken from the record of a call of one's own: what is proved later has to hold under this one. */
export async function trustedKey(call: Call): Promise<string> {
  const { headers } = await call("GET", "/v1/admin/whoami");
  const { body } = await call<{ log_key: string }>("GET", `/v1/audit/events/${headers.get("audit-ref")}`);
  return body.log_key;
}

/** How many records were looked at, and how many of them are proved; of the others, why not. */
export interface Proved {
  readonly records: number;
  readonly verified: number;
  readonly failures: readonly string[];
}

/**
 * Takes every record of these tasks from the audit log, dispatch, model and tool calls, and end, and verifies the offline proof of each under the key: with
 * `@aos/proof` and nothing of the service. A record also has to say that it is of its task.
 */
export async function proveTasks(
  call: Call,
  publicKey: string,
  tasks: readonly { readonly task_id: string; readonly audit_ref: string }[],
): Promise<Proved> {
  const failures: string[] = [];
  let records = 0;
  for (const { task_id, audit_ref } of tasks) {
    const references = await recordsOf(call, task_id, audit_ref);
    for (const reference of references) {
      const failure = await failureOf(call, publicKey, reference, task_id);
      if (failure !== null) failures.push(`${reference}: ${failure}`);
    }
    records += references.length;
  }
  return { records, verified: records - failures.length, failures };
}

/** References of a task's records, its dispatch's among them. Records enter the log within a second. */
async function recordsOf(call: Call, task: string, dispatch: string): Promise<string[]> {
  for (let tried = 0; ; tried++) {
    const { body } = await call<{ data: { audit_ref: string }[] }>("GET", `/v1/audit/events?task=${task}&limit=100`);
    const found = body.data.map(({ audit_ref }) => audit_ref);
    if (found.includes(dispatch)) return found;
    if (tried === 20) return [dispatch, ...found];
    await delay(250);
  }
}

async function failureOf(call: Call, publicKey: string, reference: string, task: string): Promise<string | null> {
  const { text: proofText } = await call("GET", `/v1/audit/events/${reference}/proof`);
  const { extra } = parseTlogProof(proofText);
  if (!extra) return "its proof carries no record";
  const verdict = await verifyProof({ proofText, leafData: extra, publicKey });
  if (!verdict.verified) return verdict.reason;
  const { id, task_id } = membersOf(Buffer.from(extra).toString());
  return id === reference && task_id === task ? null : `the record proved is ${id} of ${task_id}`;
}

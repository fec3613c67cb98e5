import { type SinkAccess, SinkFault } from "../../ports.ts";
import type { Sending, SinkBatch } from "../batch.ts";
import type { CredentialsOfKind, SinkKind, TargetOfKind } from "../target-schemas.ts";
import { Answered, excerpt } from "./answer.ts";
import { sendOtlp } from "./otlp.ts";
import { sendS3 } from "./s3.ts";
import { sendSplunk } from "./splunk.ts";
import { sendSyslog } from "./syslog.ts";
import { sendWebhook } from "./webhook.ts";

/** Where a sink sends to. `credentials`: those in force first; a former one signs too. */
export interface Receiver<K extends SinkKind = SinkKind> {
  readonly kind: K;
  readonly target: TargetOfKind[K];
  readonly credentials: readonly CredentialsOfKind[K][];
}

type Send<K extends SinkKind> = (
  access: SinkAccess,
  receiver: Receiver<K>,
  batch: SinkBatch,
  sending: Sending,
) => Promise<void>;

const byKind: { readonly [K in SinkKind]: Send<K> } = {
  webhook: (access, { target, credentials }, batch, sending) =>
    sendWebhook(access, target, credentials, batch, sending),
  splunk_hec: (access, { target, credentials: [present] }, batch, sending) =>
    sendSplunk(access, target, present as CredentialsOfKind["splunk_hec"], batch, sending),
  syslog: (access, { target, credentials: [present = null] }, batch, sending) =>
    sendSyslog(access, target, present, batch, sending),
  otlp: (access, { target, credentials: [present = null] }, batch, sending) =>
    sendOtlp(access, target, present, batch, sending),
  s3: (access, { target, credentials: [present] }, batch, sending) =>
    sendS3(access, target, present as CredentialsOfKind["s3"], batch, sending),
};

/** Sends a batch and returns once the receiver has acknowledged it. Throws SinkFault, which repeats no secret, and the reason of a signal that is aborted. */
export async function sendBatch(
  access: SinkAccess,
  receiver: Receiver,
  batch: SinkBatch,
  sending: Sending,
): Promise<void> {
  try {
    await (byKind[receiver.kind] as Send<SinkKind>)(access, receiver, batch, sending);
  } catch (error) {
    if (!(error instanceof SinkFault)) throw error;
    const { code, detail, retryAfter } = error;
    const secrets = [...new Set(secretsIn(receiver.credentials).flatMap(formsOf))].sort((a, b) => b.length - a.length);
    const withoutSecrets = (text: string): string =>
      secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
    const said = error instanceof Answered ? excerpt(error.answer.body, withoutSecrets) : "";
    throw new SinkFault(code, withoutSecrets(detail) + said, { retryAfter, cause: error });
  }
}

/** Every text in credentials, and its words: a receiver may repeat what it was sent. */
function secretsIn(value: unknown): string[] {
  if (typeof value === "string") return [value, ...value.split(/\s+/)].filter(({ length }) => length >= 4);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(secretsIn) : [];
}

/** A secret as it is, and as JSON and addresses hold it. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, json.replaceAll("/", "\\/"), encodeURIComponent(secret.toWellFormed())];
}

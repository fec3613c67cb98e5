import { signatureOf } from "../../../../kernel/webhook-signature.ts";
import type { SinkAccess } from "../../ports.ts";
import type { Sending, SinkBatch } from "../batch.ts";
import type { WebhookSinkCredentials, WebhookTarget } from "../target-schemas.ts";
import { expectTaken } from "./answer.ts";

/** Posts a batch, signed as webhooks are (Standard Webhooks). A range that is sent again has the same key. */
export async function sendWebhook(
  access: SinkAccess,
  { url }: WebhookTarget,
  credentials: readonly WebhookSinkCredentials[],
  { key, head, records }: SinkBatch,
  { now, signal }: Sending,
): Promise<void> {
  const body = `{"type":"aos.audit.batch","batch":${JSON.stringify(head)},"records":[${records.map(({ line }) => line).join(",")}]}`;
  const seconds = Math.floor(now / 1_000);
  const secrets = credentials.map((one) => Buffer.from(one.signing_secret.slice("whsec_".length), "base64"));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "AgentOperationsService-AuditSink/1",
    "idempotency-key": key,
    "webhook-id": key,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatureOf(secrets, key, seconds, body),
    "aos-environment": head.environment,
  };
  expectTaken(await access.send({ url, method: "POST", headers, body, signal }), url);
}

import { createHmac } from "node:crypto";

/**
 * `webhook-signature` of Standard Webhooks: for each secret `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, with a space between. `seconds` since 1970.
 */
export function signatureOf(secrets: readonly Buffer[], id: string, seconds: number, body: string): string {
  const signed = `${id}.${seconds}.${body}`;
  return secrets.map((secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`).join(" ");
}

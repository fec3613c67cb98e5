import { createHash, createPublicKey } from "node:crypto";
import { type VerifierKey, verifierKey } from "@aos/proof";
import { openSecrets } from "../../db/secrets.ts";
import type { TestApp } from "../../testing/app.ts";

/** The key that an auditor of the test service would have got from its operator. */
export async function trustedKey(app: TestApp, environment = "development"): Promise<VerifierKey> {
  const secrets = await openSecrets({ pool: app.pool, keySource: { secretKey: Buffer.alloc(32, 7).toString("base64"), dataDir: "" } });
  const { x } = createPublicKey(await secrets.auditSigningKey()).export({ format: "jwk" });
  const { rows } = await app.pool.query<{ id: string }>("select id from installation");
  return verifierKey(`${rows[0]?.id}/default/${environment}`, Buffer.from(x as string, "base64url"));
}

/** Waits until the record is in the log: a proof is answered no earlier. */
export async function untilSequenced(
  app: TestApp,
  auditRef: string,
  environment: "development" | "staging" = "development",
): Promise<string> {
  const { status, text } = await app.call("GET", `/v1/audit/events/${auditRef}/proof`, { environment });
  if (status !== 200) throw new Error(`the proof of ${auditRef} answered ${status}: ${text}`);
  return text;
}

/** A body as a record commits to it: SHA-256 of its bytes, in hexadecimal. */
export function bodyDigest(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

import { randomBytes } from "node:crypto";
import type { Scope } from "../kernel/principal.ts";
import { seal, unseal } from "./secrets.ts";

/** Bytes of a secret. */
const size = 32;

/** Draws a secret: as people see it, and as it is stored. */
export function drawSecret(
  key: Buffer,
  scope: Scope,
  webhook: string,
): { readonly secret: string; readonly sealed: Buffer } {
  const bytes = randomBytes(size);
  return { secret: `whsec_${bytes.toString("base64")}`, sealed: seal(key, bytes, contextOf(scope, webhook)) };
}

/** The bytes of a stored secret. Throws where it does not open: the credential key is another one, or the row was moved. */
export function openSecret(key: Buffer, sealed: Uint8Array, scope: Scope, webhook: string): Buffer {
  const bytes = unseal(key, sealed, contextOf(scope, webhook));
  if (!bytes) throw new Error(`the secret of the endpoint ${webhook} does not open under the credential key`);
  return bytes;
}

const contextOf = ({ organization, environment }: Scope, webhook: string): string =>
  `webhook ${organization} ${environment} ${webhook}`;

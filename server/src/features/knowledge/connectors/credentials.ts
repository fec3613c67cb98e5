import { seal, unseal } from "../../../db/secrets.ts";
import type { Scope } from "../../../kernel/principal.ts";

const contextOf = ({ organization, environment }: Scope, connector: string): string =>
  `connector ${organization} ${environment} ${connector}`;

/** Credentials as they are stored: bound to their connector, so that they do not open in another row. */
export const sealCredentials = (key: Buffer, scope: Scope, connector: string, credentials: object): Buffer =>
  seal(key, Buffer.from(JSON.stringify(credentials)), contextOf(scope, connector));

/** Throws if the key does not open them. */
export function openCredentials(key: Buffer, scope: Scope, connector: string, sealed: Buffer | null): unknown {
  if (sealed === null) return null;
  const plain = unseal(key, sealed, contextOf(scope, connector));
  if (plain === undefined)
    throw new Error(`the credentials of the connector ${connector} do not open under the credential key`);
  return JSON.parse(plain.toString());
}

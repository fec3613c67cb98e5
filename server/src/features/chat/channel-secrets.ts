import { seal, unseal } from "../../db/secrets.ts";
import type { Scope } from "../../kernel/principal.ts";

const contextOf = ({ organization, environment }: Scope, channel: string): string =>
  `chat channel ${organization} ${environment} ${channel}`;

/** A channel's secret as it is stored: bound to its row, so that it opens in no other. */
export const sealSecret = (key: Buffer, scope: Scope, channel: string, secret: object): Buffer =>
  seal(key, Buffer.from(JSON.stringify(secret)), contextOf(scope, channel));

/** Throws if the key does not open it. */
export function openSecret<T>(key: Buffer, scope: Scope, channel: string, sealed: Buffer | null): T {
  const plain = sealed === null ? undefined : unseal(key, sealed, contextOf(scope, channel));
  if (plain === undefined)
    throw new Error(`the secret of the channel ${channel} does not open under the credential key`);
  return JSON.parse(plain.toString()) as T;
}

import type { Principal, Scope } from "./principal.ts";

/** A key as the permissions stage sees it. */
export interface KeyFacts {
  readonly principal: Principal;
  readonly scope: Scope;
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAt: number | null;
  /** Milliseconds since the epoch, in the future while a rotation overlaps; null: not revoked. A key whose owner is gone counts as revoked. */
  readonly revokedAt: number | null;
  /** Networks the key may be used from (CIDR or address); null: any. */
  readonly addresses: readonly string[] | null;
  readonly ratePerSecond: number | null;
}

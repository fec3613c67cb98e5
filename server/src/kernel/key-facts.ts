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

/** A session of the portal as the permissions stage sees it. */
export interface SessionFacts {
  readonly id: string;
  /** What a page of the portal proves by that a change comes from it (`X-CSRF-Token`). */
  readonly csrf: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** When it ends however much it is used, in milliseconds since the epoch. */
  readonly endsBy: number;
  /** What it may do: that of the key which opened it, or of the member whose link did, as they are now. */
  readonly holder: KeyFacts;
}

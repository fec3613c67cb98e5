import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { Scope } from "./principal.ts";

type Sealed = readonly (string | null)[];

/** Authenticates what the service stores: whoever has the database but not `AOS_SECRET_KEY` can neither change nor make a sealed value. */
export interface Seals {
  /** The seal of `values`, in this order. `use` keeps seals of different kinds apart. */
  seal(use: string, scope: Scope, values: Sealed): string;
  /** Whether `seal` is the seal of `values`. Null never is. */
  holds(seal: string | null, use: string, scope: Scope, values: Sealed): boolean;
}

/** HMAC-SHA256 under `key`. Every value is preceded by its length, so that no two lists of values run together. */
export function createSeals(key: Buffer): Seals {
  const secret = createSecretKey(key); // a fifth of what the same costs with the bytes
  const seal: Seals["seal"] = (use, { organization, environment }, values) => {
    let text = "";
    for (const value of [use, organization, environment, ...values])
      text += value === null ? "-:" : `${value.length}:${value}`;
    return createHmac("sha256", secret).update(text).digest("base64url");
  };
  return {
    seal,
    holds(given, use, scope, values) {
      const expected = Buffer.from(seal(use, scope, values));
      const found = Buffer.from(given ?? "");
      return found.length === expected.length && timingSafeEqual(found, expected);
    },
  };
}

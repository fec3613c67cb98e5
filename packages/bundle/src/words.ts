import { literal, plainName, text } from "./shapes.ts";

/** Shapes that several parts of a bundle share. */

export const KINDS = ["agent", "workflow", "tool_set", "policy_pack", "dataset", "scorer"] as const;
export type BundleKind = (typeof KINDS)[number];

export const kind = literal(...KINDS);
export const listingName = text(40, /^[a-z][a-z0-9-]{0,39}$/, "the form of a listing's name (a-z, 0-9, -)");
export const version = text(
  40,
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/,
  "the form of a version (x.y.z)",
);
export const publisherId = text(30, /^pub_[0-9a-hjkmnp-tv-z]{26}$/, "the form of a publisher's id (pub_…)");
export const publisherName = plainName(100);
export const keyId = text(71, /^sha256:[0-9a-f]{64}$/, "the form of a key id (sha256:…)");
export const sha256Hex = text(64, /^[0-9a-f]{64}$/, "the form of a SHA-256 in hexadecimal");
export const time = text(
  24,
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{3})?Z$/,
  "the form of a time in UTC",
);

import { ORDINARY_LIMITS } from "@aos/strict-json";

/** What one JSON body may hold, besides its bytes and the depth of its nesting. Whatever is beyond it is refused while it is read, before it is built. */
export interface BodyBounds {
  /** Members of one object. */
  readonly members: number;
  /** Values in all: every text, number, boolean, null, object and list counts 1. */
  readonly values: number;
}

/** What an operation declares of its body where that may be larger than all others'. */
export interface BodyLimits {
  /** The largest body in bytes; 1 MiB by default. */
  readonly largestBody?: number;
  /** What a JSON body may hold; `ordinaryBounds` by default. */
  readonly bounds?: Partial<BodyBounds>;
}

/** The largest JSON body (bytes) unless an operation declares another, and the deepest nesting. */
export const bodyLimit = 1024 * 1024;
export const depthLimit = ORDINARY_LIMITS.depth;

/** The bounds of every body whose operation declares no larger ones. A file in YAML may say as many values. */
export const ordinaryBounds: BodyBounds = { members: ORDINARY_LIMITS.members, values: ORDINARY_LIMITS.values };

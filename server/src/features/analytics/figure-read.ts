import { limitedTo } from "../../kernel/narrowing.ts";
import { exempt, governs } from "../../kernel/operation.ts";

/** What all reads of figures have in common. */
export const figureRead = {
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("shows figures of the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
} as const;

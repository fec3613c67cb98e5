import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";

/** SHA-256 (lower-case hex) of a definition's canonical JSON (RFC 8785): equal exactly where two definitions say the same, in whatever order of fields. */
export function digestOf(definition: object): string {
  return createHash("sha256").update(canonicalJson(definition)).digest("hex");
}

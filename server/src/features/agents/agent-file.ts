import { type Refusal, refuse } from "../../kernel/errors.ts";
import { invalidBody, malformedBody } from "../../kernel/problems.ts";
import { type BundleFault, parseBundle } from "./bundle/index.ts";
import type { AgentBundle } from "./definition.ts";

export const yamlType = "application/yaml";

/** Faults of a text that is no YAML at all, as a JSON body would be no JSON; all others are faults of what it says. */
const unreadable = new Set(["syntax", "too_deep"]);

/** Reads a body of the type `application/yaml` (RFC 9512) as an agent's file. Throws a Refusal with every fault and its line and column. */
export function readAgentFile(bytes: Buffer): AgentBundle {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse(malformedBody, "The file is not UTF-8. Save it in that encoding.", {
      errors: [{ pointer: "", code: "not_utf8", detail: "The file is not UTF-8. Save it in that encoding." }],
    });
  }
  const read = parseBundle(text);
  if (read.ok) return read.bundle;
  throw refusalOf(read.faults);
}

function refusalOf(faults: readonly BundleFault[]): Refusal {
  const first = faults[0] as BundleFault;
  const place = first.pointer === "" ? "" : `${first.pointer} `;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const type = faults.some(({ code }) => unreadable.has(code)) ? malformedBody : invalidBody;
  return refuse(type, `Line ${first.line}, column ${first.column}: ${place}${first.detail}${more}`, { errors: faults });
}

import type { PlacedFault } from "@aos/yaml-source";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import { invalidBody, malformedBody } from "../../../kernel/problems.ts";
import { inThread, TookTooLong } from "../../../kernel/threads.ts";
import { type FileResult, parseFile } from "./bundle/index.ts";
import type { AgentBundle } from "./schemas.ts";

export const yamlType = "application/yaml";

/** Faults of a text that is no YAML at all, as a JSON body would be no JSON; all others are faults of what it says. */
const unreadable = new Set(["syntax", "too_deep"]);

/** Parsing a file of this size takes a few milliseconds at most; a larger one is parsed in a thread. */
const SMALL_FILE = 8 * 1024;
/** In milliseconds: ten times what the largest valid file takes. */
const PATIENCE = 10_000;

/** Parses a body of the type `application/yaml` (RFC 9512). Refuses with every fault and its line and column. */
export async function readAgentFile(bytes: Buffer): Promise<AgentBundle> {
  const read = bytes.length <= SMALL_FILE ? parseFile(bytes) : await parseInThread(bytes);
  if (read === "not_utf8") {
    const detail = "The file is not UTF-8. Save it in that encoding.";
    throw refuse(malformedBody, detail, { errors: [{ pointer: "", code: "not_utf8", detail }] });
  }
  if (read.ok) return read.bundle;
  throw refusalOf(read.faults);
}

async function parseInThread(bytes: Buffer): Promise<FileResult> {
  try {
    return await inThread<FileResult>(new URL("./bundle/parse.ts", import.meta.url), "parseFile", bytes, PATIENCE);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    const detail = `The file took longer than ${PATIENCE / 1000} seconds to read. Correct what is wrong with it in parts, or split the agent.`;
    throw refuse(invalidBody, detail, { errors: [{ pointer: "", code: "too_large", detail }] });
  }
}

function refusalOf(faults: readonly PlacedFault[]): Refusal {
  const first = faults[0] as PlacedFault;
  const place = first.pointer === "" ? "" : `${first.pointer} `;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const type = faults.some(({ code }) => unreadable.has(code)) ? malformedBody : invalidBody;
  return refuse(type, `Line ${first.line}, column ${first.column}: ${place}${first.detail}${more}`, { errors: faults });
}

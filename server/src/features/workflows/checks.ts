import type { BodyFault } from "@aos/json-schema";
import { findingsOf, type WorkflowDefinition } from "@aos/workflow";
import type { PlacedFault } from "@aos/yaml-source";
import { type Refusal, refuse } from "../../kernel/errors.ts";
import { invalidBody, malformedBody } from "../../kernel/problems.ts";
import { inThread, TookTooLong } from "../../kernel/threads.ts";
import type { Finding } from "./checks-schemas.ts";
import { definitionFromSource, type FileResult, formFaults, placeFindings } from "./file.ts";
import { knownCalls } from "./known.ts";

const MOST_FINDINGS = 500;

type Looking = Parameters<typeof knownCalls>[0];

export interface Checked {
  /** Null: it has not the form of one. */
  readonly definition: WorkflowDefinition | null;
  readonly findings: readonly Finding[];
}

/**
 * Everything that is wrong with a definition or a text, as the call's environment knows agents and workflows. Nothing is refused: faults of the form are
 * findings, too.
 */
export async function findingsOfDraft(ctx: Looking, draft: WorkflowDefinition | string): Promise<Checked> {
  if (typeof draft !== "string") {
    const faults = formFaults(draft);
    return faults.length > 0 ? formless(faults) : { definition: draft, findings: await callFindings(ctx, draft) };
  }
  const read = await readSource(draft);
  if (!read.ok) return formless(read.faults);
  const found = await callFindings(ctx, read.definition);
  const given = { text: draft, findings: found };
  const findings = await fileWork(draft, "placeFindings", given, () => placeFindings(given));
  return { definition: read.definition, findings };
}

const formless = (faults: readonly (BodyFault | PlacedFault)[]): Checked => ({
  definition: null,
  findings: faults.map((fault) => ({ severity: "error", ...fault })),
});

async function callFindings(ctx: Looking, definition: WorkflowDefinition) {
  return findingsOf(definition, await knownCalls(ctx, definition)).slice(0, MOST_FINDINGS);
}

/** A text as a definition. Refuses one that has not the form of a workflow with every fault and its line and column. */
export async function readDefinition(text: string): Promise<WorkflowDefinition> {
  const read = await readSource(text);
  if (read.ok) return read.definition;
  throw refusalOf(read.faults);
}

async function readSource(text: string): Promise<FileResult> {
  try {
    return await fileWork(text, "definitionFromSource", text, () => definitionFromSource(text));
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    const detail = `The text took longer than ${PATIENCE / 1000} seconds to read. Correct it in parts, or split the workflow.`;
    return { ok: false, faults: [{ pointer: "", code: "too_large", detail, line: 1, column: 1 }] };
  }
}

/** A text of so many characters at most takes some milliseconds; a larger one is read in a thread. */
const SMALL = 8 * 1024;
/** How long a text may take to be read (milliseconds). */
const PATIENCE = 10_000;

function fileWork<T>(text: string, name: string, given: unknown, here: () => T): T | Promise<T> {
  return text.length <= SMALL ? here() : inThread<T>(new URL("./file.ts", import.meta.url), name, given, PATIENCE);
}

/** Faults of a text that is no YAML at all, as a JSON body would be no JSON. */
const unreadable = new Set(["syntax", "too_deep"]);

function refusalOf(faults: readonly PlacedFault[]): Refusal {
  const [first] = faults as readonly [PlacedFault];
  const place = first.pointer === "" ? "" : `${first.pointer} `;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const type = faults.some(({ code }) => unreadable.has(code)) ? malformedBody : invalidBody;
  return refuse(type, `Line ${first.line}, column ${first.column}: ${place}${first.detail}${more}`, { errors: faults });
}

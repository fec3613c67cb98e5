import type { BodyFault } from "@aos/json-schema";
import { type Finding as Found, findingsOf, type WorkflowDefinition } from "@aos/workflow";
import type { PlacedFault } from "@aos/yaml-source";
import { type Refusal, refuse } from "../../kernel/errors.ts";
import { invalidBody, malformedBody } from "../../kernel/problems.ts";
import { inThread, TookTooLong } from "../../kernel/threads.ts";
import type { Finding, WorkflowDraftBody } from "./checks-schemas.ts";
import type { WorkflowRow } from "./definition-store.ts";
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
 * findings, too. `name`: that of the workflow, where the definition has to have it.
 */
export async function findingsOfDraft(
  ctx: Looking,
  draft: WorkflowDefinition | string,
  name?: string,
): Promise<Checked> {
  if (typeof draft !== "string") {
    const faults = formFaults(draft);
    if (faults.length > 0) return formless(faults);
    const findings = await callFindings(ctx, draft, name);
    return { definition: draft, findings: findings.map(({ offset: _, ...finding }) => finding) };
  }
  const read = await readSource(draft);
  if (!read.ok) return formless(read.faults);
  const found = await callFindings(ctx, read.definition, name);
  const given = { text: draft, findings: found };
  const findings = await fileWork(draft, "placeFindings", given, () => placeFindings(given));
  return { definition: read.definition, findings };
}

const formless = (faults: readonly (BodyFault | PlacedFault)[]): Checked => ({
  definition: null,
  findings: faults.map((fault) => ({ severity: "error", ...fault })),
});

async function callFindings(ctx: Looking, definition: WorkflowDefinition, name = definition.workflow) {
  const detail = `This is the workflow ${name}, and names do not change. Create the other one by POST /v1/workflows.`;
  const other: readonly Found[] =
    name === definition.workflow ? [] : [{ severity: "error", pointer: "/workflow", code: "another_workflow", detail }];
  return [...other, ...findingsOf(definition, await knownCalls(ctx, definition))].slice(0, MOST_FINDINGS);
}

/** What a body stands for: a text, a definition, or the draft as it is saved. A definition may leave its name to the address. */
export function draftSent(body: WorkflowDraftBody, { name, draft, source }: WorkflowRow): WorkflowDefinition | string {
  if (Object.keys(body).length === 0) return source ?? draft;
  if (typeof body.source === "string" && Object.keys(body).length === 1) return body.source;
  return { workflow: name, ...body } as unknown as WorkflowDefinition;
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

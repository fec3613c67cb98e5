import { hash } from "node:crypto";
import type { BodyFault } from "@aos/json-schema";
import { type Finding as Found, findingsOf, type WorkflowDefinition } from "@aos/workflow";
import type { PlacedFault } from "@aos/yaml-source";
import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { type Fault, type Refusal, refuse } from "../../../kernel/errors.ts";
import { invalidBody, malformedBody } from "../../../kernel/problems.ts";
import { inThread, TookTooLong } from "../../../kernel/threads.ts";
import { liveVersions } from "../../agents/public.ts";
import { type CallsContext, knownCalls } from "./known.ts";
import { definitionFromSource, type FileResult, formFaults, placeFindings, yamlType } from "./parser.ts";
import { agentsOf } from "./rules.ts";
import type { Finding, WorkflowDraftBody, WorkflowFinding } from "./schemas.ts";
import type { NewDraft, WorkflowRow } from "./store.ts";

const MOST_FINDINGS = 500;

export interface Checked {
  /** Null: malformed. */
  readonly definition: WorkflowDefinition | null;
  readonly findings: readonly Finding[];
}

/**
 * Everything that is wrong with a definition or a text, as the call's environment knows agents and workflows. Nothing is refused: faults of the form are
 * findings, too. `name`: that of the workflow, where the definition has to have it.
 */
export async function findingsOfDraft(
  ctx: CallsContext,
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

async function callFindings(ctx: CallsContext, definition: WorkflowDefinition, name = definition.workflow) {
  const detail = `This is the workflow ${name}, and names do not change. Create the other one by POST /v1/workflows.`;
  const other: readonly Found[] =
    name === definition.workflow ? [] : [{ severity: "error", pointer: "/workflow", code: "another_workflow", detail }];
  return [...other, ...findingsOf(definition, await knownCalls(ctx, definition))].slice(0, MOST_FINDINGS);
}

/** The definition or text that a body stands for, or else the saved draft. A definition may leave its name to the address. */
export function draftSent(body: WorkflowDraftBody, { name, draft, source }: WorkflowRow): WorkflowDefinition | string {
  if (Object.keys(body).length === 0) return source ?? draft;
  if (typeof body.source === "string" && Object.keys(body).length === 1) return body.source;
  return { workflow: name, ...body } as unknown as WorkflowDefinition;
}

/** Parses a definition. Throws every fault of its form with line and column. */
async function readDefinition(text: string): Promise<WorkflowDefinition> {
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

/** Longer texts are parsed in a thread, in characters. */
const SMALL = 8 * 1024;
/** How long parsing may take (milliseconds). */
const PATIENCE = 10_000;

function fileWork<T>(text: string, name: string, given: unknown, here: () => T): T | Promise<T> {
  return text.length <= SMALL ? here() : inThread<T>(new URL("./parser.ts", import.meta.url), name, given, PATIENCE);
}

/** Faults of a text that is not YAML, answered like a body that is not JSON. */
const unreadable = new Set(["syntax", "too_deep"]);

function refusalOf(faults: readonly PlacedFault[]): Refusal {
  const [first] = faults as readonly [PlacedFault];
  const place = first.pointer === "" ? "" : `${first.pointer} `;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const type = faults.some(({ code }) => unreadable.has(code)) ? malformedBody : invalidBody;
  return refuse(type, `Line ${first.line}, column ${first.column}: ${place}${first.detail}${more}`, { errors: faults });
}

// The draft that a body says: member by member, or as a text.

type DraftBody = Partial<WorkflowDefinition> & { readonly source?: string };

/** A file sent as `application/yaml`. */
export const readsFile = {
  [yamlType]: (bytes: Buffer): DraftBody => {
    try {
      return { source: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      const detail = "The file is not UTF-8. Save it in that encoding.";
      throw refuse(malformedBody, detail, { errors: [{ pointer: "", code: "not_utf8", detail }] });
    }
  },
};

/** Drafts by their bodies, from validation to use. */
const read = new WeakMap<object, NewDraft>();

/** Faults of a body. Throws line and column for a malformed text. `name`: the name that the draft must have. */
export async function draftFaults(body: DraftBody, name?: string): Promise<readonly Fault[]> {
  const { source, ...members } = body;
  if (source !== undefined && typeof source !== "string")
    return [{ pointer: "/source", code: "type", detail: "must be the text of a file" }];
  const besides = Object.keys(members);
  if (source !== undefined && besides.length > 0)
    return besides.map((member) => ({
      pointer: `/${member}`,
      code: "not_together",
      detail: "does not go together with `source`, which is the whole definition",
    }));
  const definition =
    source === undefined ? { ...(name !== undefined && { workflow: name }), ...members } : await readDefinition(source);
  const faults = source === undefined ? formFaults(definition) : [];
  if (faults.length > 0) return faults;
  const draft = definition as WorkflowDefinition;
  read.set(body, { definition: draft, source: source ?? null, agents: agentsOf(draft) });
  if (name === undefined || draft.workflow === name) return [];
  const detail = `names another workflow than the address, ${name}; names do not change, create a workflow of the new name`;
  return [{ pointer: "/workflow", code: "another_workflow", detail }];
}

/** The draft of a validated body. */
export const draftOf = (body: object): NewDraft => read.get(body) as NewDraft;

/** The agents that a body's draft names; none for a malformed body, which is refused anyway. */
export const agentsIn = (_ctx: CallContext, { body }: { readonly body: object }): readonly string[] =>
  read.get(body)?.agents ?? [];

interface Kept {
  /** The list of live agent versions at that time; another list once one of them changed. */
  readonly live: unknown;
  readonly findings: readonly WorkflowFinding[];
}

const mostKept = 500;
/** By environment and draft. */
const kept = new Map<string, Kept>();

/** Findings of a draft in the call's environment, with places in its text if it has one. Cached until an agent changes. */
export async function findingsOfRow(
  ctx: CallContext & { readonly db: Reader },
  { draft, source }: Pick<WorkflowRow, "draft" | "source">,
): Promise<readonly WorkflowFinding[]> {
  const check = async () => (await findingsOfDraft(ctx, source ?? draft)).findings;
  const text = JSON.stringify([draft, source]);
  // A narrowed key learns less of other agents, and workflows that a step starts change without notice.
  if (ctx.principal.agents !== null || text.includes('"workflow":{')) return check();
  const live = liveVersions(ctx.facts);
  const key = `${ctx.scope.organization} ${ctx.scope.environment} ${hash("sha256", text)}`;
  const known = kept.get(key);
  if (known?.live === live) return known.findings;
  const findings = await check();
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string);
  kept.set(key, { live, findings });
  return findings;
}

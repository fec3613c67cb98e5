import { type BodyFault, checkUserSchema, compileSchema, type Validator } from "@aos/json-schema";
import {
  EventTrigger,
  type Finding as Found,
  HookTrigger,
  ScheduleTrigger,
  WORKFLOW_LIMITS,
  WorkflowDefinition,
} from "@aos/workflow";
import { type FileWords, MOST_FAULTS, type PlacedFault, readYaml } from "@aos/yaml-source";
import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { malformedBody } from "../../../kernel/problems.ts";
import type { Finding } from "./schemas.ts";

// A workflow as a file: YAML, or JSON, which is read the same way.

export const yamlType = "application/yaml";

export type FileResult =
  | { readonly ok: true; readonly definition: WorkflowDefinition }
  | { readonly ok: false; readonly faults: readonly PlacedFault[] };

const words: FileWords = {
  several: "A file holds one workflow.",
  empty: "Write at least `workflow` and `steps`.",
  tooLarge: "Split the workflow: a step `workflow` starts another one.",
};

/** Parses a workflow's text (YAML 1.2 or JSON): the definition, or every fault of its form with line and column, in the order of the text. */
export function definitionFromSource(text: string): FileResult {
  const read = readYaml(text, words);
  if (!read.ok) return read;
  const { value, locate } = read.source;
  const faults = formFaults(value);
  if (faults.length === 0) return { ok: true, definition: value as WorkflowDefinition };
  const placed = faults.map((fault): PlacedFault => ({ ...fault, ...locate(fault.pointer, partOf(fault)) }));
  return { ok: false, faults: placed.sort((a, b) => a.line - b.line || a.column - b.column) };
}

export function placeFindings({ text, findings }: { text: string; findings: readonly Found[] }): Finding[] {
  const read = readYaml(text, words);
  const placed = findings.map(({ offset, ...finding }): Finding => {
    if (!read.ok) return finding;
    return { ...finding, ...read.source.locate(finding.pointer, partOf(finding), offset) };
  });
  return placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Faults about a field's name, not its value. `unknown_field` in an expression has an offset. */
const partOf = ({ code, offset }: { readonly code: string; readonly offset?: number }): "key" | "value" =>
  code === "unknown_field" && offset === undefined ? "key" : "value";

interface Forms {
  readonly frame: Validator;
  readonly event: Validator;
  readonly schedule: Validator;
  readonly hook: Validator;
}
let forms: Forms | undefined;

/** Compiled at first use: a process that reads no workflows pays nothing. Triggers are validated by the one kind that they name. */
function compiled(): Forms {
  const { triggers: _triggers, ...members } = WorkflowDefinition.properties;
  const triggers = Type.Optional(Type.Array(Type.Unknown(), { maxItems: WORKFLOW_LIMITS.triggers }));
  forms ??= {
    frame: compileSchema(Type.Object({ ...members, triggers }, { additionalProperties: false })),
    event: compileSchema(EventTrigger),
    schedule: compileSchema(ScheduleTrigger),
    hook: compileSchema(HookTrigger),
  };
  return forms;
}

/** Faults of the form of a definition; empty if it can be saved as a draft. */
export function formFaults(value: unknown): readonly BodyFault[] {
  const { frame } = compiled();
  const { workflow, triggers, input } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const list = Array.isArray(triggers) ? triggers : [];
  const name = reservedNames.has(workflow as string) ? [reservedName(workflow as string)] : [];
  const schema = input === undefined ? [] : checkUserSchema(input);
  return [
    ...frame(value),
    ...name,
    ...list.flatMap((trigger, at) => triggerFaults(trigger).map((one) => within(`/triggers/${at}`, one))),
    ...schema.map((one) => within("/input", one)),
  ].slice(0, MOST_FAULTS);
}

/** Words that stand in addresses in place of a workflow's name. */
const reservedNames: ReadonlySet<string> = new Set(["dead-letters", "generate", "runs", "step-types"]);
const reservedName = (name: string): BodyFault => ({
  pointer: "/workflow",
  code: "reserved_name",
  detail: `cannot be \`${name}\`, which is an address of its own; take another name`,
});

const within = (place: string, fault: BodyFault): BodyFault => ({ ...fault, pointer: place + fault.pointer });

function triggerFaults(trigger: unknown): readonly BodyFault[] {
  const named = (["event", "schedule", "hook"] as const).filter(
    (kind) => typeof trigger === "object" && trigger !== null && Object.hasOwn(trigger, kind),
  );
  const [kind] = named;
  if (kind === undefined || named.length > 1)
    return [{ pointer: "", code: "one_of", detail: "must have one of `event`, `schedule` and `hook`" }];
  return compiled()[kind](trigger);
}

export const sourceOf = (bytes: Buffer): { source: string } => ({ source: utf8(bytes) });

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const detail = "The file is not UTF-8. Save it in that encoding.";
    throw refuse(malformedBody, detail, { errors: [{ pointer: "", code: "not_utf8", detail }] });
  }
}

import type { WorkflowDefinition } from "@aos/workflow";
import { type Static, Type } from "typebox";
import { closed } from "../../kernel/schema-words.ts";

/** A definition in a body: its form is checked by the operation, which says more than the schema of the API could. */
export const DefinitionValue = Type.Unsafe<WorkflowDefinition>(
  Type.Record(Type.String(), Type.Unknown(), {
    description: "A workflow as its file says it, in JSON. Its JSON Schema is at `/workflow.schema.json`.",
  }),
);

/** Something that is wrong with a workflow, or deserves a look. */
export const Finding = Type.Object(
  {
    severity: Type.Enum(["error", "warning"] as const, { description: "With errors a draft cannot be published." }),
    pointer: Type.String({ description: "The place in the definition, as a JSON Pointer." }),
    code: Type.String({ description: "Such as `unknown_step`, `type_mismatch`, `not_there`." }),
    detail: Type.String(),
    line: Type.Optional(Type.Integer({ minimum: 1, description: "Of the text, where it came as one." })),
    column: Type.Optional(Type.Integer({ minimum: 1, description: "In characters, from 1." })),
  },
  closed,
);
export type Finding = Static<typeof Finding>;

export const Findings = Type.Array(Finding, { description: "In the order of the text; at most 500." });

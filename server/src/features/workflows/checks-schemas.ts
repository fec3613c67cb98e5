import { type WorkflowDefinition as Definition, WorkflowDefinition as DefinitionSchema } from "@aos/workflow";
import { type Static, type TUnsafe, Type } from "typebox";
import { closed, nullable } from "../../kernel/schema-words.ts";
import { ordinal } from "../../kernel/whole-numbers.ts";

// What is said of a workflow before it runs: findings, a trial, its graph, and one made from words.

const WorkflowDefinition = DefinitionSchema as unknown as TUnsafe<Definition>;

export const Finding = Type.Object(
  {
    severity: Type.Enum(["error", "warning"] as const, {
      description: "An error keeps the workflow from being published, a warning does not.",
    }),
    pointer: Type.String({ description: "The place in the definition, as a JSON Pointer." }),
    code: Type.String({ description: "What is wrong, for programs, such as `unknown_step` or `type_mismatch`." }),
    detail: Type.String({ description: "What is wrong and how to correct it, for people." }),
    line: Type.Optional(Type.Integer({ minimum: 1, description: "Line of the text, where it came as one." })),
    column: Type.Optional(Type.Integer({ minimum: 1, description: "Column in that line, in characters." })),
  },
  { ...closed, description: "Something that is wrong with a workflow, or that deserves a look." },
);
export type Finding = Static<typeof Finding>;

export const WorkflowDraftBody = Type.Record(Type.String(), Type.Unknown(), {
  description:
    "A definition, member by member, or as a text by `source` (YAML or JSON); `{}` stands for the draft as it is saved.",
});
export type WorkflowDraftBody = Readonly<Record<string, unknown>>;

export const WorkflowCheck = Type.Object(
  {
    publishable: Type.Boolean({ description: "Whether nothing of it is an error in the environment of the key." }),
    definition: nullable(WorkflowDefinition, "What was checked; null where it has not the form of a workflow."),
    findings: Type.Array(Finding, {
      description: "In the order of the text, at most 500. With `source` each has its line and column.",
    }),
  },
  { description: "What is wrong with a workflow as the environment of the key stands." },
);
export type WorkflowCheck = Static<typeof WorkflowCheck>;

const SchemaOf = (of: string) => Type.Record(Type.String(), Type.Unknown(), { description: `JSON Schema of ${of}.` });

const kinds = ["agent", "tool", "approval", "wait", "parallel", "workflow", "set", "end"] as const;

export const StepType = Type.Object(
  {
    kind: Type.Enum(kinds),
    title: Type.String(),
    description: Type.String(),
    schema: SchemaOf("the member that makes a step of this kind"),
    takes: Type.Array(Type.String(), { description: "Further members that a step of this kind may have." }),
    output: Type.String({ description: "What `steps.<id>.output` is." }),
    example: Type.String({ description: "A step of this kind, as YAML." }),
  },
  { description: "A kind of step." },
);
export type StepType = Static<typeof StepType>;

export const StepTypes = Type.Object({
  data: Type.Array(StepType),
  common: SchemaOf("the members that steps of every kind may have"),
  schema_url: Type.String({ description: "JSON Schema of a whole file, for editors." }),
});

export const WorkflowGraphNode = Type.Object({
  id: Type.String({ description: "The step's id; of a trigger, `trigger:` and its position." }),
  kind: Type.Enum([...kinds, "trigger"] as const, { description: "The step's kind, or `trigger`." }),
  title: Type.String(),
  pointer: Type.String({ description: "JSON Pointer to it in the definition." }),
  parent: nullable(Type.String(), "The step `parallel` in one of whose branches it stands."),
  branch: nullable(Type.String()),
  condition: nullable(Type.String(), "Its `when`."),
  loop: nullable(Type.String(), "The list of its `for_each`."),
  undo: nullable(Type.String(), "What undoes it: an agent's skill, or a tool."),
});
export const WorkflowGraphEdge = Type.Object({
  from: Type.String(),
  to: Type.String(),
  kind: Type.Enum(["needs", "branch", "covers", "triggers"] as const, {
    description:
      "`needs`: `to` begins after `from`; `branch`: `to` begins a branch of `from`; `covers`: people approve `to` by `from`; `triggers`: `from` begins the run.",
  }),
});
export const WorkflowGraph = Type.Object(
  {
    workflow: Type.String(),
    version: nullable(Type.Integer({ minimum: 1 }), "Null: the draft."),
    nodes: Type.Array(WorkflowGraphNode, { description: "In the order of the file, triggers first." }),
    edges: Type.Array(WorkflowGraphEdge),
  },
  { description: "A workflow as a graph." },
);
export type WorkflowGraph = Static<typeof WorkflowGraph>;
export const graphQuery = Type.Object(
  { version: Type.Optional(ordinal("A version, by its number. Default: the draft.")) },
  closed,
);

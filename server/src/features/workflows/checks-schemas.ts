import { type WorkflowDefinition as Definition, WorkflowDefinition as DefinitionSchema } from "@aos/workflow";
import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
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

export const WorkflowDraftBody = Type.Object(
  {
    source: Type.Optional(Type.String({ maxLength: 1_048_576, description: "A definition as text, YAML or JSON." })),
  },
  {
    additionalProperties: true,
    description:
      "A definition: its members, or a text by `source` alone. `{}` stands for the draft as it is saved. What has not the form of a workflow is answered as findings.",
  },
);
export type WorkflowDraftBody = { readonly source?: string } & Readonly<Record<string, unknown>>;

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
    yaml: Type.String({ description: "A step of this kind as a file has it." }),
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

const perStep = <T extends TSchema>(value: T, description: string) =>
  Type.Optional(Type.Record(Type.String({ maxLength: 64 }), value, { description }));

export const TestWorkflowBody = Type.Object(
  {
    definition: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "A definition instead of the saved draft." }),
    ),
    source: Type.Optional(Type.String({ maxLength: 1_048_576, description: "A text instead of the saved draft." })),
    version: Type.Optional(ordinal("A version instead of the draft.")),
    step: Type.Optional(
      Type.String({ description: "This step alone: the others count as completed with their `outputs`." }),
    ),
    input: Type.Optional(Type.Unknown({ description: "The run's input. Default `{}`." })),
    event: Type.Optional(Type.Unknown({ description: "The event that began the run." })),
    outputs: perStep(
      Type.Unknown(),
      "What steps answer, by their ids. A loop takes a list with an answer per item, or one for all. An approval is given unless `failures` says `rejected`.",
    ),
    failures: perStep(
      Type.Object(
        {
          code: Type.String({ maxLength: 64 }),
          detail: Type.Optional(Type.String({ maxLength: 500 })),
          times: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 100, description: "How many attempts fail. Default: all." }),
          ),
        },
        closed,
      ),
      "How steps fail, by their ids.",
    ),
    events: perStep(Type.Unknown(), "The events for which steps wait, by the steps' ids. Without one a wait runs out."),
  },
  closed,
);
export type TestWorkflowBody = Static<typeof TestWorkflowBody>;

const TrialFailure = Type.Object({ code: Type.String(), detail: Type.String() });

export const WorkflowTrialStep = Type.Object({
  step: Type.String(),
  status: Type.String({ description: "Where the step stood then." }),
  attempt: Type.Integer({ minimum: 0 }),
  at: Type.Number({ minimum: 0, description: "Seconds since the run began, by its own clock." }),
  action: Type.Optional(Type.Unknown({ description: "What it would have called, its expressions resolved." })),
  output: Type.Optional(Type.Unknown()),
  failure: Type.Optional(TrialFailure),
  undo: Type.Optional(Type.String({ description: "`running`, `done` or `failed`, where it is undone." })),
});

export const WorkflowTrial = Type.Object(
  {
    status: Type.String({
      description:
        "As of a run; `stopped` where something was not given, `invalid` where the workflow has errors that let no run begin.",
    }),
    output: Type.Optional(Type.Unknown({ description: "The run's output; of a step alone, that step's." })),
    failure: Type.Optional(TrialFailure),
    path: Type.Array(WorkflowTrialStep, { description: "What happened, in order, at most 2,000 entries." }),
    missing: Type.Array(Type.String(), { description: "Steps for which nothing was given: add them to `outputs`." }),
    findings: Type.Array(Finding, { description: "What is wrong with it in the environment of the key." }),
  },
  { description: "A run in memory. Nothing outside has happened." },
);
export type WorkflowTrial = Static<typeof WorkflowTrial>;

export const GenerateWorkflowBody = Type.Object(
  {
    description: Type.String({
      minLength: 3,
      maxLength: 4000,
      description: "What the workflow is to do, in plain words.",
    }),
    name: Type.Optional(
      Type.String({ pattern: "^[a-z][a-z0-9_-]{0,63}$", description: "Its name. Default: made of the description." }),
    ),
    model: Type.Optional(
      Type.Object(
        {
          connection: Type.String({ maxLength: 64, description: "A connection to a provider of models." }),
          name: Type.String({ minLength: 1, maxLength: 200, description: "The model's name at the provider." }),
        },
        {
          ...closed,
          description: "Who writes it. Default: the model of an agent that is deployed here; else a template is taken.",
        },
      ),
    ),
  },
  closed,
);
export type GenerateWorkflowBody = Static<typeof GenerateWorkflowBody>;

export const GeneratedWorkflow = Type.Object(
  {
    made_by: Type.Enum(["model", "template"] as const),
    model: nullable(Type.String(), "The model that wrote it."),
    template: nullable(Type.String(), "The template that it was made from."),
    note: Type.String({ description: "How it came about, for people." }),
    source: Type.String({ description: "The draft as YAML. Nothing is saved: create the workflow with it." }),
    definition: nullable(WorkflowDefinition, "Null where the model's answer has not the form of a workflow."),
    findings: Type.Array(Finding, { description: "What is wrong with it, with line and column in `source`." }),
  },
  { description: "A draft from plain words. Read it before you publish it." },
);
export type GeneratedWorkflow = Static<typeof GeneratedWorkflow>;

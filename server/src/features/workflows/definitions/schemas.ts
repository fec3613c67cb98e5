import { type WorkflowDefinition as Definition, WorkflowDefinition as DefinitionSchema } from "@aos/workflow";
import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
import { environments } from "../../../kernel/principal.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { TextDiff } from "../../agents/schemas.ts";

// Workflows, their drafts, versions and releases.

export {
  AgentCall as WorkflowAgentCall,
  ApprovalRequest as WorkflowApprovalRequest,
  Compensation as WorkflowCompensation,
  EventTrigger as WorkflowEventTrigger,
  EventWait as WorkflowEventWait,
  ForEach as WorkflowForEach,
  HookTrigger as WorkflowHookTrigger,
  Retry as WorkflowRetry,
  ScheduleTrigger as WorkflowScheduleTrigger,
  Step as WorkflowStep,
  ToolCall as WorkflowToolCall,
  Wait as WorkflowWait,
  WorkflowCall,
} from "@aos/workflow";

export const workflowNamePattern = "^[a-z][a-z0-9_-]{0,63}$";
/** In a path: another text names no workflow, which is 404. */
export const WorkflowName = Type.String({ description: "The workflow's name." });

/**
 * A workflow as its file says it. Bodies are checked by `formFaults`, which says more than a schema could, and versions that were frozen are shown as they were.
 */
export const WorkflowDefinition = Type.Unsafe<Definition>({ type: "object" });
export type WorkflowDefinition = Definition;

export const WorkflowFinding = Type.Object(
  {
    severity: Type.Enum(["error", "warning"] as const, {
      description: "An error keeps the workflow from being published, a warning does not.",
    }),
    pointer: Type.String({ description: "The place in the definition, as a JSON Pointer." }),
    code: Type.String({ description: "What is wrong, for programs." }),
    detail: Type.String({ description: "What is wrong and how to correct it, for people." }),
    line: Type.Optional(Type.Integer({ minimum: 1, description: "Line in `source`, where there is one." })),
    column: Type.Optional(Type.Integer({ minimum: 1, description: "Column in that line, in characters." })),
  },
  { description: "Something that is wrong with a workflow, or that deserves a look." },
);
export type WorkflowFinding = Static<typeof WorkflowFinding>;

export const WorkflowSuccessRate = Type.Object(
  {
    rate: Type.Number({ minimum: 0, maximum: 1, description: "The share of runs that completed." }),
    low: Type.Number({ minimum: 0, maximum: 1, description: "Lower end of its 95 % interval." }),
    high: Type.Number({ minimum: 0, maximum: 1, description: "Upper end of its 95 % interval." }),
    runs: Count("Runs that it was counted from."),
  },
  {
    description:
      "Of the newest 500 runs that began within the last 30 days in the environment of the key and have ended, cancelled ones left out.",
  },
);
export type WorkflowSuccessRate = Static<typeof WorkflowSuccessRate>;

export const WorkflowLastRun = Type.Object(
  { run_id: Type.String({ description: "`wfr_…`" }), status: Type.String(), created_at: Time },
  { description: "The newest run in the environment of the key." },
);

export const WorkflowStatus = Type.Enum(["draft", "live", "archived"] as const, {
  description: "`live`: a version of it is live in the environment of the key.",
});

const summaryMembers = {
  name: WorkflowName,
  description: Type.String({ description: "What it is for." }),
  owner: Type.String({ description: "The member who answers for it, `mbr_…`." }),
  status: WorkflowStatus,
  live_version: nullable(Type.Integer({ minimum: 1 }), "The version that is live in the environment of the key."),
  latest_version: nullable(Type.Integer({ minimum: 1 }), "The newest version; null: none was published yet."),
  paused: Type.Boolean({ description: "Whether its triggers are off in the environment of the key." }),
  success_rate: nullable(WorkflowSuccessRate, "Null where no run has ended."),
  last_run: nullable(WorkflowLastRun, "Null where there is none."),
  revision: Type.Integer({ minimum: 1, description: "Counts the changes of the draft; also its ETag." }),
  created_at: Time,
  updated_at: Time,
};

export const WorkflowSummary = Type.Object(summaryMembers, {
  description: "A workflow in the environment of the key.",
});
export type WorkflowSummary = Static<typeof WorkflowSummary>;

export const WorkflowPause = Type.Object(
  { reason: Type.String(), since: Time, by: Type.String({ description: "Who paused it, by id." }) },
  { description: "Since when and why its triggers are off." },
);

export const WorkflowArchival = Type.Object(
  { reason: Type.String(), since: Time, by: Type.String({ description: "Who archived it, by id." }) },
  { description: "Since when and why it is out of service." },
);

export const Workflow = Type.Object(
  {
    ...summaryMembers,
    draft: WorkflowDefinition,
    source: Type.Optional(
      Type.String({ description: "The draft's text, with its comments, where it came as a file." }),
    ),
    version: nullable(
      Type.Integer({ minimum: 1 }),
      "The version that `draft` and `source` are of, where one was asked for; null: the draft.",
    ),
    findings: Type.Array(WorkflowFinding, {
      description: "Findings of the draft in the environment of the key, in the order of the text; at most 500.",
    }),
    pause: nullable(WorkflowPause, "Null where it is not paused."),
    archived: nullable(WorkflowArchival, "Null where it is not archived."),
  },
  { description: "A workflow with its draft." },
);
export type Workflow = Static<typeof Workflow>;

export const ArchivedWorkflow = Type.Object(
  {
    ...Workflow.properties,
    environment: Type.Enum(environments, { description: "The environment of the key." }),
    live_elsewhere: Type.Array(Type.Enum(environments), {
      description:
        "The other environments in which it is still live. Where there are any, it was only taken out of service here, and `status` is not `archived`: archive it with a key of each of them.",
    }),
  },
  { description: "A workflow after it was archived in the environment of the key." },
);

const source = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1_048_576,
    description:
      "The whole definition as the text of a file, YAML or JSON, instead of the other members. It is kept with its comments.",
  }),
);
const { workflow, steps, ...others } = DefinitionSchema.properties;
const draftMembers = { workflow: Type.Optional(workflow), ...others, steps: Type.Optional(steps), source };

/** Validated by the operation, as `WorkflowDefinition`. */
const bodyOf = (description: string) =>
  Type.Unsafe<Partial<Definition> & { source?: string }>({
    type: "object",
    description,
    "x-described": Type.Object(draftMembers, { ...closed, minProperties: 1 }),
  });

export const CreateWorkflowBody = bodyOf(
  "A new workflow: its definition, member by member with `workflow` and `steps` at least, or as a text by `source`.",
);
export type CreateWorkflowBody = Static<typeof CreateWorkflowBody>;

export const ReplaceWorkflowBody = bodyOf(
  "The whole draft, member by member with `steps` at least, or as a text by `source`. What it leaves out is taken away.",
);
export type ReplaceWorkflowBody = Static<typeof ReplaceWorkflowBody>;

const Note = Type.String({ maxLength: 500, description: "What is new in it, for people." });
const versionMembers = {
  workflow: WorkflowName,
  number: ordinal("Versions of a workflow are numbered from 1."),
  version_id: Type.String({ description: "`wfv_…`" }),
  digest: Type.String({ description: "SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785)." }),
  note: Type.String({ description: "What is new in it." }),
  author: Type.String({ description: "Who published it, by id." }),
  created_at: Time,
  live: Type.Boolean({ description: "Whether it is live in the environment of the key." }),
};

export const WorkflowVersionSummary = Type.Object(versionMembers, {
  description: "A version of a workflow. It never changes.",
});
export type WorkflowVersionSummary = Static<typeof WorkflowVersionSummary>;

const wholeVersion = {
  ...versionMembers,
  definition: WorkflowDefinition,
  source: Type.Optional(Type.String({ description: "Its text, where it came as a file." })),
  pinned: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description: "Versions of the workflows that its steps start without naming one, by their names.",
  }),
};

export const PublishWorkflowBody = Type.Object(
  {
    note: Type.Optional(Note),
    version: Type.Optional(
      ordinal("A version that was published before, such as in another environment. Default: the draft."),
    ),
  },
  closed,
);

export const RollBackWorkflowBody = Type.Object(
  {
    reason: Type.String({ minLength: 1, maxLength: 500, description: "Why; kept with the release." }),
    to: Type.Optional(ordinal("A version that was live here before. Default: the last one that no rollback has left.")),
  },
  closed,
);

export const WorkflowRelease = Type.Object(
  {
    ...wholeVersion,
    release_id: Type.String({ description: "`wrl_…`" }),
    kind: Type.Enum(["publish", "rollback"] as const),
    previous_version: nullable(Type.Integer({ minimum: 1 }), "The version that was live before; null: none."),
    findings: Type.Array(WorkflowFinding, { description: "Warnings; with an error nothing is published." }),
  },
  { description: "The version that is live now in the environment of the key." },
);
export type WorkflowRelease = Static<typeof WorkflowRelease>;

export const ArchiveWorkflowBody = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 500, description: "Why; people see it with the workflow." }) },
  closed,
);

export const PauseWorkflowBody = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 500, description: "Why; people see it with the workflow." }) },
  closed,
);

export const WorkflowVersionChange = Type.Object(
  {
    pointer: Type.String({
      description: "JSON Pointer to it in the later definition; of something removed, in the earlier one.",
    }),
    from: Type.Optional(
      Type.String({ description: "JSON Pointer to it in the earlier definition, where that is another one." }),
    ),
    path: Type.Array(Type.String(), { description: "The same way in words: steps by id instead of by position." }),
    kind: Type.Enum(["added", "removed", "changed", "moved"] as const, {
      description: "What happened to it. `moved`: only its position in its list changed.",
    }),
    before: Type.Optional(Type.Unknown({ description: "The earlier value; of something moved, its position from 0." })),
    after: Type.Optional(Type.Unknown({ description: "The later value; of something moved, its position from 0." })),
    text: Type.Optional(TextDiff),
  },
  { description: "One field that differs." },
);

export const WorkflowDiff = Type.Object(
  {
    against: ordinal("The version that it was compared with."),
    summary: Type.String({ description: "The difference in a few words, such as `1 step added, limits changed`." }),
    identical: Type.Boolean({ description: "Whether they say the same." }),
    before_digest: Type.String({ description: "SHA-256 of the earlier definition's canonical JSON." }),
    after_digest: Type.String({ description: "SHA-256 of the later definition's canonical JSON." }),
    changes: Type.Array(WorkflowVersionChange, { description: "Every difference, in the order of the file." }),
  },
  { description: "How two definitions of a workflow differ, field by field." },
);
export type WorkflowDiff = Static<typeof WorkflowDiff>;

const { against: _, ...compared } = WorkflowDiff.properties;

export const WorkflowComparison = Type.Object(
  {
    ...compared,
    findings: Type.Array(WorkflowFinding, { description: "What is wrong with what was sent." }),
  },
  { description: "How the draft would change." },
);

export const WorkflowVersion = Type.Object(
  {
    ...wholeVersion,
    diff: nullable(WorkflowDiff, "From what `against` names to this version; null where nothing was asked for."),
  },
  { description: "A version with its definition." },
);
export type WorkflowVersion = Static<typeof WorkflowVersion>;

// What is said of a workflow before it runs: findings, a trial, its graph, and one made from words.

const FullDefinition = DefinitionSchema as unknown as TUnsafe<Definition>;

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
      "A definition: its members, or a text by `source` alone. `{}` means the saved draft. Malformed definitions are reported as findings.",
  },
);
export type WorkflowDraftBody = { readonly source?: string } & Readonly<Record<string, unknown>>;

export const WorkflowCheck = Type.Object(
  {
    publishable: Type.Boolean({ description: "Whether nothing of it is an error in the environment of the key." }),
    definition: nullable(FullDefinition, "What was checked; null where it has not the form of a workflow."),
    findings: Type.Array(Finding, {
      description: "In the order of the text, at most 500. With `source` each has its line and column.",
    }),
  },
  { description: "Findings of a workflow in the environment of the key." },
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
  parent: nullable(Type.String(), "The `parallel` step that it is a branch of."),
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
    definition: nullable(FullDefinition, "Null where the model's answer has not the form of a workflow."),
    findings: Type.Array(Finding, { description: "What is wrong with it, with line and column in `source`." }),
  },
  { description: "A draft from plain words. Read it before you publish it." },
);
export type GeneratedWorkflow = Static<typeof GeneratedWorkflow>;

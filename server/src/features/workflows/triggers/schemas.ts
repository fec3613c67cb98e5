import { EventTrigger, HookTrigger, ScheduleTrigger, Trigger } from "@aos/workflow";
import { type Static, Type } from "typebox";
import { SecretWithheld } from "../../../kernel/idempotency.ts";
import { closed, nullable, stoppedMembers, Time } from "../../../kernel/schema-words.ts";

export const WorkflowTriggerId = Type.String({ description: "The trigger's id, `wtr_…`." });
export const WorkflowTriggerDefinition = Type.Union([EventTrigger, ScheduleTrigger, HookTrigger], {
  description:
    "As in a file: `event` (the type of an event, also one that an inbound hook publishes), `schedule` or `hook`.",
});

export const WorkflowTriggerFailure = Type.Object(
  {
    code: Type.String({ description: "For programs, as in problems." }),
    detail: Type.String({ description: "For people." }),
    at: Time,
  },
  { description: "Why a trigger started no run." },
);

export const WorkflowTrigger = Type.Object(
  {
    trigger_id: WorkflowTriggerId,
    workflow: Type.String(),
    kind: Type.Enum(["schedule", "event", "hook"] as const),
    definition: Trigger,
    origin: Type.Enum(["version", "added"] as const, {
      description: "`version`: part of the live version, and changes with it. `added`: added by a call.",
    }),
    runs_as: Type.String({ description: "The member or service account whose permissions its runs have, by id." }),
    active: Type.Boolean({
      description: "False while it is stopped, the workflow is paused here, or no version is live.",
    }),
    ...stoppedMembers,
    next_at: nullable(Time, "When a schedule is due next. Null: no schedule, or it never comes again."),
    last_at: nullable(Time, "The time or event for which it last started a run."),
    last_run: nullable(Type.String(), "The run that it last started."),
    last_error: nullable(
      WorkflowTriggerFailure,
      "Why it last failed to start a run; null: it never did, or has started one since.",
    ),
    created_at: Time,
  },
  { description: "Starts runs of a workflow automatically, in one environment." },
);
export type WorkflowTrigger = Static<typeof WorkflowTrigger>;

export const AddWorkflowTriggerBody = Type.Object(
  { definition: WorkflowTriggerDefinition },
  {
    ...closed,
    description: "A trigger besides those of the live version. It stays when another version is published.",
  },
);
export type AddWorkflowTriggerBody = Static<typeof AddWorkflowTriggerBody>;

export const RemovedWorkflowTrigger = Type.Object({ trigger_id: WorkflowTriggerId, removed: Type.Literal(true) });

export const hookNamePattern = "^[a-z][a-z0-9_-]{0,63}$";
/** In a path: another text names no hook, which is 404. */
export const HookName = Type.String({ description: "The hook's name." });

export const CreateHookBody = Type.Object(
  {
    name: Type.String({
      pattern: hookNamePattern,
      description: "Its name, and the end of its address: lowercase letters, digits, `_` and `-`.",
    }),
    description: Type.Optional(Type.String({ maxLength: 500, description: "Who calls it and why, for people." })),
  },
  closed,
);

export const Hook = Type.Object(
  {
    name: Type.String(),
    url: Type.String({
      description:
        "Where the other service sends. It is the same in every environment: the secret that signs decides which one takes the call.",
    }),
    description: Type.String(),
    secret_overlap_until: nullable(Time, "Until when calls signed with an earlier secret are taken, too; null: none."),
    created_by: Type.String({ description: "Who made it, by id." }),
    created_at: Time,
    updated_at: Time,
  },
  { description: "An inbound hook: who has its secret can publish events here." },
);
export type Hook = Static<typeof Hook>;

const Secret = Type.Optional(
  Type.String({
    description:
      "`whsec_` and the base64 of 32 bytes, for a sender of Standard Webhooks. It is shown this once and cannot be read again.",
  }),
);
export const CreatedHook = Type.Object({ ...Hook.properties, secret: Secret, secret_withheld: SecretWithheld });
export const RotateHookSecretBody = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description:
          "How long calls signed with the secret that was replaced are taken, too; at most 7 days. 0: the new one alone.",
      }),
    ),
  },
  closed,
);
export const RemovedHook = Type.Object({ name: Type.String(), removed: Type.Literal(true) });

export const eventTypePattern = "^[A-Za-z0-9][A-Za-z0-9_./:-]{0,127}$";

export const SignalRunBody = Type.Object(
  {
    event: Type.String({
      pattern: eventTypePattern,
      description: "The type of event that a step of the run waits for. Types of the event catalogue are not taken.",
    }),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "The event's body: `event` in expressions." }),
    ),
  },
  closed,
);
export type SignalRunBody = Static<typeof SignalRunBody>;

export const RunSignal = Type.Object(
  {
    run_id: Type.String(),
    event: Type.String(),
    awaited: Type.Boolean({
      description: "Whether a step waits for it now. If none does yet, the step that will takes it once it begins.",
    }),
  },
  { description: "A signal that the run was given." },
);

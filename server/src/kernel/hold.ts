import { type Static, type TUnsafe, Type } from "typebox";
import { isoTime } from "./clock.ts";
import { nullable, Time } from "./schema-words.ts";

export const holdKinds = ["kill_switch", "gate", "budget", "pause", "question", "approval", "policy"] as const;

const HoldShape = Type.Object(
  {
    kind: Type.Enum(holdKinds, {
      description:
        "`question`: a person is asked, by a task, a mission, or a conversation that was handed to people. `policy`: a policy refused it, and it can be tried again.",
    }),
    source: Type.String({
      description:
        "Which one: the id of the kill switch, approval, policy, task, conversation, decision, run or mission, the agent of a pause or gate, or the scope of the budget.",
    }),
    text: Type.String({ description: "What holds it and why, for people." }),
    since: nullable(Time, "Null: not known."),
    lifted_by: Type.String({
      description: "The permission of those who can lift it, such as `approvals:decide`. Further rules may apply.",
    }),
    remedy: Type.String({ description: "What to do, with the call that does it." }),
    url: Type.String({ description: "The page of the portal where people see to it." }),
  },
  { description: "What keeps work from going on until somebody acts." },
);

declare const made: unique symbol;

/**
 * What holds a task, step, run, approval, conversation or mission. The type has no constructor besides {@link makeHold}: a view that shows `held_by` has it from
 * there.
 */
export type Hold = Static<typeof HoldShape> & { readonly [made]: true };
export const Hold = HoldShape as unknown as TUnsafe<Hold>;

/** `held_by` of whatever can be held. */
export const HeldBy = nullable(Hold, "What holds it now; null: nothing.");

/** What can hold work. `id` is the source's; `text` is a sentence; `afterwards` what is left to do once it is lifted. */
export type HoldSource = {
  readonly text: string;
  readonly since: Date | string | null;
  readonly afterwards?: string;
} & (
  | { readonly of: "kill_switch"; readonly id: string; readonly agent: string | null }
  | { readonly of: "agent_pause" | "gate"; readonly id: string }
  | { readonly of: "budget"; readonly id: string }
  | { readonly of: "mission" | "mission_budget"; readonly id: string }
  | { readonly of: "decision"; readonly id: string; readonly mission: string }
  | { readonly of: "run"; readonly id: string; readonly workflow: string }
  | { readonly of: "cost_limit"; readonly id: string; readonly workflow: string }
  | { readonly of: "task_question" | "task_pause"; readonly id: string }
  | { readonly of: "policy"; readonly id: string; readonly task: string }
  | { readonly of: "approval" | "changes"; readonly id: string; readonly task: string }
  | { readonly of: "handoff"; readonly id: string }
);
type Source<K extends HoldSource["of"]> = Extract<HoldSource, { of: K }>;

interface Words<S> {
  readonly kind: Hold["kind"];
  readonly liftedBy: string;
  readonly remedy: (source: S) => string;
  /** The path of the portal's page. */
  readonly page: (source: S) => string;
}

const runPage = ({ id, workflow }: { readonly id: string; readonly workflow: string }): string =>
  `/workflows/${workflow}/runs/${id}`;

const words: { readonly [K in HoldSource["of"]]: Words<Source<K>> } = {
  kill_switch: {
    kind: "kill_switch",
    liftedBy: "governance:release",
    remedy: ({ id }) => `Release it: DELETE /v1/governance/kill-switch/${id}.`,
    page: ({ agent }) => (agent === null ? "/policies" : `/agents/${agent}`),
  },
  agent_pause: {
    kind: "pause",
    liftedBy: "agents:pause",
    remedy: ({ id }) => `Resume the agent: POST /v1/agents/${id}/resume.`,
    page: ({ id }) => `/agents/${id}`,
  },
  gate: {
    kind: "gate",
    liftedBy: "evaluations:write",
    remedy: ({ id }) =>
      `Evaluate the version: POST /v1/evaluations/runs; or change the gate: PUT /v1/evaluations/gates/${id}.`,
    page: ({ id }) => `/agents/${id}`,
  },
  budget: {
    kind: "budget",
    liftedBy: "governance:write",
    remedy: ({ id }) => `Raise it: PUT /v1/governance/budgets/${id}; or wait for its next window.`,
    page: () => "/analytics/budgets",
  },
  mission: {
    kind: "pause",
    liftedBy: "missions:run",
    remedy: ({ id }) => `Start the mission again: POST /v1/missions/${id}/start.`,
    page: ({ id }) => `/missions/${id}`,
  },
  mission_budget: {
    kind: "budget",
    liftedBy: "missions:write",
    remedy: ({ id }) => `Wait for tasks under way, or raise the mission's budget: PATCH /v1/missions/${id}.`,
    page: ({ id }) => `/missions/${id}`,
  },
  decision: {
    kind: "question",
    liftedBy: "missions:run",
    remedy: ({ id, mission }) => `Answer it: POST /v1/missions/${mission}/decisions/${id}.`,
    page: ({ mission }) => `/missions/${mission}`,
  },
  run: {
    kind: "pause",
    liftedBy: "workflows:run",
    remedy: ({ id, workflow }) => `Resume it: POST /v1/workflows/${workflow}/runs/${id}/control with action resume.`,
    page: runPage,
  },
  cost_limit: {
    kind: "budget",
    liftedBy: "workflows:run",
    remedy: () => "Wait until steps under way have ended and given back what they do not use.",
    page: runPage,
  },
  task_question: {
    kind: "question",
    liftedBy: "tasks:write",
    remedy: ({ id }) => `Answer it: POST /v1/tasks/${id}/input.`,
    page: ({ id }) => `/tasks/${id}`,
  },
  task_pause: {
    kind: "pause",
    liftedBy: "tasks:write",
    remedy: ({ id }) => `Resume the task: POST /v1/tasks/${id}/resume.`,
    page: ({ id }) => `/tasks/${id}`,
  },
  policy: {
    kind: "policy",
    liftedBy: "governance:write",
    remedy: ({ id }) => `Change the policy: PUT /v1/governance/policies/${id}.`,
    page: ({ id, task }) => (id === task ? `/tasks/${task}` : `/policies/${id}`),
  },
  approval: {
    kind: "approval",
    liftedBy: "approvals:decide",
    remedy: ({ id }) => `Decide on it: POST /v1/approvals/${id}/approve or …/reject.`,
    page: ({ task }) => `/approvals/${task}`,
  },
  changes: {
    kind: "approval",
    liftedBy: "tasks:write",
    remedy: ({ task }) => `Change its input: PATCH /v1/tasks/${task}; its approval is then requested again.`,
    page: ({ task }) => `/approvals/${task}`,
  },
  handoff: {
    kind: "question",
    liftedBy: "chat:answer",
    remedy: ({ id }) => `Take it: POST /v1/chat/conversations/${id}/take.`,
    page: ({ id }) => `/conversations/${id}`,
  },
};

/** Makes a hold: the only place that does. `behind` is what holds the work once this is lifted, and is shown with it. */
export function makeHold(
  source: HoldSource,
  { appUrl }: { readonly appUrl: string },
  behind: Hold | null = null,
): Hold {
  const { kind, liftedBy, remedy, page } = words[source.of] as Words<HoldSource>;
  return {
    kind,
    source: source.id,
    text: behind === null ? source.text : `${source.text} Then: ${behind.text}`,
    since: timeOf(source.since),
    lifted_by: liftedBy,
    remedy: source.afterwards === undefined ? remedy(source) : `${remedy(source)} ${source.afterwards}`,
    url: `${appUrl}${page(source)}`,
  } as Hold;
}

/** The same hold, as it is shown of what contains the place that it holds, such as a run of its step. */
export const holdIn = (hold: Hold, place: string): Hold => ({ ...hold, text: `${place}: ${hold.text}` });

const timeOf = (at: HoldSource["since"]): string | null => (at === null || typeof at === "string" ? at : isoTime(at));

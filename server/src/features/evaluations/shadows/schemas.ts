import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";

const share = (description: string) => nullable(Type.Number(), description);

export const ShadowSummary = Type.Object(
  {
    deployment_id: Type.String({ description: "`dep_…`" }),
    agent: AgentName,
    version: Type.Integer({ description: "The version in shadow." }),
    state: Type.Enum(["shadow", "ended"] as const, { description: "Whether it still runs beside the live version." }),
    reason: nullable(Type.String(), "Why it ended."),
    share: Type.Integer({ description: "Percent of the live version's tasks that it repeats." }),
    budget: Type.Object({
      cost_usd: Type.Number({ description: "What it may cost in total." }),
      used_usd: Type.Number(),
      tasks: Type.Integer({ description: "Tasks that it may repeat in total." }),
      used_tasks: Type.Integer(),
    }),
    compared: Type.Integer({ description: "Tasks that both versions ran." }),
    same: Type.Object(
      {
        share: share("Among the compared ones; null: none yet."),
        low: share("Lower end of the 95 % interval."),
        high: share("Upper end of the 95 % interval."),
      },
      { description: "Tasks with the same result." },
    ),
    up_to_a_write: Type.Integer({
      description:
        "Compared only up to the first write: the shadow proposes it and it is withheld, so nobody knows what would have followed.",
    }),
    failed: Type.Object({ live: Type.Integer(), shadow: Type.Integer() }),
    cost_usd: Type.Object({ live: Type.Number(), shadow: Type.Number() }),
    mean_seconds: Type.Object({ live: Type.Number(), shadow: Type.Number() }),
    differences: Type.Array(
      Type.Object({
        pointer: Type.String({ description: "Such as `/output/amount` or `/write/tool`." }),
        runs: Type.Integer(),
      }),
      { description: "Where they differ most often." },
    ),
    skipped: Type.Array(Type.Object({ reason: Type.String(), runs: Type.Integer() }), {
      description:
        "Tasks that the shadow could not repeat through no fault of its own, such as an outage of a provider, or `budget_held`: runs in progress may use up the rest of the budget.",
    }),
    created_at: Time,
    ended_at: nullable(Time, "Null while it runs."),
  },
  { description: "A version in shadow: what it would have done, beside what the live version did." },
);
export type ShadowSummary = Static<typeof ShadowSummary>;

const Side = Type.Object({
  status: Type.String(),
  output: nullable(Type.Record(Type.String(), Type.Unknown())),
  failure: nullable(Type.String(), "The code of the failure."),
  calls: Type.Array(
    Type.Object({
      tool: Type.String(),
      effect: Type.Enum(["read", "write"] as const),
      arguments: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: "Calls of tools in their order; in shadow, those that write were only proposed." },
  ),
});

export const ShadowRun = Type.Object(
  {
    shadow_run_id: Type.String({ description: "`shr_…`" }),
    task_id: Type.String({ description: "The task of the live version." }),
    skill: Type.String(),
    state: Type.Enum(["queued", "running", "compared", "skipped"] as const),
    reason: nullable(Type.String(), "Why it was skipped."),
    same: nullable(Type.Boolean(), "Null: not compared."),
    up_to: nullable(Type.Enum(["write", "end"] as const), "How far both were compared."),
    differences: Type.Array(Type.Object({ pointer: Type.String(), live: Type.Unknown(), shadow: Type.Unknown() })),
    live: nullable(Side),
    shadow: nullable(Side),
    cost_usd: Type.Object({ live: Type.Number(), shadow: Type.Number() }),
    seconds: Type.Object({ live: Type.Number(), shadow: Type.Number() }),
    created_at: Time,
    finished_at: nullable(Time),
  },
  { description: "A task that both versions ran." },
);
export type ShadowRun = Static<typeof ShadowRun>;

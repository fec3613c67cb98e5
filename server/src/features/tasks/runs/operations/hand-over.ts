import { allowsHandoff, type HandoffCall } from "../../../../kernel/handoff.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { agentSeen } from "../../dispatch/rules.ts";
import type { Failure } from "../../schemas.ts";
import { stepSeal } from "../../steps/seal.ts";
import { insertStep, type NewStep } from "../../steps/store.ts";
import { conversationTurns } from "../conversation-turns.ts";
import { type LoadedTask, loadTask } from "../rules.ts";
import { leaseLostOf } from "../store.ts";

export interface HandOver {
  readonly task: string;
  readonly owner: string;
  readonly step: Pick<NewStep, "id" | "number" | "name" | "input">;
  readonly call: HandoffCall;
}

export type HandedOver =
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "refused"; readonly failure: Failure };

type Given = { params: HandOver; query: undefined; body: undefined; loaded: LoadedTask };

/** A run hands its conversation to a team that the agent's file names for this cause, and to no other, whatever a model was led to ask for. */
export const handOver: InsideOperation<HandOver, HandedOver> = defineInside({
  id: "tasks.handOver",
  summary: "Hand a conversation to a team",
  permission: exempt("a worker of the service itself; the agent's file says to whom"),
  load: (ctx, { task }: HandOver) => loadTask(ctx, task),
  gate: exempt("passed when the task was started"),
  compliance: governs("chat.handoff", (ctx, { params, loaded }: Given) => ({
    agent: agentSeen(ctx, loaded.agent),
    input: { team: params.call.team, cause: params.call.cause },
  })),
  audit: ({ params, loaded }) => ({
    object: loaded?.row.conversation ? `conversation:${loaded.row.conversation}` : `task:${params.task}`,
    task: loaded?.row.id ?? null,
    ...(loaded && { subject: loaded.row.subject }),
  }),
  errors: [conflict],
  async handle(ctx, { params: { task, owner, step, call }, loaded }): Promise<HandedOver> {
    const { row, definition, agent } = loaded;
    const handing = allowsHandoff(definition.handoff ?? {}, call) && row.conversation !== null;
    const text = handing
      ? await ctx.port(conversationTurns).handOver(ctx, row.conversation as string, { ...call, by: agent })
      : null;
    const failure = handing ? alreadyWithPeople : notAllowed(call);
    const end =
      text === null ? ({ state: "failed", failure } as const) : ({ state: "finished", output: { text } } as const);
    const written = {
      ...step,
      ...end,
      kind: "tool",
      verdict: text === null ? "deny" : "allow",
      seal: stepSeal(ctx.seals, ctx.scope, task, step.id, "output" in end ? end.output : undefined),
    } as const;
    if (!(await insertStep(ctx.db, { scope: ctx.scope, task, owner }, written))) throw await leaseLostOf(ctx, task);
    return text === null ? { kind: "refused", failure } : { kind: "done", text };
  },
});

const alreadyWithPeople: Failure = {
  code: "with_people",
  detail: "People have the conversation already, or it is closed.",
};
const notAllowed = ({ team, cause }: HandoffCall): Failure => ({
  code: "team_not_allowed",
  detail: `The agent's file allows no hand-over to ${team} for the cause ${cause}.`,
});

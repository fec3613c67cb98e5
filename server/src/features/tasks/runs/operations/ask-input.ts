import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { taskInputRequired } from "../../events.ts";
import { insertStep } from "../../steps/store.ts";
import type { Asked } from "../../tasks/row.ts";
import { findTask } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { auditOfTask } from "../rules.ts";
import { awaitInput, leaseLostOf } from "../store.ts";

export interface AskInput {
  readonly task: string;
  readonly owner: string;
  /** The question; its step is begun if it is not there yet. */
  readonly asked: Asked;
  /** The step that waits for the answer; null: it is in the journal. */
  readonly step: {
    readonly number: number;
    readonly name: string;
    readonly input: unknown;
    readonly state?: "unknown";
    readonly effect?: string;
  } | null;
}

/** A running task asks people for input, and holds no worker while it waits. */
export const askInput: InsideOperation<AskInput, { readonly trust_score: number }> = defineInside({
  id: "tasks.askInput",
  summary: "Ask people for input",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { task }: AskInput) => findTask(ctx, task),
  gate: exempt("waits, starts nothing"),
  compliance: exempt("asks people; what follows from their answer is governed step by step"),
  audit: ({ params, loaded, output }) => ({ ...auditOfTask(params.task, loaded), trust: output?.trust_score ?? null }),
  emits: [taskInputRequired],
  errors: [conflict],
  async handle(ctx, { params }): Promise<{ readonly trust_score: number }> {
    const { task, owner, asked, step } = params;
    const lease = { scope: ctx.scope, task, owner };
    if (step && !(await insertStep(ctx.db, lease, { id: asked.step_id, kind: "tool", ...step })))
      throw await leaseLostOf(ctx, task);
    const row = await awaitInput(ctx, lease, JSON.stringify(asked));
    const [body, place] = eventOf(row);
    // Events cannot be erased, so they quote nothing of a conversation.
    const question = row.conversation === null ? asked.text : "The question is in the conversation.";
    ctx.emit(taskInputRequired, { ...body, question }, place);
    return { trust_score: row.trust_score };
  },
});

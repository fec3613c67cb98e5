import { timestamp } from "../../../../kernel/clock.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { taskInputRequired } from "../../events.ts";
import { beginEffect } from "../../steps/effect-store.ts";
import { openAction } from "../../steps/store.ts";
import type { Asked, HandedCall } from "../../tasks/row.ts";
import type { TaskRow } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { auditOfTask, loadTask } from "../rules.ts";
import { awaitInput, leaseLostOf } from "../store.ts";

export interface HandCalls {
  readonly task: string;
  readonly owner: string;
  /** Begun steps of the run, each allowed as a call of its own. */
  readonly calls: readonly HandedCall[];
}

/** How long a caller has to bring the results, unless the version says otherwise (seconds). */
export const usualWait = 3_600;

/**
 * A running task hands calls out to the caller of its conversation, and holds no worker while it waits. From here on the caller can carry them out: the effects of writes
 * begin, with an outcome that nobody knows until the caller declares it.
 */
export const handCalls: InsideOperation<HandCalls, { readonly trust_score: number }> = defineInside({
  id: "tasks.handCalls",
  summary: "Hand calls out to the caller",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { task }: HandCalls) => loadTask(ctx, task),
  gate: exempt("waits, starts nothing"),
  compliance: exempt("each call was judged as a call of its own when it began"),
  audit: ({ params, loaded, output }) => ({
    ...auditOfTask(params.task, loaded?.row),
    trust: output?.trust_score ?? null,
  }),
  emits: [taskInputRequired],
  errors: [conflict],
  async handle(ctx, { params, loaded }): Promise<{ readonly trust_score: number }> {
    const { task, owner, calls } = params;
    const { tools, definition } = loaded;
    const writes = new Set(tools.flatMap(({ name, effect }) => (effect === "write" ? [name] : [])));
    for (const call of calls) if (writes.has(call.tool)) await begin(ctx, loaded.row, call);
    const seconds = definition.callers?.wait_seconds ?? usualWait;
    const row = await awaitInput(
      ctx,
      { task, owner },
      JSON.stringify(questionOf(calls, timestamp(ctx.now))),
      new Date(ctx.now + seconds * 1_000),
    );
    const [body, place] = eventOf(row);
    ctx.emit(taskInputRequired, { ...body, question: "Results of functions that the caller runs." }, place);
    return { trust_score: row.trust_score };
  },
});

function questionOf(calls: readonly HandedCall[], asked_at: string): Asked {
  const names = [...new Set(calls.map(({ tool }) => tool))].join(", ");
  return {
    step_id: calls[0]?.step_id ?? "",
    kind: "results",
    text: `It waits for results of ${names}, which its caller runs.`,
    options: null,
    calls,
    asked_at,
  };
}

async function begin(ctx: WriteContext, task: TaskRow, { step_id: step, number, tool }: HandedCall): Promise<void> {
  const open = await openAction(ctx, task.id, step);
  if (!open) throw await leaseLostOf(ctx, task.id);
  const { made, asked } = open;
  const given = { task, step, number, tool, arguments: {}, action: { made, asked }, target: "caller", effect: null };
  const begun = await beginEffect(ctx, given);
  await open.has(begun.row);
}

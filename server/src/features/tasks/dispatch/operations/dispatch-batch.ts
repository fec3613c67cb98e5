import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleBatch, exampleBatchResult } from "../../example.ts";
import { TaskBatch, TaskBatchResult } from "../../schemas.ts";
import { dispatchTask } from "./dispatch-task.ts";

export const dispatchBatch = defineBatch({
  id: "tasks.dispatchBatch",
  path: "/v1/tasks/batch",
  listed: true,
  summary: "Dispatch many tasks",
  description:
    "Each item is a dispatch of its own: judged by itself, recorded by itself, and accepted or refused without regard to the others. With an " +
    "Idempotency-Key the whole call can be repeated: what was accepted is not dispatched again, also where the first call broke off in the middle.",
  body: TaskBatch,
  bounds: { values: 50_000 },
  output: TaskBatchResult,
  example: { body: exampleBatch, output: exampleBatchResult },
  permission: "tasks:write",
  load: exempt("each item names its own agent"),
  narrowing: limitedTo("each item is a call of its own, held to the agent that it names"),
  gate: exempt("each item passes its own"),
  decides: "dispatch",
  compliance: governs("task.batch"),
  audit: ({ output }) => (output ? `batch:${output.batch_id}` : "tasks"),
  async handle(ctx, { body }) {
    const calls = body.items.map(async ({ agent, ...item }, index) => {
      const { status, body } = await ctx.call(dispatchTask, { params: { agent }, body: item, index });
      return { index, status, body };
    });
    const results = await Promise.all(calls);
    const succeeded = results.filter(({ status }) => status < 300).length;
    return { batch_id: ctx.id, succeeded, failed: results.length - succeeded, results };
  },
});

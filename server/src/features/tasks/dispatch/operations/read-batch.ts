import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleBatchState } from "../../example.ts";
import { BatchId, BatchState } from "../../schemas.ts";
import { batchState, findBatch } from "../batch-store.ts";

export const readBatch = defineRead({
  id: "tasks.readBatch",
  path: "/v1/tasks/batches/{batch}/state",
  summary: "Read what became of a batch",
  description: "How many of its tasks are in which state, what they cost, and whether all have ended.",
  params: Type.Object({ batch: BatchId }),
  output: BatchState,
  example: { params: { batch: exampleBatchState.batch_id }, output: exampleBatchState },
  permission: "tasks:read",
  load: (ctx, { batch }) => findBatch(ctx, batch),
  compliance: governs("task.read"),
  audit: ({ params }) => `batch:${params.batch}`,
  handle: (_ctx, { loaded }) => batchState(loaded),
});

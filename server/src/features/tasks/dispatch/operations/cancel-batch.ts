import { Type } from "typebox";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleBatchState, exampleCancelled } from "../../example.ts";
import { BatchId, CancelBody, CancelledTasks } from "../../schemas.ts";
import { findBatch, listOpenOfBatch } from "../batch-store.ts";
import { cancelEach } from "../cancel-many.ts";

export const cancelBatch = defineBatch({
  id: "tasks.cancelBatch",
  path: "/v1/tasks/batches/{batch}/cancel",
  summary: "Cancel what has not ended of a batch",
  description:
    "Each task is cancelled by a call of its own, with its own record. Tasks that have ended stay as they are and are left out of the answer.",
  params: Type.Object({ batch: BatchId }),
  body: CancelBody,
  output: CancelledTasks,
  example: {
    params: { batch: exampleBatchState.batch_id },
    body: { reason: "The list of leads was an old one." },
    output: exampleCancelled,
  },
  permission: "tasks:write",
  load: (ctx, { batch }) => findBatch(ctx, batch),
  gate: exempt("stops work, starts none"),
  decides: exempt("stops tasks; a run gets a fixed text in place of the reason"),
  compliance: governs("task.cancel"),
  audit: ({ params }) => `batch:${params.batch}`,
  handle: async (ctx, { loaded, body }) => cancelEach(ctx, await listOpenOfBatch(ctx, loaded.id), body.reason),
});

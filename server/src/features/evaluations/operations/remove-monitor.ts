import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleMonitor } from "../example.ts";
import { deleteMonitor, findMonitor } from "../review-store.ts";
import { MonitorId, RemovedMonitor } from "../schemas.ts";

export const removeMonitor = defineOperation({
  id: "evaluations.removeMonitor",
  method: "DELETE",
  path: "/v1/evaluations/monitors/{monitor}",
  summary: "Stop drawing tasks for review",
  description: "Nothing more is drawn. Tasks that it has drawn stay in the queue.",
  params: Type.Object({ monitor: MonitorId }),
  output: RemovedMonitor,
  example: {
    params: { monitor: exampleMonitor.monitor_id },
    output: { monitor_id: exampleMonitor.monitor_id, removed: true },
  },
  permission: "evaluations:write",
  load: (ctx, { monitor }) => findMonitor(ctx, monitor),
  gate: exempt("makes no agent act"),
  decides: "rules",
  compliance: governs("review.monitor"),
  audit: ({ params }) => `monitor:${params.monitor}`,
  async handle(ctx, { loaded }) {
    await deleteMonitor(ctx, loaded.id);
    return { monitor_id: loaded.id, removed: true as const };
  },
});

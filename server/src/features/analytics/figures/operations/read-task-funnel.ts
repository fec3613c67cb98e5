import { defineRead } from "../../../../kernel/operation.ts";
import { exampleTaskFunnel } from "../example.ts";
import { taskFunnelOf } from "../outcomes.ts";
import { figureQuery, TaskFunnel } from "../schemas.ts";
import { figureRead, windowOf } from "../window.ts";

export const readTaskFunnel = defineRead({
  ...figureRead,
  id: "analytics.readTaskFunnel",
  path: "/v1/analytics/tasks",
  summary: "Read what became of tasks",
  description:
    "From dispatched to started, completed, judged and accepted, with the window before; and where tasks were lost on the way, by reason. An open task counts as started when it has ended.",
  query: figureQuery,
  output: TaskFunnel,
  example: { output: exampleTaskFunnel },
  handle: (ctx, { query }) => taskFunnelOf(ctx, windowOf(ctx, query)),
});

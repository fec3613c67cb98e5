import { refuse } from "../../../../kernel/errors.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { exampleCancelledByFilter } from "../../example.ts";
import { CancelledByFilter, CancelTasksBody } from "../../schemas.ts";
import { listTasks } from "../../tasks/list-store.ts";
import { cancelEach } from "../cancel-many.ts";

const open = ["queued", "awaiting_approval", "running", "input_required"] as const;
/** One more than may be cancelled at a time, so that too many can be said. */
const mostCounted = 1_001;

const counted = (n: number) => (n === 1 ? "1 task" : n === mostCounted ? "more than 1,000 tasks" : `${n} tasks`);

export const cancelTasks = defineBatch({
  id: "tasks.cancelTasks",
  path: "/v1/tasks/cancel",
  summary: "Cancel tasks by a filter",
  description:
    "In two calls: without `count` it answers how many tasks the filter finds, and changes nothing; with that number as `count` it cancels them, each by a call of its own " +
    "with its own record. Where the number has changed meanwhile it is refused. Tasks that came in place of others do not change it: " +
    "give `filter.created_before` to stop only tasks from before you counted.",
  body: CancelTasksBody,
  output: CancelledByFilter,
  example: {
    body: { filter: { agent: ["sales"], label: "october" }, count: 1, reason: "The campaign was called off." },
    output: exampleCancelledByFilter,
  },
  permission: "tasks:write",
  load: exempt("names no object; the filter stands in the body"),
  narrowing: limitedTo("finds and cancels only tasks of its agents"),
  gate: exempt("stops work, starts none"),
  decides: exempt("stops tasks; a run gets a fixed text in place of the reason"),
  compliance: governs("task.cancel"),
  audit: "tasks",
  errors: [conflict],
  async handle(ctx, { body }) {
    const filter = { ...body.filter, status: body.filter.status ?? [...open] };
    const found = await listTasks(ctx, filter, { after: undefined, take: mostCounted });
    const matched = found.length;
    if (body.count === undefined) return { batch_id: ctx.id, matched, succeeded: 0, failed: 0, results: [] };
    if (matched !== body.count) {
      const remedy =
        matched === mostCounted
          ? "Narrow the filter"
          : "Call again without `count`, look at what it finds, then give that number";
      throw refuse(
        conflict,
        `You expected ${counted(body.count)}, and the filter finds ${counted(matched)} now. ${remedy}.`,
      );
    }
    const ids = found.map(({ id }) => id);
    return { ...(await cancelEach(ctx, ids, body.reason)), matched };
  },
});

import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList, createdRange } from "../../../../kernel/schema-words.ts";
import { exampleTask } from "../../example.ts";
import { RiskLevel, Task, TaskStatus } from "../../schemas.ts";
import { withHolds } from "../held-by.ts";
import { listTasks as readPage, taskOrigins } from "../list-store.ts";
import { taskView } from "../view.ts";

const filters = {
  agent: commaList(Type.String(), "Agents by name"),
  status: commaList(TaskStatus, "States"),
  task: Type.Optional(Type.String({ description: "The skill." })),
  risk: commaList(RiskLevel, "Risk levels"),
  batch: Type.Optional(Type.String({ description: "The batch that they came with, `bat_…`." })),
  run: Type.Optional(Type.String({ description: "The run of a workflow whose steps they carry out, `wfr_…`." })),
  mission: Type.Optional(Type.String({ description: "Tasks of this mission, `msn_…`." })),
  label: Type.Optional(Type.String({ description: "A label that the tasks carry, as it was given: `customer:acme`." })),
  version: Type.Optional(
    Type.String({
      pattern: "^(ver_[0-9a-z]{1,40}|[1-9][0-9]{0,8})$",
      description: "Tasks that pinned this version, `ver_…`, or the version of this number of their agent.",
    }),
  ),
  key: Type.Optional(Type.String({ description: "Tasks that were dispatched with this key, `key_…`." })),
  member: Type.Optional(Type.String({ description: "Tasks of this member, a person or a service account, `mbr_…`." })),
  origin: Type.Optional(
    Type.Enum(taskOrigins, { description: "Where they come from; `call`: they were dispatched by themselves." }),
  ),
  judged: Type.Optional(
    Type.Boolean({ description: "Whether their outcome was judged: by feedback, review, approval, or a failed run." }),
  ),
  trust_below: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Those whose trust score is lower." })),
  cost_above: Type.Optional(Type.Number({ minimum: 0, description: "Those that cost more, in US dollars." })),
  ...createdRange,
};

export const listTasks = defineList({
  id: "tasks.listTasks",
  path: "/v1/tasks",
  listed: true,
  summary: "List tasks",
  description:
    "Newest first. Filters narrow together. A task whose result was altered in the database is listed without input and output, with `result_not_intact` as its failure.",
  filters,
  item: Task,
  example: { item: exampleTask },
  permission: "tasks:read",
  narrowing: limitedTo("lists tasks of the key's agents"),
  compliance: governs("task.read"),
  audit: "tasks",
  read: async (ctx, filter, page) => withHolds(ctx, await readPage(ctx, filter, page)),
  position: ({ row }) => row.id,
  view: ({ row, held }, ctx) => taskView(row, ctx.appUrl, held),
});

/** The filters of lists of tasks. */
export { filters as taskFilters };

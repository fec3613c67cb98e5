import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { commaList, createdRange } from "../../../../kernel/schema-words.ts";
import { exampleEvent } from "../../example.ts";
import { AuditEvent, Decision, StageName } from "../../schemas.ts";
import { LogParameter, logOf } from "../logs.ts";
import { eventView, listShown } from "../view.ts";
import { checkText } from "../words.ts";

const filters = {
  log: LogParameter,
  actor: Type.Optional(Type.String({ description: "Who called: `mbr_…`, `system:<job>` or `anonymous`." })),
  action: Type.Optional(Type.String({ description: "The operation, such as `agents.dispatchTask`." })),
  object: Type.Optional(Type.String({ description: "What was acted on, `<type>:<id>`, such as `agent:sales`." })),
  task: Type.Optional(Type.String({ description: "Records of this task, `tsk_…`." })),
  key: Type.Optional(Type.String({ description: "Records of calls with this key, `key_…`." })),
  key_seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "With `key`: the record of this number; the numbers of a key have no gaps.",
    }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Words of the task that a record belongs to: of its input and output, and of what its approvals and steps asked for. All of them have to occur; `"in this order"`, `either or`, `-without`. ' +
        "Amounts are compared as numbers: `240` finds `240.00`. Needs `tasks:read`.",
    }),
  ),
  decision: commaList(Decision, "What the calls came to"),
  stage: commaList(StageName, "The stages that refused"),
  from_leaf: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Records from this place in the log on.",
    }),
  ),
  ...createdRange,
};

export const listEvents = defineList({
  id: "audit.listEvents",
  path: "/v1/audit/events",
  listed: true,
  summary: "Search the audit log",
  description:
    "Newest first by place in the log. Filters narrow together. Only records that stand in the log are listed: a call is in it some milliseconds " +
    "after its answer, under load at most a second; before that `GET /v1/audit/events/{audit_ref}` shows its record. " +
    "What is shown is the record's text, held to its hash in the log; what is found goes by an index, so an export, which reads every record, is what proves that none is missing.",
  filters,
  item: AuditEvent,
  example: { item: exampleEvent },
  permission: "audit:read",
  narrowing: limitedTo("lists records that concern the key's agents alone, and those of its own calls"),
  compliance: governs("audit.read"),
  audit: "audit",
  errors: [insufficientScope],
  sort: "-leaf_index",
  async read(ctx, { log, ...filter }, page) {
    await checkText(ctx, filter.text);
    return listShown(ctx, logOf(ctx, log), filter, page);
  },
  position: (row) => ({ keys: [row.leaf_index, row.key_seq], id: row.id }),
  view: eventView,
});

import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { createdRange } from "../../../../kernel/schema-words.ts";
import { exampleEvent } from "../../example.ts";
import { AuditEvent } from "../../schemas.ts";
import { LogParameter, logOf } from "../logs.ts";
import { eventView, listShown } from "../view.ts";

export const listAccess = defineList({
  id: "audit.listAccess",
  path: "/v1/audit/access-log",
  summary: "List who read the audit log",
  description:
    "Every call of this group, newest first: who searched, read, proved or exported records, and what it came to. It is a view of the log itself, so reading it is in it too.",
  filters: {
    log: LogParameter,
    actor: Type.Optional(Type.String({ description: "Who called: `mbr_…`, `system:<job>` or `anonymous`." })),
    key: Type.Optional(Type.String({ description: "Calls with this key, `key_…`." })),
    ...createdRange,
  },
  item: AuditEvent,
  example: { item: { ...exampleEvent, action: "audit.listEvents", object: "audit", task_id: null, status: 200 } },
  permission: "audit:read",
  narrowing: limitedTo("lists calls that concern the key's agents alone, and its own"),
  compliance: governs("audit.read"),
  audit: "audit",
  errors: [insufficientScope],
  sort: "-leaf_index",
  read: (ctx, { log, ...filter }, page) => listShown(ctx, logOf(ctx, log), { ...filter, access: true }, page),
  position: (row) => ({ keys: [row.leaf_index, row.key_seq], id: row.id }),
  view: eventView,
});

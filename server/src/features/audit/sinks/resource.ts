import { Type } from "typebox";
import { auditClosedLogRows, auditLeafRows, auditLogRows } from "../../../audit-log/shared-rows.ts";
import { refuse } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { exempt } from "../../../kernel/operation.ts";
import { defineResource } from "../../../resources/resource.ts";
import { computed, json } from "../../../resources/rows.ts";
import { erasedBy, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { tooManySinks } from "../errors.ts";
import { exampleSink } from "./example.ts";
import { AuditSink, SinkId } from "./schemas.ts";
import { type SinkJson, type SinkLog, sinkView } from "./view.ts";

export const owned = ownTables({
  audit_sinks: {
    keeps: untilRemoved("A sink is deleted by people."),
    personal: {
      columns: ["name", "target", "filter", "created_by", "actor", "last_error"],
      erased: erasedBy("audit.removeSink"),
    },
  },
});

export const mostSinks = 50;

const here = (alias: string): string =>
  `${alias}.organization = r.organization and ${alias}.environment = r.environment`;
const log = (of: string): string => `(select ${of} from ${auditLogRows} g where ${here("g")})`;
const closed = (of: string): string =>
  `(select ${of} from ${auditClosedLogRows} c where ${here("c")} and c.epoch = r.epoch)`;
/** The place in all logs of the environment at which the log of a sink begins. */
const firstLeaf = `coalesce(${closed("c.first_leaf")}, ${log("g.first_leaf")}, 0)`;
/** Records of its log, and of the one that was opened when that was closed. */
const size = `(coalesce(${closed("c.tree_size")}, 0) + coalesce(${log("g.tree_size")}, 0))`;

const ofAllAgents = whole("sends records that concern all agents");

export const sinks = defineResource({
  table: owned.audit_sinks,
  key: "id",
  isKey: (text) => isId(text, "snk"),
  json: json<SinkJson>()("target", "filter", "not_sent", "last_error"),
  computed: computed<SinkLog>({
    origin: `coalesce(${closed("c.origin")}, ${log("g.origin")})`,
    lag: `greatest(${size} - r.next_leaf, 0)::float8`,
    oldest: `(select l.record_id from ${auditLeafRows} l where ${here("l")} and l.leaf_index = ${firstLeaf} + r.next_leaf)`,
  }),
  limit: {
    most: mostSinks,
    lock: "audit sinks",
    refuse: ({ scope: { environment } }) =>
      refuse(tooManySinks, `There are ${mostSinks} sinks in ${environment}; remove one first.`),
  },
  path: "/v1/audit/sinks",
  member: Type.Object({ sink: SinkId }),
  item: AuditSink,
  identity: "sink_id",
  example: { params: { sink: exampleSink.sink_id }, item: exampleSink },
  view: sinkView,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  object: "sink",
  objects: "sinks",
  permission: { read: "audit:read", change: "audit:export" },
  governs: { read: "audit.read", change: "audit.export" },
  narrowing: { one: ofAllAgents, all: ofAllAgents },
  decides: exempt("sinks send records out and give agents nothing"),
});

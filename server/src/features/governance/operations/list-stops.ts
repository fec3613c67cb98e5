import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleStop } from "../stops/example.ts";
import { listStops as readPage, type StopState as State } from "../stops/store.ts";
import { stopView } from "../stops/view.ts";
import { Stop, StopKind, StopState } from "../stops-schemas.ts";

const Query = listQuery({
  state: Type.Optional(
    Type.Array(StopState, {
      default: ["engaged", "release_asked"],
      description: "States, separated by commas; those in force unless told.",
    }),
  ),
  kind: Type.Optional(Type.Array(StopKind, { description: "Kinds, separated by commas." })),
});

const inForce: readonly State[] = ["engaged", "release_asked"];

export const listStops = defineRead({
  id: "governance.listStops",
  path: "/v1/governance/kill-switch",
  summary: "List kill switches",
  description:
    "The kill switches that act in this environment, newest first, with what they ended and how long that took; those in force unless `state` asks for others.",
  query: Query,
  output: pageSchema(Stop),
  example: { output: { data: [exampleStop], has_more: false, next_cursor: null } },
  permission: "governance:read",
  load: exempt("names no object; the list holds what acts in the environment"),
  narrowing: limitedTo("lists kill switches that stop the key's agents, those for all agents among them"),
  compliance: governs("stop.read"),
  audit: "stops",
  handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, state = inForce, ...kinds } = query;
    const filter = { ...kinds, state };
    return listPage(ctx, query, filter, {
      sort: "-engaged_at",
      read: (page) => readPage(ctx, filter, page),
      positionOf: (row) => ({ keys: [], id: row.id }),
      item: (row) => stopView(row, ctx),
    });
  },
});

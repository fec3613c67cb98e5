import { Type } from "typebox";
import { sql } from "../../../../db/scoped.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { ofKnownBase } from "../../bases/narrowing.ts";
import { syncs } from "../operation-parts.ts";
import { ConnectorRef } from "../schemas.ts";
import { seenSyncs } from "../sync-store.ts";

export const listSyncs = syncs.listOperation({
  id: "knowledge.listSyncs",
  summary: "List a base's syncs",
  description:
    "What the base's connectors took over, newest first. Syncs of connectors that were removed are among them.",
  filters: {
    connector: Type.Optional(ConnectorRef),
    state: commaList(Type.Enum(["queued", "running", "completed", "failed"] as const), "States"),
  },
  narrowing: byObject("the agents that name the base", ofKnownBase),
  narrow(query, { ctx, filter: { connector, state }, loaded: { id } }) {
    const seen = seenSyncs(ctx, id, query);
    const named = sql<boolean>`${connector} in (r.connector, r.connector_name)`;
    const of = connector === undefined ? seen : seen.where(named);
    return state === undefined ? of : of.where(sql<string>`r.state`, "=", sql<string>`any(${state}::text[])`);
  },
});

import { defineList } from "../../../../kernel/listing.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleConnection } from "../../example.ts";
import { connections } from "../operation-parts.ts";
import { Connection, ConnectionKindName } from "../schemas.ts";
import { listConnections as readPage } from "../store.ts";

export const listConnections = defineList({
  ...connections.readOfAll(),
  id: "admin.listConnections",
  summary: "List connections",
  description:
    "The accounts at model providers and at services that tools call in this environment, newest first, with what uses them and their last test. Secrets are never shown.",
  filters: { kind: commaList(ConnectionKindName, "Kinds") },
  item: Connection,
  example: { item: exampleConnection },
  read: async (ctx, { kind }, page) => connections.complete(ctx, await readPage(ctx, kind, page)),
  position: (row) => ({ keys: [row.created_at.getTime()], id: row.name }),
  view: (row, ctx) => connections.view(row, ctx),
});

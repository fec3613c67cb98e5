import { Type } from "typebox";
import { defineResource } from "../../../resources/resource.ts";
import { type Decided, listDecided } from "../accountability/confirmations-store.ts";
import { exampleConnection } from "../example.ts";
import { connectionView } from "../view.ts";
import { connectionContent } from "./facts.ts";
import { storedConnections } from "./resource.ts";
import { Connection, ConnectionName } from "./schemas.ts";
import { findUses } from "./store.ts";

export const connections = defineResource({
  ...storedConnections,
  path: "/v1/admin/connections",
  member: Type.Object({ connection: ConnectionName }),
  item: Connection,
  identity: "connection",
  example: { params: { connection: exampleConnection.connection }, item: exampleConnection },
  async complete(ctx, rows) {
    const uses = await findUses(
      ctx,
      rows.map(({ name }) => name),
    );
    const decided = await listDecided(ctx, rows.map(connectionContent));
    return rows.map((row, at) => ({ ...row, uses: uses.get(row.name), decided: decided[at] as Decided }));
  },
  view: ({ uses, decided, ...row }) => connectionView(row, decided, uses),
  object: "connection",
  objects: "connections",
  permission: { read: "admin:read", change: "admin:write" },
  governs: { read: "connection.read", change: "connection.add" },
  decides: "connection",
});

import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { closed } from "../../../kernel/schema-words.ts";
import { ConnectionName, RemovedConnection } from "../connections-schemas.ts";
import { deleteConnection, findConnectionRow, findUses, lockConnection } from "../connections-store.ts";
import { connectionInUse } from "../errors.ts";
import { exampleConnection } from "../example.ts";

const Force = Type.Boolean({
  default: false,
  description: "Remove it even if a live version names it, which then lacks its credentials.",
});

export const removeConnection = defineOperation({
  id: "admin.removeConnection",
  method: "DELETE",
  path: "/v1/admin/connections/{connection}",
  summary: "Remove a connection",
  description:
    "Removes it with its secret, and returns what named it. If a version that is live in this environment names it, `force` is required; drafts do not count.",
  params: Type.Object({ connection: ConnectionName }),
  query: Type.Object({ force: Type.Optional(Force) }, closed),
  output: RemovedConnection,
  example: {
    params: { connection: exampleConnection.connection },
    output: { connection: exampleConnection.connection, removed: true, used_by: exampleConnection.used_by },
  },
  permission: "admin:write",
  load: (ctx, { connection }) => findConnectionRow(ctx, connection),
  gate: exempt("makes no agent act"),
  decides: exempt("takes a connection away, adds none"),
  compliance: governs("connection.remove"),
  audit: ({ params }) => `connection:${params.connection}`,
  errors: [connectionInUse],
  async handle(ctx, { loaded: { name }, query }) {
    if (!(await lockConnection(ctx, name))) throw refuse(notFound, "The connection was just removed.");
    const used_by = (await findUses(ctx, [name])).get(name) ?? [];
    const live = used_by.filter(({ version }) => version !== null);
    if (live.length > 0 && query.force !== true) {
      const where = live.map(({ agent, version, place }) => `${place} of ${agent}, version ${version}`).join("; ");
      throw refuse(connectionInUse, `${name} is used by the ${where}.`, { members: { used_by } });
    }
    await deleteConnection(ctx, name);
    return { connection: name, removed: true as const, used_by };
  },
});

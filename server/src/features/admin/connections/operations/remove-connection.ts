import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { connectionInUse } from "../../errors.ts";
import { exampleConnection } from "../../example.ts";
import { connectionFacts } from "../facts.ts";
import { connections } from "../operation-parts.ts";
import { RemovedConnection } from "../schemas.ts";
import { findUses } from "../store.ts";

const Force = Type.Boolean({
  default: false,
  description: "Remove it even if a live version names it, which then lacks its credentials.",
});

export const removeConnection = defineOperation({
  ...connections.changeOfOne("connection.remove"),
  id: "admin.removeConnection",
  method: "DELETE",
  summary: "Remove a connection",
  description:
    "Removes it with its secret, and returns what named it. If a version that is live in this environment names it, `force` is required; drafts do not count.",
  query: Type.Object({ force: Type.Optional(Force) }, closed),
  output: RemovedConnection,
  example: {
    params: { connection: exampleConnection.connection },
    output: { connection: exampleConnection.connection, removed: true, used_by: exampleConnection.used_by },
  },
  gate: exempt("makes no agent act"),
  decides: exempt("takes a connection away, adds none"),
  errors: [connectionInUse],
  async handle(ctx, { loaded: { name }, query }) {
    if (!(await connections.rows.lock(ctx, name))) throw refuse(notFound, "The connection was just removed.");
    const used_by = (await findUses(ctx, [name])).get(name) ?? [];
    const live = used_by.filter(({ version }) => version !== null);
    if (live.length > 0 && query.force !== true) {
      const where = live.map(({ agent, version, place }) => `${place} of ${agent}, version ${version}`).join("; ");
      throw refuse(connectionInUse, `${name} is used by the ${where}.`, { members: { used_by } });
    }
    await connections.rows.remove(ctx, name);
    ctx.touch(connectionFacts);
    return { connection: name, removed: true as const, used_by };
  },
});

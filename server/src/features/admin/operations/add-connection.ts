import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { findDecided } from "../confirmations.ts";
import { connectionContent } from "../connection-content.ts";
import { connectionFaults } from "../connections-model.ts";
import { AddConnectionBody, Connection } from "../connections-schemas.ts";
import { type ConnectionRow, findConnectionRow, findUses, putConnection } from "../connections-store.ts";
import { connectionExists } from "../errors.ts";
import { exampleConnection } from "../example.ts";
import { connectionView } from "../view.ts";

export const addConnection = withPorts(({ connections: { credentialKey } }) =>
  defineOperation({
    id: "admin.addConnection",
    method: "POST",
    path: "/v1/admin/connections",
    status: 201,
    summary: "Add a connection",
    description:
      "An account at a model provider, or at a service that tools call, in this environment. Agents refer to it by name. Its secret is stored encrypted, sent to the host of `base_url` only, and never shown again. `replace` replaces an existing connection of that name.",
    body: AddConnectionBody,
    output: Connection,
    example: {
      body: { name: exampleConnection.connection, kind: "openai", secret: "the-key-that-the-provider-issued" },
      output: { ...exampleConnection, last_test: null },
    },
    permission: "admin:write",
    load: exempt("names no object; its name stands in the body"),
    gate: exempt("makes no agent act"),
    decides: "connection",
    compliance: governs("connection.add"),
    audit: ({ output }) => (output ? `connection:${output.connection}` : "connections"),
    errors: [connectionExists],
    validate: (_ctx, { body }) => connectionFaults(body),
    async handle(ctx, { body }) {
      const { name } = body;
      if (!(await putConnection(ctx, body, credentialKey))) {
        const detail = `A connection ${name} exists in ${ctx.scope.environment}: choose another name, or send \`replace: true\`.`;
        throw refuse(connectionExists, detail);
      }
      const uses = await findUses(ctx, [name]);
      const row = (await findConnectionRow(ctx, name)) as ConnectionRow;
      return connectionView(row, await findDecided(ctx, connectionContent(row)), uses.get(name));
    },
  }),
);

import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { connectionExists } from "../connections-errors.ts";
import { exampleConnection } from "../connections-example.ts";
import { connectionFaults } from "../connections-model.ts";
import { AddConnectionBody, Connection } from "../connections-schemas.ts";
import { type ConnectionRow, findConnectionRow, findUses, putConnection } from "../connections-store.ts";
import { connectionView } from "../connections-view.ts";

export const addConnection = withPorts(({ connections: { credentialKey } }) =>
  defineOperation({
    id: "admin.addConnection",
    method: "POST",
    path: "/v1/admin/connections",
    status: 201,
    summary: "Add a connection",
    description:
      "An account at a provider of models, or at a service that tools call, in this environment. Agents name it; its secret is encrypted, is sent to the host of `base_url` alone, and is never shown again. With `replace` it takes the place of the one of its name.",
    body: AddConnectionBody,
    output: Connection,
    example: {
      body: { name: exampleConnection.connection, kind: "openai", secret: "the-key-that-the-provider-issued" },
      output: { ...exampleConnection, last_test: null },
    },
    permission: "admin:write",
    load: exempt("names no object; its name stands in the body"),
    gate: exempt("makes no agent act"),
    compliance: governs("connection.add"),
    audit: ({ output }) => (output ? `connection:${output.connection}` : "connections"),
    errors: [connectionExists],
    validate: (_ctx, { body }) => connectionFaults(body),
    async handle(ctx, { body }) {
      if (!(await putConnection(ctx, body, credentialKey))) {
        throw refuse(
          connectionExists,
          `There is a connection ${body.name} in ${ctx.scope.environment}: choose another name, or send \`replace: true\`.`,
        );
      }
      const uses = await findUses(ctx, [body.name]);
      return connectionView((await findConnectionRow(ctx, body.name)) as ConnectionRow, uses.get(body.name) ?? []);
    },
  }),
);

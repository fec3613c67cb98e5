import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { connectionExists } from "../../errors.ts";
import { exampleConnection } from "../../example.ts";
import { connectionPort } from "../../ports.ts";
import { connections } from "../operation-parts.ts";
import { connectionFaults } from "../rules.ts";
import { AddConnectionBody } from "../schemas.ts";
import { putConnection } from "../store.ts";

export const addConnection = defineOperation({
  ...connections.changeOfAll(),
  ...connections.answer,
  id: "admin.addConnection",
  method: "POST",
  status: 201,
  summary: "Add a connection",
  description:
    "An account at a model provider, or at a service that tools call, in this environment. Agents refer to it by name. Its secret is stored encrypted, sent to the host of `base_url` only, and never shown again. `replace` replaces an existing connection of that name.",
  body: AddConnectionBody,
  example: {
    body: { name: exampleConnection.connection, kind: "openai", secret: "the-key-that-the-provider-issued" },
    output: { ...exampleConnection, last_test: null },
  },
  gate: exempt("makes no agent act"),
  audit: ({ output }) => (output ? `connection:${output.connection}` : "connections"),
  errors: [connectionExists],
  validate: (_ctx, { body }) => connectionFaults(body),
  async handle(ctx, { body }) {
    const { name } = body;
    const row = await putConnection(ctx, body, ctx.port(connectionPort).credentialKey);
    if (!row) {
      const detail = `A connection ${name} exists in ${ctx.scope.environment}: choose another name, or send \`replace: true\`.`;
      throw refuse(connectionExists, detail);
    }
    return connections.itemOf(ctx, row);
  },
});

import { Type } from "typebox";
import { timestamp } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { overloaded } from "../../../kernel/problems.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { exampleConnectionTest } from "../connections-example.ts";
import { ConnectionName, ConnectionTest, TestConnectionBody } from "../connections-schemas.ts";
import { findConnectionRow, keepTest, opened } from "../connections-store.ts";

export const testConnection = withPorts(({ connections: { credentialKey, probe } }) =>
  defineOperation({
    id: "admin.testConnection",
    method: "POST",
    path: "/v1/admin/connections/{connection}/test",
    summary: "Test a connection",
    description:
      "Calls what the connection leads to and says whether it was reached and took the credentials; takes up to 20 s. That it does not work is an answer, not an error. A dry run makes the call too, and keeps no result.",
    params: Type.Object({ connection: ConnectionName }),
    body: TestConnectionBody,
    output: ConnectionTest,
    example: { params: { connection: exampleConnectionTest.connection }, body: {}, output: exampleConnectionTest },
    permission: "admin:write",
    load: (ctx, { connection }) => findConnectionRow(ctx, connection),
    validate: (_ctx, { body, loaded }) =>
      loaded.kind === "http" && body.model !== undefined
        ? [
            {
              pointer: "/model",
              code: "not_for_kind",
              detail: "is for providers of models; this connection is of kind http. Leave it out.",
            },
          ]
        : [],
    gate: exempt("makes no agent act"),
    compliance: governs("connection.test"),
    audit: ({ params }) => `connection:${params.connection}`,
    async handle(ctx, { loaded, body }) {
      const begun = performance.now();
      const probed = await probe(ctx.scope, opened(loaded, credentialKey, ctx.scope), body.model ?? null, ctx.signal);
      if (probed === null) {
        throw refuse(overloaded, "Several connections are being tested at this moment; try again in a few seconds.", {
          headers: { "Retry-After": "5" },
        });
      }
      const milliseconds = Math.round(performance.now() - begun);
      const test = {
        connection: loaded.name,
        ok: probed.code === null,
        ...probed,
        milliseconds,
        tested_at: timestamp(ctx.now),
      };
      await keepTest(ctx, loaded, test);
      return test;
    },
  }),
);

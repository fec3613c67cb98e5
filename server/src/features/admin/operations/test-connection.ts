import { Type } from "typebox";
import { timestamp } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { overloaded } from "../../../kernel/problems.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { ConnectionName, ConnectionTest, TestConnectionBody } from "../connections-schemas.ts";
import { findConnectionRow, keepTest, opened } from "../connections-store.ts";
import { exampleConnectionTest } from "../example.ts";

export const testConnection = withPorts(({ connections: { credentialKey, probe } }) =>
  defineOperation({
    id: "admin.testConnection",
    method: "POST",
    path: "/v1/admin/connections/{connection}/test",
    summary: "Test a connection",
    description:
      "Calls the service and returns whether it was reached and accepted the credentials; takes up to 20 s. A connection that does not work is a result, not an error. A dry run makes the call too, but stores no result.",
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
              detail: "is for model providers, and this one is http. Leave it out.",
            },
          ]
        : [],
    gate: exempt("makes no agent act"),
    decides: exempt("asks the provider and stores nothing"),
    compliance: governs("connection.test"),
    audit: ({ params }) => `connection:${params.connection}`,
    async handle(ctx, { loaded, body }) {
      const begun = performance.now();
      const probed = await probe(ctx.scope, opened(loaded, credentialKey, ctx.scope), body.model ?? null, ctx.signal);
      if (probed === null) {
        throw refuse(overloaded, "Too many connections are being tested; try again in a few seconds.", {
          headers: { "Retry-After": "5" },
        });
      }
      const times = { milliseconds: Math.round(performance.now() - begun), tested_at: timestamp(ctx.now) };
      const test = { connection: loaded.name, ok: probed.code === null, ...probed, ...times };
      await keepTest(ctx, loaded, test);
      return test;
    },
  }),
);

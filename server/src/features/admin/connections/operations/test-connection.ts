import { timestamp } from "../../../../kernel/clock.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { overloaded } from "../../../../kernel/problems.ts";
import { exampleConnectionTest } from "../../example.ts";
import { connectionPort } from "../../ports.ts";
import { connections } from "../operation-parts.ts";
import { ConnectionTest, TestConnectionBody } from "../schemas.ts";
import { keepTest, opened } from "../store.ts";

export const testConnection = defineOperation({
  ...connections.changeOfOne("connection.test"),
  id: "admin.testConnection",
  method: "POST",
  path: "/v1/admin/connections/{connection}/test",
  summary: "Test a connection",
  description:
    "Calls the service and returns whether it was reached and accepted the credentials; takes up to 20 s. A connection that does not work is a result, not an error. A dry run makes the call too, but stores no result.",
  body: TestConnectionBody,
  output: ConnectionTest,
  example: { params: { connection: exampleConnectionTest.connection }, body: {}, output: exampleConnectionTest },
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
  async handle(ctx, { loaded, body }) {
    const begun = performance.now();
    const { credentialKey, probe } = ctx.port(connectionPort);
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
});

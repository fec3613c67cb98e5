import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

// Accounts at providers of models and at services that tools call.

let made = 0;

/** A connection to where nothing listens: a test of it is quick, and leaves this machine in no environment. */
const body = () => ({
  name: `account-${++made}`,
  kind: "http",
  base_url: "https://127.0.0.1:9",
  secret: "a-secret-that-opens-nothing",
});

const added: Arrange = async (app: TestApp, environment: Environment) => {
  const { body: connection } = await app.call("POST", "/v1/admin/connections", { environment, body: body() });
  return { params: { connection: connection.connection }, body: {} };
};

export const arrange: Arrangements = {
  "admin.listConnections": nothing,
  "admin.addConnection": async () => ({ params: {}, body: body() }),
  "admin.testConnection": added,
  "admin.removeConnection": added,
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};

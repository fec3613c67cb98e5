import type { Arrange, Arrangements } from "../../../../test/arrangements/arranged.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { TestApp } from "../../../testing/app.ts";

/** A collector where nothing listens. */
const body = (environment: Environment) => ({
  name: "Collector",
  kind: "splunk_hec",
  target: { url: environment === "development" ? "http://127.0.0.1:9" : "https://splunk.invalid:8088" },
  credentials: { token: "a-token-of-the-collector" },
});

async function created(app: TestApp, environment: Environment): Promise<string> {
  const made = await app.call("POST", "/v1/audit/sinks", { environment, body: body(environment) });
  if (made.status !== 201) throw new Error(`creating a sink answered ${made.status}: ${made.text}`);
  return made.body.sink_id;
}

const sink =
  (sent?: object): Arrange =>
  async (app, environment) => ({ params: { sink: await created(app, environment) }, ...(sent && { body: sent }) });

export const arrange: Arrangements = {
  "audit.listSinks": async () => ({ params: {} }),
  "audit.createSink": async (_app, environment) => ({ params: {}, body: body(environment) }),
  "audit.readSink": sink(),
  "audit.changeSink": sink({ state: "paused" }),
  "audit.removeSink": sink({}),
};

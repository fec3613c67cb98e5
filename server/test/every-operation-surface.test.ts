import { request as httpRequest, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation, type OperationDescription } from "../src/kernel/operation-seal.ts";
import { isAgentAction } from "../src/pipeline/compliance/actions.ts";
import { useApp } from "../src/testing/app.ts";
import { type Arranged, withMail } from "./arrangements.ts";
import { watchChanges } from "./changes.ts";
import { countRecords, walk } from "./walk.ts";

// What holds of every operation beyond its JSON answer: its other representations, its streams, and what stops, pauses and budgets do to it.

const app = useApp(withMail);
const operations = publishedOperations().map(describeOperation);
const pick = (keep: (operation: OperationDescription) => boolean): [string, OperationDescription][] =>
  operations.filter(keep).map((operation) => [operation.id, operation]);

describe.each(pick(({ writes }) => writes.length > 0))("%s", (_id, operation) => {
  it("answers in each of its representations, each with an ETag of its own, and records it", async () => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    const tags = new Set([(await call(given)).headers.get("etag")]);
    for (const type of operation.writes) {
      const { status, headers, text } = await call(given, { headers: { accept: type } });
      expect([status, headers.get("content-type"), headers.get("vary")]).toEqual([200, type, "Accept"]);
      expect(text).not.toBe("");
      expect((await countRecords(app, headers.get("audit-ref"))).named).toBe(1);
      const etag = headers.get("etag") as string;
      if (operation.hasRevision) expect(tags.has(etag)).toBe(false);
      tags.add(etag);
      const again = await call(given, { headers: { accept: type, "if-none-match": etag } });
      if (operation.conditional) expect([again.status, again.text]).toEqual([304, ""]);
    }
  });
});

describe.each(pick(({ writes, streams }) => writes.length + streams.length > 0))("%s", (_id, operation) => {
  it("answers 406 where none of its representations is acceptable, names them, and records it", async () => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    const before = await countRecords(app);
    const { status, headers, body } = await call(given, { headers: { accept: "image/png" } });
    expect([status, body.code]).toEqual([406, "not_acceptable"]);
    expect(body.acceptable).toEqual(["application/json", ...operation.writes, ...operation.streams]);
    expect(await countRecords(app, headers.get("audit-ref"))).toEqual({ all: before.all + 1, named: 1 });
  });
});

/** The head of an answer that may never end. */
function headOf(
  { path: template, method }: OperationDescription,
  { params, body }: Arranged,
  accept: string,
): Promise<IncomingMessage> {
  const address = (template as string).replaceAll(/\{(\w+)\}/g, (_whole, name: string) => params[name] as string);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      app.url + address,
      {
        method,
        agent: false,
        headers: {
          authorization: `Bearer ${app.key("admin")}`,
          accept,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const streamed = operations.flatMap((operation) =>
  operation.streams.map((type) => [operation.id, type, operation] as const),
);

describe.each(streamed)("%s as %s", (_id, type, operation) => {
  it("has its record, and exactly one, before the first byte leaves", async () => {
    const given = await walk(app, operation).arranged();
    const before = await countRecords(app);
    const answer = await headOf(operation, given, type);
    const references = String(answer.headers["audit-ref"]);
    expect(await countRecords(app, references)).toEqual({ all: before.all + 1, named: 1 });
    const answered = String(answer.headers["content-type"]).split(";")[0];
    if (answer.statusCode === (operation.status ?? 200)) expect(answered).toBe(type);
    // What is streamed may not be there yet, or be of another of the types; then it is a refusal like any other.
    else
      expect([[406, 409].includes(answer.statusCode as number), answered]).toEqual([true, "application/problem+json"]);
    answer.destroy();
  });
});

describe.each(pick(({ action }) => action !== null && isAgentAction(action)))("%s", (_id, operation) => {
  const held = async (code: string, release: () => Promise<unknown>): Promise<void> => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    const changes = await watchChanges(app);
    try {
      const { status, body } = await call(given);
      expect([status, body.code, body.stage]).toEqual([409, code, "compliance"]);
      expect(await changes(["events", "violations", "analytics_pending"])).toEqual([]);
    } finally {
      await release();
    }
    expect((await call(given)).status).toBe(operation.status);
  };

  it("is refused while a kill switch is engaged, changes nothing, and works when it is released", async () => {
    const stop = await app.call("POST", "/v1/governance/kill-switch", {
      body: { kind: "agent", target: "sales", reason: "the walk stops it" },
    });
    expect(stop.status, stop.text).toBe(201);
    const release = () =>
      app.call("DELETE", `/v1/governance/kill-switch/${stop.body.kill_switch_id}`, {
        body: { reason: "the walk goes on" },
      });
    await held("kill_switch_engaged", release);
  });

  it("is refused while the agent is paused, changes nothing, and works when it is resumed", async () => {
    const paused = await app.call("POST", "/v1/agents/sales/pause", { body: { reason: "the walk pauses it" } });
    expect(paused.status, paused.text).toBe(200);
    await held("agent_paused", () => app.call("POST", "/v1/agents/sales/resume", { body: {} }));
  });
});

/** They spend where a model is asked, and in the walk none is connected, or where a tool is called outside of tasks. */
const spendNoTask = new Set([
  "agents.testTool",
  "chat.readSuggestions",
  "missions.planMission",
  "workflows.generateWorkflow",
]);

describe.each(pick(({ spends, id }) => spends && !spendNoTask.has(id)))("%s", (_id, operation) => {
  it("is refused where a budget has nothing left, changes nothing but what tells of it, and works when there is one no more", async () => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    const set = (limits: readonly object[]) =>
      app.call("PUT", "/v1/governance/budgets/environment", { body: { limits } });
    const none = await set([{ unit: "tasks", period: "total", hard: 0 }]);
    expect(none.status, none.text).toBe(200);
    const tasks = async (): Promise<number> => (await app.pool.query("select from tasks")).rowCount as number;
    const before = await tasks();
    const { status, body, headers } = await call(given);
    expect([status, body.code, body.stage, body.budget]).toEqual([
      403,
      "budget_exhausted",
      "compliance",
      { scope: "environment", unit: "tasks", period: "total", limit: 0, used: expect.any(Number), resets_at: null },
    ]);
    expect(headers.get("retry-after")).toBeNull();
    expect(await tasks()).toBe(before);
    expect((await set([])).status).toBe(200);
    expect((await call(given)).status).toBe(operation.status);
  });
});

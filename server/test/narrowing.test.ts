import { beforeAll, describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation, type OperationDescription } from "../src/kernel/operation-seal.ts";
import { useApp } from "../src/testing/app.ts";
import type { Arranged } from "./arrangements.ts";
import { watchChanges } from "./changes.ts";
import { walk } from "./walk.ts";

// The registry, called with keys that are narrowed to agents: each operation on objects of `sales`, or of no agent, by a key of another agent and by a key of `sales`.

const app = useApp();
const operations = publishedOperations().map((operation): [string, OperationDescription] => [
  operation.id,
  describeOperation(operation),
]);
const keys: Record<"sales" | "other", { secret: string; keyId: string }> = { sales: none(), other: none() };
function none() {
  return { secret: "", keyId: "" };
}

/** Arranged are objects that belong to no agent: a key of `sales` is refused those as well. Why, for each. */
const ofNoAgent: Readonly<Record<string, string>> = {
  "knowledge.addDocument": "no agent names the base",
  "knowledge.addDocuments": "no agent names the base",
  "knowledge.readDocument": "no agent names the base",
  "knowledge.changeBase": "no agent names the base",
  "knowledge.changeChunk": "no agent names the base",
  "knowledge.deleteBase": "no agent names the base",
  "knowledge.deleteDocument": "no agent names the base",
  "knowledge.exportBase": "no agent names the base",
  "knowledge.listChunks": "no agent names the base",
  "knowledge.listDocuments": "no agent names the base",
  "knowledge.listStale": "no agent names the base",
  "knowledge.listVersions": "no agent names the base",
  "knowledge.readBase": "no agent names the base",
  "knowledge.readCitation": "no agent names the base",
  "knowledge.readExport": "no agent names the base",
  "knowledge.replaceDocument": "no agent names the base",
  "knowledge.restoreVersion": "no agent names the base",
  "knowledge.reviewDocument": "no agent names the base",
  "knowledge.setAccess": "no agent names the base",
  "knowledge.reindexDocument": "no agent names the base",
  "knowledge.testBase": "no agent names the base",
  "knowledge.listGaps": "no agent names the base",
  "knowledge.changeConnector": "no agent names the base",
  "knowledge.createConnector": "no agent names the base",
  "knowledge.listConnectors": "no agent names the base",
  "knowledge.listSyncs": "no agent names the base",
  "knowledge.readSync": "no agent names the base",
  "knowledge.removeConnector": "no agent names the base",
  "knowledge.startSync": "no agent names the base",
  "evaluations.setScorer": "no gate judges by the scorer",
  "audit.readExport": "the export was started by a key that is not narrowed",
  "admin.issueKey": "the key is for a service account",
  "admin.revokeKey": "the key is not narrowed",
  "governance.check": "the call names no agent",
  "governance.readBudget": "the budget of a member",
  "governance.setBudget": "the budget is a member's",
  "governance.engageKillSwitch": "the kill switch is not of one agent",
  "governance.releaseKillSwitch": "the kill switch is not of one agent",
};
/** Endpoints are arranged bound to no agents. */
const isOfNoAgent = ({ id, path }: OperationDescription): boolean =>
  id in ofNoAgent || path?.includes("{webhook}") === true;

/** Narrows a key to agents, as if it had been issued so. */
async function narrow(keyId: string, agents: readonly string[]): Promise<void> {
  await app.pool.query("update keys set agents = $2 where id = $1", [keyId, agents]);
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
  await app.app.facts.refresh();
}

/** What an answer may not hold for a key of another agent: ids of what was arranged, and the agent's name as a value. */
function foreignIn(text: string, { params }: Arranged): string[] {
  const values = Object.values(params).filter((value) => /^[a-z]+_[0-9a-z]{26}$/.test(value));
  return [...values, '"sales"', ":sales"].filter((value) => text.includes(value));
}

beforeAll(async () => {
  const blank = { description: "Of the walk.", model: { provider: "builtin" } };
  expect((await app.call("POST", "/v1/agents", { body: { agent: "other", ...blank } })).status).toBe(201);
  for (const agent of ["sales", "other"] as const) {
    keys[agent] = await app.member("admin");
    await narrow(keys[agent].keyId, [agent]);
  }
  // The scorer that runs and gates are arranged with is one by which `sales` is judged.
  const setGate = walk(app, new Map(operations).get("evaluations.setGate") as OperationDescription);
  const gated = await setGate.call(await setGate.arranged("staging"), { environment: "staging" });
  expect(gated.status, gated.text).toBe(200);
});

describe.each(operations)("%s", (id, operation) => {
  const { kind } = operation.narrowing as NonNullable<OperationDescription["narrowing"]>;
  const { arranged, call } = walk(app, operation);
  /** What a key of another agent was refused or has read is as it was. */
  const isUnchanged = operation.method === "GET" || (kind !== "open" && kind !== "limited");
  let first: Arranged | undefined;

  it("gives a key of another agent nothing of this one's, and nothing that is no agent's", async () => {
    const given = await arranged();
    first = given;
    const changes = await watchChanges(app);
    const { status, body, text } = await call(given, { key: keys.other.secret });
    if (kind === "open") return expect(status, text).toBe(operation.status);
    if (kind === "limited") {
      expect([200, 201, 202, 207], text).toContain(status);
      // The records of its own calls are a key's to see; refusals of a batch name what was asked for.
      const shown =
        id === "audit.listEvents"
          ? body.data.filter((one: { key_id: string }) => one.key_id !== keys.other.keyId)
          : body;
      expect(
        foreignIn(JSON.stringify(shown).replaceAll(/"(detail|missing_scope|instance)":"[^"]*"/g, ""), given),
      ).toEqual([]);
      // What cancels by a filter finds nothing of another agent.
      if (id === "tasks.cancelTasks") expect(body.matched).toBe(0);
      else if (operation.kind === "batch")
        expect(new Set(body.results.map((one: { status: number }) => one.status))).toEqual(new Set([403]));
      return;
    }
    expect([status, body.code, body.stage]).toEqual([403, "insufficient_scope", "permissions"]);
    expect(body.missing_scope).toMatch(/^agent:/);
    expect(await changes()).toEqual([]);
  });

  it("is refused to a key of the agent only where it concerns more than the agent", async () => {
    const given = isUnchanged && first ? first : await arranged();
    const said = given.body as { agent?: string; name?: string } | undefined;
    const named = id === "agents.cloneAgent" ? said?.name : said?.agent;
    await narrow(keys.sales.keyId, [
      "sales",
      "walked",
      ...[given.params.agent, named].filter((agent) => agent !== undefined),
    ]); // policies are arranged for `walked`
    const { status, body, text } = await call(given, { key: keys.sales.secret });
    const refused = body.missing_scope?.startsWith("agent:") === true;
    expect(refused, text).toBe(kind === "whole" || isOfNoAgent(operation));
    // What takes a session is refused to a key, behind its narrowing; so is what only its first caller may.
    const byAnother = given.headers?.cookie !== undefined || id === "chat.submitResults";
    if (!refused) expect(status, text).toBe(byAnother ? 403 : operation.status);
  });
});

it("hears on the stream of events of none but the key's agents", async () => {
  await app.dispatch();
  const stop = new AbortController();
  const response = await fetch(`${app.url}/v1/webhooks/stream?after=0`, {
    headers: { authorization: `Bearer ${keys.other.secret}`, accept: "text/event-stream" },
    signal: stop.signal,
  });
  await app.call("POST", "/v1/agents/other/pause", { body: { reason: "the walk ends" } });
  let text = "";
  const [reader, decoder] = [(response.body as ReadableStream<Uint8Array>).getReader(), new TextDecoder()];
  while (!text.includes("agent.paused")) text += decoder.decode((await reader.read()).value, { stream: true });
  stop.abort();
  expect(text).not.toContain("sales");
});

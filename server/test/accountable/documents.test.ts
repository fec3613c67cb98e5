import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Step } from "@aos/workflow";
import { afterAll, afterEach, expect, it } from "vitest";
import { createReader } from "../../src/db/reader.ts";
import { standingConnector } from "../../src/features/knowledge/connectors/actor.ts";
import { syncSweep } from "../../src/features/knowledge/connectors/jobs/sweep.ts";
import { createSyncJob } from "../../src/features/knowledge/connectors/jobs/sync.ts";
import { createIngestJob } from "../../src/features/knowledge/ingest/jobs/ingest.ts";
import { asking } from "../../src/features/workflows/steps/steps.fixture.ts";
import { actorOfCall } from "../../src/kernel/actor.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { WriteContext } from "../../src/kernel/context.ts";
import { createIds } from "../../src/kernel/ids.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import { createDownloadPort } from "../../src/outbound/download-port.ts";
import { createSourcePort } from "../../src/outbound/source-port.ts";
import type { Worker } from "../../src/runtime/index.ts";
import {
  approveBy,
  type Cast,
  castIn,
  forgetDeciders,
  must,
  openGate,
  type Person,
  strictEnvironments,
} from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { scriptedModel, shownResults } from "../../src/testing/models.ts";
import { eventually, taskRow } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { forgetWorkflow } from "./triggers.fixture.ts";

const folder = mkdtempSync(path.join(tmpdir(), "aos-sources-"));
const app = useApp({ knowledgeFolders: [folder] });
const process = useWorkerProcess(app);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const account = "DE44500105175407324931";
const impact = { reversible: true, external: true, money: 50 };

/** Looks up or searches, unless it remembers, and pays what it found. */
const copying = scriptedModel((_turn, given) => {
  const { get_supplier: record, find, pay } = shownResults(given) as Record<string, unknown>;
  const said = JSON.stringify(given.prompt);
  if (said.includes("What is the account") && !said.includes("Pay it")) {
    if (record === undefined) return { calls: [{ tool: "get_supplier", input: { supplier_id: "S-1" } }] };
    return { text: `The account is remembered as ${/DE\d{20}/.exec(JSON.stringify(record))?.[0]}.` };
  }
  const [remembered] = /(?<=remembered as )DE\d{20}/.exec(said) ?? [];
  if (remembered !== undefined && pay === undefined) return { calls: [{ tool: "pay", input: { to: remembered } }] };
  const searches = given.tools?.some(({ name }) => name === "find");
  if (record === undefined && find === undefined)
    return searches
      ? { calls: [{ tool: "find", input: { query: "account of supplier Amber" } }] }
      : { calls: [{ tool: "get_supplier", input: { supplier_id: "S-1" } }] };
  if (pay !== undefined) return { text: JSON.stringify({ pay }) };
  const [found = "nobody"] = /DE\d{20}/.exec(JSON.stringify(record ?? find)) ?? [];
  return { calls: [{ tool: "pay", input: { to: found } }] };
});
/** Started when the first task is dispatched: it reads no folders, so that tests carry syncs out themselves. */
let worker: Worker | undefined;
afterEach(async () => {
  await worker?.stop(20_000);
  worker = undefined;
});

let made = 0;

/** An agent that pays what it finds in a base of its own. */
async function agentWithBase({ alice, environment }: Cast) {
  const name = `copier-${++made}`;
  const base = `suppliers-${made}`;
  await must(app, 201, alice, "POST", "/v1/knowledge/bases", { name: base });
  const request = { method: "POST", url: "https://pay.example.com/pay" };
  await must(app, 201, alice, "POST", "/v1/agents", {
    agent: name,
    description: "Pays suppliers.",
    model: { provider: "openai", name: "sample-model" },
    knowledge: [base],
    tools: [
      { kind: "record", name: "get_supplier", base, effect: "read" },
      { kind: "search", name: "find", effect: "read" },
      { kind: "http", name: "pay", effect: "write", impact, arguments: { type: "object" }, request },
    ],
    skills: [
      { name: "settle", input: { type: "object" }, output: { type: "object" }, tools: ["get_supplier", "pay"] },
      { name: "search_and_settle", input: { type: "object" }, output: { type: "object" }, tools: ["find", "pay"] },
    ],
  });
  await must(app, 201, alice, "POST", `/v1/agents/${name}/versions`, {});
  await openGate(app, name, environment);
  await must(app, 201, alice, "POST", `/v1/agents/${name}/deployments`, { version: 1 });
  await forgetDeciders(app, name);
  await process.refresh();
  const where = `/v1/knowledge/bases/${base}`;
  return {
    where,
    name,
    /** A task that waits until somebody approves its payment. */
    async dispatch({ alice, bob }: Cast, task: string, input: object = {}): Promise<string> {
      worker ??= await process.worker({ model: copying });
      const { task_id: id, status } = await must(app, 202, alice, "POST", `/v1/agents/${name}/tasks`, {
        task,
        ...input,
      });
      if (status === "awaiting_approval") expect(await approveBy(app, bob, id)).toBe("approved");
      await eventually(async () => {
        const { rows } = await app.pool.query("select status, call_approval, failure from tasks where id = $1", [id]);
        expect(rows[0]).toMatchObject({ status: "awaiting_approval", call_approval: true });
      });
      return id;
    },
    write: ({ secret }: Person, iban = account) =>
      must(app, 202, { secret }, "POST", `${where}/documents`, { external_id: "S-1", fields: { name: "Amber", iban } }),
  };
}

it.each(strictEnvironments)(
  "whoever wrote a record does not approve a call that takes a field of it, somebody else does, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { write, where, dispatch } = await agentWithBase(cast);
    const { document_id } = await write(cast.carol, "DE00000000000000000000");
    const document = `${where}/documents/${document_id}`;
    await must(app, 200, cast.carol, "PUT", document, { fields: { name: "Amber", iban: account } });
    const task = await dispatch(cast, "settle");
    await must(app, 200, cast.carol, "DELETE", document); // what it said counts all the same
    expect(await approveBy(app, cast.carol, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "whoever wrote a record approves once somebody else has reviewed that version, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { write, where, dispatch } = await agentWithBase(cast);
    const { document_id } = await write(cast.carol);
    const review = (person: Person, version: number) =>
      app.call("POST", `${where}/documents/${document_id}/review`, {
        key: person.secret,
        body: {},
        headers: { "if-match": `"${version}-json"` },
      });
    expect((await review(cast.carol, 1)).status).toBe(200);
    expect(await approveBy(app, cast.carol, await dispatch(cast, "settle"))).toBe("four_eyes");
    expect((await review(cast.bob, 1)).status).toBe(200);
    expect(await approveBy(app, cast.carol, await dispatch(cast, "settle"))).toBe("approved");
    await must(app, 200, cast.carol, "PUT", `${where}/documents/${document_id}`, { fields: { iban: account } });
    expect((await review(cast.bob, 1)).status).toBe(412);
    expect(await approveBy(app, cast.carol, await dispatch(cast, "settle"))).toBe("four_eyes");
  },
);

it.each(strictEnvironments)("what stands in the input too does not count as a record's, in %s", async (environment) => {
  const cast = await castIn(app, environment);
  const { write, dispatch } = await agentWithBase(cast);
  await write(cast.carol);
  const task = await dispatch(cast, "settle", { iban: account });
  expect(await approveBy(app, cast.carol, task)).toBe("approved");
});

it.each(strictEnvironments)(
  "whoever corrected a passage that a search found does not approve a call that takes a text of it, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { where, dispatch } = await agentWithBase(cast);
    const text = "The account of the supplier Amber is DE00000000000000000000.";
    const { document_id } = await must(app, 202, cast.bob, "POST", `${where}/documents`, { title: "Amber", text });
    const chunk = `${where}/documents/${document_id}/chunks/1`;
    await must(app, 200, cast.carol, "PATCH", chunk, { text: text.replace(/DE0+/, account) });
    const task = await dispatch(cast, "search_and_settle");
    expect(await approveBy(app, cast.carol, task)).toBe("four_eyes");
  },
);

it.each(strictEnvironments)(
  "whoever had something remembered does not approve a call that takes a text of it, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { name } = await agentWithBase(cast);
    const { conversation_id } = await must(app, 201, cast.alice, "POST", "/v1/chat/conversations", { agent: name });
    const text = `The account is remembered as ${account}.`;
    await must(app, 201, cast.carol, "POST", "/v1/chat/memories", { conversation_id, text });
    worker = await process.worker({ model: copying });
    const message = `/v1/chat/conversations/${conversation_id}/messages`;
    const { task_id } = await must(app, 202, cast.alice, "POST", message, { text: "Pay the supplier." });
    await eventually(async () => expect((await taskRow(app, task_id)).status).toBe("awaiting_approval"));
    expect(await approveBy(app, cast.carol, task_id)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task_id)).toBe("approved");
  },
);

/** A conversation in whose first turn alice asked what a record of carol's says. */
async function askedBefore(cast: Cast) {
  const { name, write } = await agentWithBase(cast);
  await write(cast.carol);
  worker ??= await process.worker({ model: copying });
  const { conversation_id: id } = await must(app, 201, cast.alice, "POST", "/v1/chat/conversations", { agent: name });
  const say = async (conversation: string, text: string, reaches: string): Promise<string> => {
    const where = `/v1/chat/conversations/${conversation}/messages`;
    const { task_id } = await must(app, 202, cast.alice, "POST", where, { text });
    await eventually(async () => expect((await taskRow(app, task_id)).status).toBe(reaches));
    return task_id;
  };
  await say(id, "What is the account of Amber?", "completed");
  return { id, pay: (conversation: string, text = "Pay it.") => say(conversation, text, "awaiting_approval") };
}

it.each(strictEnvironments)(
  "whoever wrote a record that an earlier turn looked up does not approve a call that takes a field of it, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { id, pay } = await askedBefore(cast);
    const task = await pay(id);
    expect(await approveBy(app, cast.carol, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "what the message of a turn says too does not count as an earlier turn's record's, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { id, pay } = await askedBefore(cast);
    expect(await approveBy(app, cast.carol, await pay(id, `Pay it to ${account}.`))).toBe("approved");
  },
);

const originals = strictEnvironments.flatMap((at) =>
  (["goes on", "was erased"] as const).map((fate) => [fate, at] as const),
);

it.each(originals)(
  "whoever wrote a record that a fork's original looked up does not approve in the fork, where the original %s, in %s",
  async (fate, environment) => {
    const cast = await castIn(app, environment);
    const dave = await app.signedInMember("admin", environment);
    const { id, pay } = await askedBefore(cast);
    const fork = `/v1/chat/conversations/${id}/fork`;
    const { conversation_id: first } = await must(app, 201, cast.bob, "POST", fork, {});
    const again = `/v1/chat/conversations/${first}/fork`;
    const { conversation_id: second } = await must(app, 201, cast.bob, "POST", again, {});
    if (fate === "was erased") {
      const erased = await app.call("DELETE", `/v1/chat/conversations/${id}`, { key: cast.alice.secret });
      expect(erased.status, erased.text).toBeLessThan(300);
    }
    const task = await pay(second);
    expect(await approveBy(app, cast.carol, task)).toBe("four_eyes");
    expect(await approveBy(app, dave, task)).toBe("approved");
  },
);

const released = "steps.look.output.fields.release";
interface Reading {
  readonly when?: string;
  readonly tool: Readonly<Record<string, string>>;
}
const readings = strictEnvironments.flatMap((at): [string, Environment, Reading][] => [
  ["becomes an argument", at, { tool: { whole: released } }],
  ["decides whether it is made", at, { when: released, tool: {} }],
]);

it.each(readings)(
  "whoever wrote a record does not approve a later step's call where a switch of it %s, in %s",
  async (_what, at, { when, tool: given }) => {
    const cast = await castIn(app, at);
    const { name: agent, where } = await agentWithBase(cast);
    const fields = { release: true, list: [] };
    await must(app, 202, cast.carol, "POST", `${where}/documents`, { external_id: "S-1", fields });
    const look: Step = { id: "look", tool: { agent, name: "get_supplier", arguments: { supplier_id: "'S-1'" } } };
    const tool = { agent, name: "pay", arguments: { amount: "9000.0", ...given } };
    const pay: Step = { id: "pay", tool, ...(when !== undefined && { when }) };
    const workflow = `switched_${made}_${at}`;
    await must(app, 201, cast.alice, "POST", "/v1/workflows", { workflow, steps: [look, pay] });
    await must(app, 200, cast.alice, "POST", `/v1/workflows/${workflow}/publish`, {});
    await forgetWorkflow(app, workflow);
    worker ??= await process.worker({ model: copying });
    const { run_id } = await must(app, 202, cast.bob, "POST", `/v1/workflows/${workflow}/runs`, {});
    const task = await asking(app, run_id, "pay");
    expect(await approveBy(app, cast.carol, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.alice, task)).toBe("approved");
  },
);

let brought = 0;

/** A connector by this person, on a folder with the account of a supplier; `run` carries its latest sync out. */
async function connectorBy(person: Person, { environment }: Cast, where: string) {
  const source = path.join(folder, `${++brought}`);
  mkdirSync(source);
  writeFileSync(path.join(source, "amber.txt"), `The account of the supplier Amber is ${account}.`);
  const { connector_id: id } = await must(app, 201, person, "POST", `${where}/connectors`, {
    name: "accounts",
    kind: "folder",
    source: { path: source },
    schedule: { cron: "0 3 * * *" },
  });
  const scope = { organization: "default", environment };
  const db = createReader(process.database.pool);
  const { inside } = process;
  const run = async (): Promise<void> => {
    const port = createSourcePort({
      credentialKey: await app.credentialKey(),
      outboundAllow: [],
      knowledgeFolders: [folder],
    });
    const syncs = await app.pool.query("select id from knowledge_syncs where connector = $1 and state = 'queued'", [
      id,
    ]);
    for (const { id: sync } of syncs.rows)
      await createSyncJob({ inside, db, clock: systemClock }, port)({ ...scope, sync });
    const ingest = createIngestJob(
      { inside, clock: systemClock, newId: createIds(systemClock), db },
      createDownloadPort({ outboundAllow: [] }),
    );
    const waiting = await app.pool.query("select id from documents where connector = $1 and pending is not null", [id]);
    for (const { id: document } of waiting.rows) await ingest({ ...scope, document });
  };
  return {
    id,
    source,
    run,
    due: () => app.pool.query("update knowledge_connectors set next_run_at = now() where id = $1", [id]),
    look: (by: Person) => must(app, 200, by, "GET", `${where}/connectors`).then(({ data }) => data[0]),
  };
}

const sweep = () => process.sweeperWith([syncSweep]).sweep();

it.each(strictEnvironments)(
  "whoever made a connector does not approve a call that takes a text which it brought, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { where, dispatch } = await agentWithBase(cast);
    const { run } = await connectorBy(cast.carol, cast, where);
    await must(app, 202, cast.alice, "POST", `${where}/sync`, {});
    await run();
    const task = await dispatch(cast, "search_and_settle");
    expect(await approveBy(app, cast.carol, task)).toBe("four_eyes");
    expect(await approveBy(app, cast.bob, task)).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "whoever replaced a connector's connection does not approve a call that takes a text which it brought since, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const { alice, bob, carol } = cast;
    const dave = await app.signedInMember("admin", environment);
    const { where, dispatch } = await agentWithBase(cast);
    const connection = { name: `docs-${brought}`, kind: "http", base_url: "https://docs.example.com" };
    await must(app, 201, dave, "POST", "/v1/admin/connections", { ...connection, secret: "of-daves-tenant" });
    const { id, run, source } = await connectorBy(alice, cast, where);
    // Other kinds of sources read what they bring with the connection's secret. Those are not reached from a test here.
    await app.pool.query("update knowledge_connectors set connection = $2 where id = $1", [id, connection.name]);
    const replaced = { ...connection, secret: "of-carols-tenant", replace: true };
    await must(app, 201, carol, "POST", "/v1/admin/connections", replaced);
    await process.refresh();
    writeFileSync(path.join(source, "amber.txt"), `The account of the supplier Amber is ${account}, as before.`);
    await must(app, 202, alice, "POST", `${where}/sync`, {});
    await run();
    const task = await dispatch(cast, "search_and_settle");
    expect(await approveBy(app, carol, task)).toBe("four_eyes");
    expect(await approveBy(app, dave, task)).toBe("four_eyes");
    expect(await approveBy(app, bob, task)).toBe("approved");
  },
);

const restarts = {
  "changes it": (where: string, id: string, by: Person) =>
    must(app, 200, by, "PATCH", `${where}/connectors/${id}`, { state: "active" }),
  "takes it over": (_where: string, id: string, by: Person, { environment }: Cast) => {
    const { memberId, keyId } = by;
    const principal = { id: memberId, kind: "member", role: "admin", scopes: null, agents: null, keyId, issuers: [] };
    const scope = { organization: "default", environment };
    const ctx = { principal, scope, now: Date.now(), db: createReader(process.database.pool) };
    return standingConnector.takeOver(ctx as unknown as WriteContext, id, actorOfCall(ctx as unknown as WriteContext));
  },
};

it.each(
  strictEnvironments.flatMap((environment) =>
    (["changes it", "takes it over"] as const).map((restart) => [restart, environment] as const),
  ),
)(
  "a connector stops when its owner has no role and says so, until somebody else %s, in %s",
  async (restart, environment) => {
    const cast = await castIn(app, environment);
    const { alice, bob, carol } = cast;
    const { where, dispatch } = await agentWithBase(cast);
    const { id, run, due, look } = await connectorBy(carol, cast, where);
    await must(app, 200, alice, "PUT", `/v1/admin/members/${carol.memberId}`, { role: null });
    await due();
    await sweep();
    expect((await look(alice)).stopped_reason).toContain("its owner was removed or lost their role");
    const told = "select body from events where type = 'automation.stopped' and body like $1";
    expect((await app.pool.query(told, [`%${id}%`])).rows).toHaveLength(1);
    expect((await app.call("POST", `${where}/sync`, { key: bob.secret, body: { connector: id } })).status).toBe(409);
    await restarts[restart](where, id, bob, cast);
    expect(await look(alice)).toMatchObject({ stopped_reason: null, next_run_at: expect.any(String) });
    await due();
    await sweep();
    await run();
    expect((await look(alice)).last_sync).toMatchObject({ state: "completed", added: 1, requested_by: bob.memberId });
    expect(await approveBy(app, bob, await dispatch(cast, "search_and_settle"))).toBe("four_eyes");
  },
);

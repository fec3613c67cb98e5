import type { Step } from "@aos/workflow";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { triggerSweep } from "./jobs/sweep.ts";
import { add, published, runsOf, sequenced, triggersOf } from "./triggers.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);
let secret = "";
beforeAll(async () => {
  secret = (await app.call("POST", "/v1/hooks", { body: { name: "shop" } })).body.secret;
});

/** Lets the sweeper hear every event that there is. */
async function hear(): Promise<void> {
  await sequenced(app);
  await process.sweeperWith([triggerSweep]).sweep();
}

let sent = 0;
async function send(body: object): Promise<void> {
  const [text, id, at] = [JSON.stringify(body), `msg_${++sent}`, new Date()];
  const answered = await app.call("POST", "/v1/hooks/shop", {
    key: null,
    body: text,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, at, text),
    },
  });
  expect(answered.status, answered.text).toBe(202);
}

const inputsOf = async (name: string) => (await runsOf(app, name)).map(({ input }) => JSON.parse(input));

describe("an event trigger", () => {
  it("starts a run for each event that a hook publishes under its type, with what map makes of it", async () => {
    const name = await published(app, {
      triggers: [
        { event: "order.refund_requested", where: "event.amount > 10.0", map: { order_id: "event.order_id" } },
      ],
    });
    await send({ type: "order.refund_requested", data: { order_id: "or_1", amount: 20.5 } });
    await send({ type: "order.refund_requested", order_id: "or_2", amount: 30.5 });
    await send({ type: "order.refund_requested", data: { order_id: "or_3", amount: 5.5 } });
    await send({ type: "order.paid", data: { order_id: "or_4", amount: 40.5 } });
    await hear();
    await hear();
    expect(await inputsOf(name)).toEqual([{ order_id: "or_1" }, { order_id: "or_2" }]);
    const [run] = await runsOf(app, name);
    expect(run).toMatchObject({ trigger: "event", principal: (await triggersOf(app, name))[0].runs_as });
    expect(JSON.parse(run.event)).toEqual({ order_id: "or_1", amount: 20.5 });
  });

  it("notes the task whose event started the run, and none that a sender names at a hook", async () => {
    const name = await published(app, { triggers: [{ event: "task.created" }, { event: "task.forged" }] });
    const { task_id } = await app.dispatch();
    await send({ type: "task.forged", data: { task_id } });
    await hear();
    await hear();
    expect((await runsOf(app, name)).map(({ cause_task }) => cause_task).sort()).toEqual([null, task_id]);
  });

  it("hears events of the catalogue, only later ones than itself, and none that its own runs cause", async () => {
    await send({ type: "early" });
    const name = await published(app);
    await add(app, name, { event: "workflow.run.started", map: { of: "event.workflow" } });
    await add(app, name, { event: "early" });
    const other = await published(app);
    await app.call("POST", `/v1/workflows/${other}/runs`, { body: {} });
    await hear();
    await hear();
    expect(await inputsOf(name)).toEqual([{ of: other }]);
  });

  it("cannot be reached by a hook under the name of an event of the catalogue that it publishes by its trigger", async () => {
    const name = await published(app, { triggers: [{ event: "task.completed" }] });
    await published(app, { triggers: [{ hook: "shop", publishes: "task.completed" }] });
    await send({ anything: 1 });
    await hear();
    expect(await runsOf(app, name)).toEqual([]);
  });

  it("hears nothing that its account may not read", async () => {
    const { secret: key } = await app.member("builder");
    const [curious, entitled] = [await published(app, {}, { key }), await published(app)];
    await add(app, curious, { event: "key.revoked" }, { key });
    await add(app, entitled, { event: "key.revoked" });
    const issued = await app.call("POST", "/v1/admin/keys", { body: { name: "k", role: "viewer" } });
    await app.call("DELETE", `/v1/admin/keys/${issued.body.key_id}`, { body: {} });
    await hear();
    expect([(await runsOf(app, curious)).length, (await runsOf(app, entitled)).length]).toEqual([0, 1]);
  });

  it("hears nothing about an object that its account may not read", async () => {
    const { secret: key } = await app.member("builder");
    const vault = { name: "vault", readers: ["role:approver"] };
    await app.call("POST", "/v1/knowledge/bases", { body: vault });
    const triggers = [{ event: "knowledge.base.deleted" }];
    const [curious, entitled] = [await published(app, { triggers }, { key }), await published(app, { triggers })];
    await app.call("DELETE", "/v1/knowledge/bases/vault?force=true");
    await hear();
    expect([(await runsOf(app, curious)).length, (await runsOf(app, entitled)).length]).toEqual([0, 1]);
  });

  it("says at the trigger where its condition or its map cannot be evaluated", async () => {
    const [where, map] = [await published(app), await published(app)];
    await add(app, where, { event: "odd", where: "event.amount > 10.0" });
    await add(app, map, { event: "odd", map: { x: "event.missing" } });
    await send({ type: "odd", data: { no: 1 } });
    await hear();
    expect((await triggersOf(app, where))[0].last_error).toMatchObject({ code: "expression_failed" });
    expect((await triggersOf(app, map))[0].last_error).toMatchObject({ code: "invalid_body" });
  });
});

it("a hook trigger starts a run for each call, and lets the call publish another type", async () => {
  const name = await published(app, { triggers: [{ hook: "shop", publishes: "shop.called", map: { n: "event.n" } }] });
  const listening = await published(app, { triggers: [{ event: "shop.called" }] });
  await send({ n: 1 });
  await hear();
  expect(await inputsOf(name)).toEqual([{ n: 1 }]);
  expect((await runsOf(app, name))[0].trigger).toBe("hook");
  expect((await runsOf(app, listening)).length).toBe(1);
});

it("is not heard twice where two processes look at the same time", async () => {
  const name = await published(app, { triggers: [{ event: "twice" }] });
  for (const n of [1, 2, 3]) await send({ type: "twice", n });
  await sequenced(app);
  const { inside, database } = process;
  const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
  const parts = { db: { query } as never, inside, facts: {} as never, port: app.app.port };
  await Promise.all([1, 2, 3].map(() => triggerSweep.run({ ...parts, now: Date.now() })));
  await triggerSweep.run({ ...parts, now: Date.now() });
  expect((await runsOf(app, name)).length).toBe(3);
});

describe("a step that waits for an event", () => {
  const wait = (more: NonNullable<Step["wait"]>): Step => ({ id: "wait", wait: { at_most: "1d", ...more } });
  const stepOf = async (run: string, step = "wait") =>
    (await app.pool.query("select * from workflow_steps where run_id = $1 and step = $2", [run, step])).rows[0];
  const start = async (name: string, input = {}): Promise<string> =>
    (await app.call("POST", `/v1/workflows/${name}/runs`, { body: { input } })).body.run_id;
  const outputOf = async (run: string) => JSON.parse((await stepOf(run)).output ?? "null");
  const waits = async (run: string, step = "wait") =>
    expect.poll(async () => (await stepOf(run, step))?.status, { timeout: 20_000 }).toBe("waiting");
  const ends = async (run: string) =>
    expect.poll(async () => (await stepOf(run))?.status, { timeout: 20_000 }).toBe("completed");

  it("takes the first that fits, also one that came before it began, and answers its body", async () => {
    await process.worker();
    const name = await published(app, {
      steps: [
        { id: "go", wait: { event: "bank.open", at_most: "1d" } },
        wait({ event: "bank.settled", where: "event.refund == input.id" }),
      ],
    });
    const [early, late] = [await start(name, { id: "rf_1" }), await start(name, { id: "rf_2" })];
    for (const run of [early, late]) await waits(run, "go");
    for (const n of [1, 2]) await send({ type: "bank.settled", data: { refund: "rf_1", n } });
    await send({ type: "bank.open" });
    await hear();
    for (const run of [early, late]) await waits(run);
    await hear();
    await ends(early);
    expect(await outputOf(early)).toEqual({ refund: "rf_1", n: 1 });
    const { rows } = await app.pool.query("select deciders from workflow_waits where run_id = $1 and step = 'wait'", [
      early,
    ]);
    expect(rows[0].deciders).toContainEqual(expect.objectContaining({ how: "secret", of: "hook:shop" }));
    expect((await stepOf(late)).status).toBe("waiting");
    await send({ type: "bank.settled", data: { refund: "rf_2", n: 3 } });
    await hear();
    await ends(late);
    expect(await outputOf(late)).toEqual({ refund: "rf_2", n: 3 });
  });

  it("takes the first of several with any_of, and one event ends as many waits as it fits", async () => {
    await process.worker();
    const name = await published(app, {
      steps: [wait({ any_of: [{ event: "a.one" }, { event: "a.two", where: "event.n == 2.0" }] })],
    });
    const runs = [await start(name), await start(name)];
    for (const run of runs) await waits(run);
    await hear();
    for (const body of [
      { type: "a.two", n: 1 },
      { type: "a.two", n: 2 },
      { type: "a.one", n: 3 },
    ])
      await send(body);
    await hear();
    for (const run of runs) {
      await ends(run);
      expect(await outputOf(run)).toMatchObject({ n: 2 });
    }
  });

  it("hears nothing about an object that its run's account may not read", async () => {
    await process.worker();
    const { secret: key } = await app.member("builder");
    const name = await published(app, { steps: [wait({ event: "knowledge.base.deleted" })] });
    const curious = (await app.call("POST", `/v1/workflows/${name}/runs`, { key, body: {} })).body.run_id;
    const entitled = await start(name);
    for (const run of [curious, entitled]) await waits(run);
    await app.call("POST", "/v1/knowledge/bases", { body: { name: "attic", readers: ["role:approver"] } });
    await app.call("DELETE", "/v1/knowledge/bases/attic?force=true");
    await hear();
    await ends(entitled);
    expect([(await outputOf(entitled)).base, (await stepOf(curious)).status]).toEqual(["attic", "waiting"]);
  });

  it("is given its event by a signal, which other runs do not hear", async () => {
    await process.worker();
    const name = await published(app, { steps: [wait({ event: "bank.settled" })] });
    const [run, other] = [await start(name), await start(name)];
    for (const one of [run, other]) await waits(one);
    const signal = (body: object) => app.call("POST", `/v1/workflows/${name}/runs/${run}/signal`, { body });
    const { status, body } = await signal({ event: "bank.settled", data: { by: "hand" } });
    expect([status, body]).toEqual([202, { run_id: run, event: "bank.settled", awaited: true }]);
    await hear();
    await ends(run);
    expect([await outputOf(run), (await stepOf(other)).status]).toEqual([{ by: "hand" }, "waiting"]);
  });

  it("that is retried takes a later event than the one that it has had", async () => {
    await process.worker();
    const name = await published(app, { steps: [wait({ event: "bank.again" })] });
    const run = await start(name);
    await waits(run);
    await send({ type: "bank.again", data: { n: 1 } });
    await hear();
    await ends(run);
    const retried = await app.call("POST", `/v1/workflows/${name}/runs/${run}/control`, {
      body: { action: "retry_from", step: "wait" },
    });
    expect(retried.status, retried.text).toBe(202);
    await waits(run);
    await hear();
    expect((await stepOf(run)).status).toBe("waiting");
    await send({ type: "bank.again", data: { n: 2 } });
    await hear();
    await ends(run);
    expect(await outputOf(run)).toEqual({ n: 2 });
  });
});

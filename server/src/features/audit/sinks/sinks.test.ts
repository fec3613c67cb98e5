import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { useApp } from "../../../testing/app.ts";
import { type Received, type Receiver, type Reply, startReceiver } from "../../../testing/receiver.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { editLog, whileEdited } from "../testing.ts";
import type { BatchHead } from "./batch.ts";
import type { SinkJobOptions } from "./jobs/sink-job.ts";
import { sinkSweep } from "./jobs/sink-sweep.ts";
import { stopSink } from "./operations/stop-sink.ts";
import { tellSinkFailing } from "./operations/tell-sink-failing.ts";
import {
  createReceiverCheck,
  createSink,
  type Hands,
  makeRecords,
  readSink,
  type TakenRecord,
  untilAllSequenced,
  workOn,
} from "./sinks.fixture.ts";
import { moveToLog } from "./store.ts";

const app = useApp();
const worker = useWorkerProcess(app);
const replies = new Map<string, Reply>();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(
    ({ path }) => replies.get(path) ?? { status: 200, body: '{"text":"Success","code":0}' },
  );
  await makeRecords(app, 5);
});
afterAll(() => receiver.close());

const secretOf = (fill: number): string => `whsec_${Buffer.alloc(24, fill).toString("base64")}`;
let made = 0;
/** A webhook sink with a path of its own. */
async function webhook(body: object = {}) {
  const path = `/sink-${++made}`;
  const target = { url: receiver.url + path };
  const sink = await createSink(app, {
    kind: "webhook",
    target,
    credentials: { signing_secret: secretOf(1) },
    ...body,
  });
  return { path, id: sink.sink_id };
}
const work = (
  id: string,
  { db = createReader(worker.database.pool), ...options }: SinkJobOptions & Partial<Hands> = {},
) => workOn(app, { db, inside: worker.inside }, id, options);
const few = { limits: { records: 3, characters: 1_000_000 } };
const many = { limits: { records: 1_000, characters: 1_000_000 } };
interface Batch {
  readonly batch: BatchHead;
  readonly records: readonly TakenRecord[];
}
const batchOf = ({ body }: Pick<Received, "body">): Batch => JSON.parse(body);
const indexes = (batches: readonly Batch[]) => batches.flatMap(({ records }) => records.map((one) => one.leaf_index));

describe("a sink", () => {
  it("sends the whole log in its order, in signed batches whose ranges adjoin and lead to the signed head", async () => {
    const size = await untilAllSequenced(app);
    const { path, id } = await webhook();
    await work(id, few);
    const received = receiver.at(path);
    const check = createReceiverCheck(app);
    for (const one of received) {
      const { batch, records } = batchOf(one);
      await check(batch, records);
      expect(records.length).toBeLessThanOrEqual(3);
      expect(new Webhook(secretOf(1)).verify(one.body, one.headers)).toBeDefined();
      const key = `${id}-0-${batch.first_leaf}-${batch.last_leaf}`;
      expect([one.headers["webhook-id"], one.headers["idempotency-key"]]).toEqual([key, key]);
    }
    const sink = await readSink(app, id);
    expect(sink.position).toBeGreaterThanOrEqual(size);
    expect(sink).toMatchObject({
      sent_records: sink.position,
      last_error: null,
      checkpoint: batchOf(received.at(-1) as Received).batch.checkpoint,
    });
    const events = (await app.call("GET", "/v1/audit/events?limit=100")).body.data;
    const { leaf, ...first } = events.find((event: { leaf: { index: number } }) => event.leaf.index === 0);
    expect(batchOf(received[0] as Received).records[0]).toMatchObject({ ...first, leaf_index: 0 });
  });

  it("says by how many records and seconds it is behind, and begins with new records by default", async () => {
    const size = await untilAllSequenced(app);
    const { id } = await webhook({ from_leaf: undefined });
    await makeRecords(app, 2);
    await untilAllSequenced(app);
    const { since_leaf, position, lag_records, lag_seconds } = await readSink(app, id);
    expect(since_leaf).toBeGreaterThanOrEqual(size);
    expect(position).toBe(since_leaf);
    expect(lag_records).toBeGreaterThanOrEqual(2);
    expect(lag_seconds).toBeGreaterThan(0);
  });

  it("sends only records that fit its filter, and says that the others were looked at", async () => {
    await makeRecords(app, 4);
    await app.call("POST", "/v1/agents/sales/tasks", { key: "viewer", body: {} });
    await untilAllSequenced(app);
    const { path, id } = await webhook({ filter: { decision: ["refused"] } });
    await work(id, few);
    const batches = receiver.at(path).map(batchOf);
    const { position, sent_records } = await readSink(app, id);
    const found = (await app.call("GET", "/v1/audit/events?decision=refused&limit=100")).body.data;
    expect(indexes(batches)).toEqual(found.map((one: { leaf: { index: number } }) => one.leaf.index).reverse());
    expect(sent_records).toBe(indexes(batches).length);
    expect(position).toBeGreaterThan(batches.at(-1)?.batch.last_leaf as number);
    const ends = batches.map(({ batch }) => batch.last_leaf + 1);
    expect(batches.map(({ batch }) => batch.first_leaf)).toEqual([0, ...ends.slice(0, -1)]);
  });

  it("sends events of OCSF where asked to", async () => {
    const { path, id } = await webhook({ format: "ocsf", filter: { action: "audit.createSink" } });
    await untilAllSequenced(app);
    await work(id);
    const events: readonly unknown[] = batchOf(receiver.at(path)[0] as Received).records;
    expect(events[0]).toMatchObject({ class_uid: 6003, api: { operation: "audit.createSink" } });
  });

  it("holds where a record is not what was logged, and goes on once it is restored", async () => {
    await untilAllSequenced(app);
    const { path, id } = await webhook();
    const { rows } = await app.pool.query(
      "select record_id from audit_leaves where environment = 'development' and leaf_index = 2",
    );
    const which = `id = '${rows[0].record_id}'`;
    const change = `update audit_records set body = body || ' ' where ${which}`;
    await whileEdited(app, { audit_records: which }, change, () => work(id));
    expect(receiver.at(path)).toEqual([]);
    expect(await readSink(app, id)).toMatchObject({
      position: 0,
      last_error: { code: "log_altered", detail: expect.stringContaining(rows[0].record_id) },
    });
    await work(id);
    expect((await readSink(app, id)).last_error).toBeNull();
    expect(indexes(receiver.at(path).map(batchOf)).slice(0, 4)).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ["a sink of all records", {}],
    ["a sink whose filter it does not fit", { decision: ["failed"] }],
  ])("holds where the text of a record is gone and no record of a removal explains it: %s", async (_which, filter) => {
    await untilAllSequenced(app);
    const { path, id } = await webhook({ filter });
    const { rows } = await app.pool.query(
      "select record_id from audit_leaves where environment = 'development' and leaf_index = 2",
    );
    const which = `id = '${rows[0].record_id}'`;
    await whileEdited(app, { audit_records: which }, `delete from audit_records where ${which}`, () => work(id));
    expect(receiver.at(path)).toEqual([]);
    expect(await readSink(app, id)).toMatchObject({
      position: 0,
      last_error: { code: "log_altered", detail: expect.stringContaining("at place 2 of the log has no text") },
    });
  });

  it("leaves the worker to others after its time, and goes on where it was", async () => {
    await untilAllSequenced(app);
    const { path, id } = await webhook();
    for (const batches of [1, 2]) {
      await work(id, { ...few, turnMs: 0 });
      expect(receiver.at(path)).toHaveLength(batches);
    }
    expect((await readSink(app, id)).position).toBe(6);
  });

  it("keeps signing with the former secret for a day", async () => {
    const { path, id } = await webhook();
    const credentials = { signing_secret: secretOf(2) };
    expect((await app.call("PATCH", `/v1/audit/sinks/${id}`, { body: { credentials } })).status).toBe(200);
    await untilAllSequenced(app);
    await work(id);
    const [first] = receiver.at(path) as [Received];
    for (const fill of [1, 2]) expect(new Webhook(secretOf(fill)).verify(first.body, first.headers)).toBeDefined();
    await app.pool.query("update audit_sinks set previous_until = now() where id = $1", [id]);
    await makeRecords(app, 1);
    await untilAllSequenced(app);
    await work(id);
    const last = receiver.at(path).at(-1) as Received;
    expect(() => new Webhook(secretOf(1)).verify(last.body, last.headers)).toThrow();
  });

  it("is woken by the sweep where the log has something for it, and not while it is paused", async () => {
    const { id } = await webhook();
    const jobs = async () =>
      (await app.pool.query("select from graphile_worker.jobs where key = $1", [id])).rowCount as number;
    const asleep = async () => {
      await app.pool.query("select graphile_worker.remove_job($1)", [id]);
      await worker.sweeperWith([sinkSweep]).sweep();
      return (await jobs()) === 0;
    };
    expect(await asleep()).toBe(false);
    await app.call("PATCH", `/v1/audit/sinks/${id}`, { body: { state: "paused" } });
    expect(await asleep()).toBe(true);
    await work(id);
    expect((await readSink(app, id)).position).toBe(0);
    expect(worker.faults).toEqual([]);
  });
});

describe("a receiver that fails", () => {
  it.each([
    [{ status: 503, headers: { "retry-after": "120" } }, "status"],
    [{ status: 302, headers: { location: "https://elsewhere.example.com" } }, "redirect"],
  ])("is sent the batch again after a pause: %j", async (reply, code) => {
    const { path, id } = await webhook();
    replies.set(path, reply);
    await untilAllSequenced(app);
    await work(id, few);
    const failed = await readSink(app, id);
    expect(failed).toMatchObject({ position: 0, last_error: { code }, failing_since: expect.any(String) });
    const pause = Date.parse(failed.next_attempt_at as string) - Date.parse(failed.failing_since as string);
    expect(pause).toBe(code === "status" ? 120_000 : 1_000);
    replies.delete(path);
    await work(id, few);
    expect(await readSink(app, id)).toMatchObject({ last_error: null, failing_since: null });
    expect(receiver.at(path)[1]?.headers["idempotency-key"]).toBe(receiver.at(path)[0]?.headers["idempotency-key"]);
  });

  it("is reported once where it fails for some minutes", async () => {
    const { path, id } = await webhook();
    const tell = () => worker.inside(tellSinkFailing, app.scope, { sink: id });
    await expect(tell()).rejects.toMatchObject({ type: { code: "wrong_state" } });
    replies.set(path, { status: 500 });
    await untilAllSequenced(app);
    const told = async () => {
      await worker.sweeperWith([sinkSweep]).sweep();
      const { rows } = await app.pool.query("select body from events where type = 'audit.sink_failing'");
      return rows.map(({ body }) => JSON.parse(body)).filter(({ sink_id }) => sink_id === id);
    };
    for (let attempt = 0; attempt < 8; attempt++) await work(id, few);
    expect(await told()).toEqual([]);
    await failsForMinutes(id);
    await told();
    expect(await told()).toEqual([
      {
        event: "audit.sink_failing",
        sink_id: id,
        kind: "webhook",
        failing_since: expect.any(String),
        error: "status",
        position: 0,
      },
    ]);
  });

  it("is reported where not the receiver fails but the sink's credentials no longer open", async () => {
    const { path, id } = await webhook();
    await untilAllSequenced(app);
    await app.pool.query("update audit_sinks set credentials = '\\x00' where id = $1", [id]);
    await expect(work(id)).rejects.toThrow("do not open");
    expect(await readSink(app, id)).toMatchObject({ last_error: { code: "service_fault" }, position: 0 });
    await failsForMinutes(id);
    await worker.sweeperWith([sinkSweep]).sweep();
    const { rows } = await app.pool.query("select body from events where type = 'audit.sink_failing'");
    const told = rows.map(({ body }) => JSON.parse(body)).find(({ sink_id }) => sink_id === id);
    expect([told?.error, receiver.at(path)]).toEqual(["service_fault", []]);
  });

  it("loses and doubles nothing where it was away while records were written, with a worker lost in between", async () => {
    const away = await startSwitchable();
    const target = { url: away.url };
    const { sink_id: id } = await createSink(app, {
      kind: "webhook",
      target,
      credentials: { signing_secret: secretOf(1) },
    });
    await untilAllSequenced(app);
    await work(id, few);
    await away.leave();
    await makeRecords(app, 4);
    await untilAllSequenced(app);
    const { position } = await readSink(app, id);
    await work(id, few);
    expect(await readSink(app, id)).toMatchObject({ position, last_error: { code: "connect_failed" } });
    await makeRecords(app, 3);
    await untilAllSequenced(app);
    await away.comeBack();
    const before = away.taken.length;
    await expect(work(id, { ...many, db: lostBefore("set next_leaf") })).rejects.toThrow("the worker was lost");
    expect([away.taken.length, (await readSink(app, id)).position]).toEqual([before + 1, position]);
    await makeRecords(app, 3);
    await untilAllSequenced(app);
    await work(id, many);
    const [lost, again, ...rest] = away.taken.slice(before);
    expect([again?.key, again?.batch.batch.last_leaf]).toEqual([lost?.key, lost?.batch.batch.last_leaf]);
    expect(again?.batch.records).toEqual(lost?.batch.records);
    const check = createReceiverCheck(app);
    const once = [...new Map(away.taken.map((one) => [one.key, one.batch])).values()];
    for (const { batch, records } of once) await check(batch, records);
    expect(rest.length).toBeGreaterThan(0);
    expect((await readSink(app, id)).sent_records).toBe(indexes(once).length);
  });
});

describe("a sink's place", () => {
  it("is kept from a worker that lost the sink, and from one that would stop it without a reason", async () => {
    const { id } = await webhook();
    await untilAllSequenced(app);
    const statements = createReader(worker.database.pool);
    const overtaken: Statements = {
      async query(text, values) {
        if (text.includes("set next_leaf"))
          await app.pool.query("update audit_sinks set attempt = attempt + 1 where id = $1", [id]);
        return statements.query(text, values);
      },
    };
    await work(id, { ...few, db: overtaken });
    expect((await readSink(app, id)).position).toBe(0);
    const stopping = worker.inside(stopSink, app.scope, { sink: id, attempt: 1 });
    await expect(stopping).rejects.toMatchObject({ type: { code: "wrong_state" } });
  });

  it.each([
    ["is paused", "state = 'paused'", "amid the first batch", "set next_leaf", 1],
    ["is paused", "state = 'paused'", "before it is sent", "set sending_to", 0],
    ["belongs to a log that is closed", "epoch = epoch + 1", "amid the first batch", "set next_leaf", 1],
    ["belongs to a log that is closed", "epoch = epoch + 1", "before it is sent", "set sending_to", 0],
  ])("keeps a sink that %s (%s) %s from sending more", async (_what, change, _when, statement, sent) => {
    const { path, id } = await webhook();
    await untilAllSequenced(app);
    const statements = createReader(worker.database.pool);
    let changes = 0;
    const changed: Statements = {
      async query(text, values) {
        if (text.includes(statement) && ++changes === 1)
          await app.pool.query(`update audit_sinks set ${change} where id = $1`, [id]);
        return statements.query(text, values);
      },
    };
    await work(id, { ...few, db: changed });
    expect(receiver.at(path)).toHaveLength(sent);
    const { rows } = await app.pool.query("select lease_until, last_error, sending_to from audit_sinks where id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ lease_until: null, last_error: null, sending_to: null }]);
  });

  it("begins again in the log that is opened when its own is closed, and says what was not sent", async () => {
    const { id } = await webhook();
    await app.pool.query("update audit_sinks set next_leaf = 3, range_from = 3, attempt = 1 where id = $1", [id]);
    await editLog(
      app,
      `insert into audit_closed_logs (organization, environment, epoch, origin, first_leaf, tree_size, checkpoint, verifier_key, adoption, closed_at, mac)
       values ('default', 'development', 0, 'closed', 0, 10, '', '', 'aud_0', '2026-11-20T09:30:00Z', '')`,
    );
    const moved = await moveToLog(createReader(app.pool), { ...app.scope, id, attempt: 1 }, 1);
    expect(moved).toMatchObject({
      epoch: 1,
      next_leaf: 0,
      range_from: 0,
      sending_to: null,
      not_sent: [{ log: "closed", from_leaf: 3, to_leaf: 9, closed_at: "2026-11-20T09:30:00.000Z" }],
    });
    await editLog(app, "delete from audit_closed_logs");
  });
});

const failsForMinutes = (id: string) =>
  app.pool.query("update audit_sinks set failing_since = failing_since - interval '5 minutes' where id = $1", [id]);

/** Statements of a worker that is lost as soon as it makes one with this text. */
function lostBefore(text: string): Statements {
  const statements = createReader(worker.database.pool);
  let isLost = false;
  return {
    query(statement, values) {
      isLost ||= statement.includes(text);
      return isLost ? Promise.reject(new Error("the worker was lost")) : statements.query(statement, values);
    },
  };
}

/** A receiver that leaves, so that connections are refused, and comes back at the same port. */
async function startSwitchable() {
  const taken: { readonly key: string; readonly batch: Batch }[] = [];
  let server: Server;
  const listen = async (port: number): Promise<number> => {
    server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const body = Buffer.concat(pieces).toString();
        taken.push({ key: String(request.headers["idempotency-key"]), batch: batchOf({ body }) });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const leave = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  afterAll(leave);
  return { url: `http://127.0.0.1:${port}/`, taken, leave, comeBack: () => listen(port) };
}

import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { AwsClient } from "aws4fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selfSigned } from "../../../../outbound/certificate.fixture.ts";
import { useApp } from "../../../../testing/app.ts";
import { type Received, type Receiver, type Reply, startReceiver } from "../../../../testing/receiver.ts";
import { bucketCredentials, startBucket } from "../../../knowledge/connectors/servers.fixture.ts";
import type { BatchHead } from "../batch.ts";
import {
  createReceiverCheck,
  createSink,
  handsOf,
  makeRecords,
  readSink,
  type TakenRecord,
  untilAllSequenced,
  workOn,
} from "../sinks.fixture.ts";

const app = useApp();
const few = { limits: { records: 3, characters: 1_000_000 } };
let receiver: Receiver;
let reply: Reply = { status: 200, body: "{}" };
beforeAll(async () => {
  receiver = await startReceiver(() => reply);
  await makeRecords(app, 5);
});
afterAll(() => receiver.close());

const send = async (id: string) => {
  await untilAllSequenced(app);
  await workOn(app, handsOf(app), id, few);
  return readSink(app, id);
};

describe("splunk_hec", () => {
  const sink = (token = "the-token") =>
    createSink(app, {
      kind: "splunk_hec",
      target: { url: `${receiver.url}/`, index: "audit" },
      credentials: { token },
    });
  const eventsOf = ({ body }: Received) => body.split("\n").map((line) => JSON.parse(line));

  it("posts an event for each record with its place, and one that says what they cover", async () => {
    reply = { status: 200, body: '{"text":"Success","code":0}' };
    const { sink_id: id } = await sink();
    expect((await send(id)).last_error).toBeNull();
    const check = createReceiverCheck(app);
    const received = receiver.at("/services/collector/event");
    for (const one of received) {
      const events = eventsOf(one);
      const records = events.slice(0, -1);
      await check(
        events.at(-1).event,
        records.map(({ event }) => event),
      );
      expect(records.map(({ fields }) => fields.aos_leaf_index)).toEqual(records.map(({ event }) => event.leaf_index));
      expect(new Set(events.map(({ index }) => index))).toEqual(new Set(["audit"]));
      expect([records[0].sourcetype, events.at(-1).sourcetype]).toEqual(["aos:audit", "aos:audit:batch"]);
      expect(records[0].time * 1_000).toBeCloseTo(Date.parse(records[0].event.time));
    }
    expect(received[0]?.headers.authorization).toBe("Splunk the-token");
  });

  it("counts as taken by the code 0 of the collector alone", async () => {
    reply = { status: 200, body: '{"text":"Server is busy, the-token","code":9}' };
    const { sink_id: id } = await sink();
    const { position, last_error } = await send(id);
    expect(position).toBe(0);
    expect(last_error).toMatchObject({ code: "not_taken", detail: expect.stringContaining("Server is busy, …") });
  });

  it("shows no part of a secret that the receiver repeats, where the excerpt ends in it and where JSON escapes it", async () => {
    const token = 'the/"secret"/token';
    const escaped = JSON.stringify({ text: `${token} ${"x".repeat(155)}` }).replaceAll("/", "\\/");
    reply = { status: 500, body: `${escaped} ${token}` };
    const { sink_id: id } = await sink(token);
    const { last_error } = await send(id);
    expect(last_error?.detail).toMatch(/It says: \{"text":"… x{155}"\} …$/);
  });
});

describe("otlp", () => {
  const sink = () =>
    createSink(app, {
      kind: "otlp",
      target: { url: `${receiver.url}/v1/logs` },
      credentials: { headers: { Authorization: "Bearer the-token" } },
    });

  it("posts a log record for each record with its place, and one that says what they cover", async () => {
    reply = { status: 200, body: '{"partialSuccess":{}}' };
    const { sink_id: id } = await sink();
    expect((await send(id)).last_error).toBeNull();
    const check = createReceiverCheck(app);
    for (const { body, headers } of receiver.at("/v1/logs")) {
      const [{ scopeLogs }] = JSON.parse(body).resourceLogs;
      const { logRecords } = scopeLogs[0];
      const heads = logRecords
        .slice(-1)
        .map((one: { body: { stringValue: string } }) => JSON.parse(one.body.stringValue));
      const records: TakenRecord[] = logRecords
        .slice(0, -1)
        .map((one: { body: { stringValue: string } }) => JSON.parse(one.body.stringValue));
      await check(heads[0], records);
      const places = logRecords
        .slice(0, -1)
        .map(({ attributes }: { attributes: { key: string; value: { intValue: string } }[] }) =>
          Number(attributes.find(({ key }) => key === "aos.leaf_index")?.value.intValue),
        );
      expect(places).toEqual(records.map(({ leaf_index }) => leaf_index));
      expect([headers.authorization, headers["content-type"]]).toEqual(["Bearer the-token", "application/json"]);
    }
  });

  it.each([
    ["a page", "<html><body>Sign in</body></html>"],
    ["an answer that was cut", '{"partialSuccess":{"rejectedLogRecords":"2"'],
    ["a number of rejected records that is none", '{"partialSuccess":{"rejectedLogRecords":"some"}}'],
    ["a list", "[]"],
  ])("does not count as taken by %s", async (_what, body) => {
    reply = { status: 200, body };
    const { sink_id: id } = await sink();
    expect(await send(id)).toMatchObject({ position: 0, last_error: { code: "not_taken" } });
  });

  it.each([
    ["nothing", ""],
    ["a warning", '{"partialSuccess":{"rejectedLogRecords":"0","errorMessage":"slow down"}}'],
  ])("counts as taken by %s", async (_what, body) => {
    reply = { status: 200, body };
    const { sink_id: id } = await sink();
    const { position, last_error } = await send(id);
    expect([position > 0, last_error]).toEqual([true, null]);
  });

  it("does not count as taken where the collector rejects some records", async () => {
    reply = { status: 200, body: '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}' };
    const { sink_id: id } = await sink();
    expect(await send(id)).toMatchObject({
      position: 0,
      last_error: { code: "not_taken", detail: expect.stringContaining("rejected 2 of 4") },
    });
  });
});

describe("syslog", () => {
  const { key, cert } = selfSigned("localhost");
  const connections: string[] = [];
  let breaksOff = false;
  const server = createServer({ key, cert }, (socket: TLSSocket) => {
    const pieces: Buffer[] = [];
    socket.on("error", () => undefined);
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("end", () => connections.push(Buffer.concat(pieces).toString()));
  });
  server.on("connection", (socket) => breaksOff && socket.destroy());
  server.on("tlsClientError", () => undefined);
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());
  const sink = (target: object = { ca: cert }) =>
    createSink(app, { kind: "syslog", target: { host: "localhost", port, ...target } });

  it("writes messages of RFC 5424 by octet counting, with the place of each record, and one that says what they cover", async () => {
    const { sink_id: id } = await sink();
    expect((await send(id)).last_error).toBeNull();
    const check = createReceiverCheck(app);
    for (const text of connections) {
      const messages = framesOf(text).map(partsOf);
      const records = messages.slice(0, -1).map(({ body }) => JSON.parse(body));
      const head: BatchHead = JSON.parse(messages.at(-1)?.body as string);
      await check(head, records);
      expect(messages[0]).toMatchObject({
        priority: "110",
        time: records[0].time,
        host: head.log,
        app: "aos",
        id: records[0].action,
        data: `[meta sequenceId="${records[0].leaf_index + 1}"]`,
      });
    }
  });

  it("does not count as taken where the receiver breaks off, or has a certificate of an unknown authority", async () => {
    const { sink_id: untrusted } = await sink({});
    expect(await send(untrusted)).toMatchObject({ position: 0, last_error: { code: "tls_failed" } });
    breaksOff = true;
    const { sink_id: broken } = await sink();
    expect(await send(broken)).toMatchObject({ position: 0, last_error: { code: "connect_failed" } });
    breaksOff = false;
  });
});

describe("s3", () => {
  const client = new AwsClient({
    accessKeyId: bucketCredentials.access_key_id,
    secretAccessKey: bucketCredentials.secret_access_key,
    service: "s3",
    region: "us-east-1",
  });
  let bucket: Awaited<ReturnType<typeof startBucket>>;
  beforeAll(async () => {
    bucket = await startBucket("logs");
  });
  const get = async (path: string): Promise<string> => (await client.fetch(`${bucket.url}/logs${path}`)).text();
  const names = async (prefix: string) =>
    [...(await get(`?list-type=2&prefix=${prefix}`)).matchAll(/<Key>([^<]+)<\/Key>/g)].map(
      ([, name]) => name as string,
    );
  const sink = (prefix: string, credentials = bucketCredentials) =>
    createSink(app, {
      kind: "s3",
      target: { endpoint: bucket.url, bucket: "logs", prefix, every_seconds: 0 },
      credentials,
    });

  it("writes objects of JSON lines that are named by their range, and the same object where a range is sent again", async () => {
    const { sink_id: id } = await sink("audit/");
    const { position } = await send(id);
    const found = await names("audit/");
    const check = createReceiverCheck(app);
    for (const name of found) {
      const [first, ...lines] = (await get(`/${name}`))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const { batch }: { batch: BatchHead } = first;
      await check(batch, lines);
      const place = (leaf: number) => String(leaf).padStart(12, "0");
      expect(name).toBe(`audit/development/${id}/0/${place(batch.first_leaf)}-${place(batch.last_leaf)}.jsonl`);
    }
    await app.pool.query("update audit_sinks set next_leaf = 0, range_from = 0, sending_to = 3 where id = $1", [id]);
    await send(id);
    const folder = `audit/development/${id}/0/`;
    expect(await names(`${folder}000000000000-`)).toEqual([`${folder}000000000000-000000000002.jsonl`]);
    expect((await readSink(app, id)).position).toBeGreaterThan(position);
  });

  it("writes objects that those of another sink with the same bucket and prefix do not overwrite", async () => {
    const [one, other] = [await sink("shared/"), await sink("shared/")];
    for (const { sink_id: id } of [one, other]) await send(id);
    const writers: string[] = [];
    for (const name of await names("shared/")) {
      const [first] = (await get(`/${name}`)).split("\n");
      const { batch }: { batch: BatchHead } = JSON.parse(first as string);
      if (batch.first_leaf === 0) writers.push(batch.sink_id);
    }
    expect(writers.sort()).toEqual([one.sink_id, other.sink_id].sort());
  });

  it("writes a backlog without waits, also where objects are full by their size", async () => {
    const { sink_id: id } = await sink("backlog/");
    await app.pool.query(`update audit_sinks set target = target || '{"every_seconds": 300}' where id = $1`, [id]);
    const size = await untilAllSequenced(app);
    await workOn(app, handsOf(app), id, { limits: { records: 1_000, characters: 4_000 } });
    expect((await readSink(app, id)).position).toBeGreaterThanOrEqual(size);
    expect((await names("backlog/")).length).toBeGreaterThan(1);
  });

  it("does not count as taken by a page that is no answer of a bucket", async () => {
    reply = { status: 200, body: "<html><body>Sign in</body></html>" };
    const { sink_id: id } = await createSink(app, {
      kind: "s3",
      target: { endpoint: receiver.url, bucket: "logs", every_seconds: 0 },
      credentials: bucketCredentials,
    });
    expect(await send(id)).toMatchObject({ position: 0, last_error: { code: "not_taken" } });
  });

  it("waits between objects while few records wait", async () => {
    const { sink_id: id } = await sink("slowly/");
    await app.pool.query(`update audit_sinks set target = target || '{"every_seconds": 300}' where id = $1`, [id]);
    await untilAllSequenced(app);
    await workOn(app, handsOf(app), id, { limits: { records: 1_000, characters: 1_000_000 } });
    const { rows } = await app.pool.query(
      "select next_at > now() + interval '4 minutes' as waits from audit_sinks where id = $1",
      [id],
    );
    expect([rows[0].waits, (await names("slowly/")).length]).toEqual([true, 1]);
  });

  it("says that the credentials are refused, without them", async () => {
    const wrong = { access_key_id: "NOBODY", secret_access_key: "a-wrong-secret" };
    const { sink_id: id } = await sink("wrong/", wrong);
    const failed = await send(id);
    expect(failed).toMatchObject({ position: 0, last_error: { code: "forbidden" } });
    expect(JSON.stringify(failed)).not.toContain("a-wrong-secret");
  });
});

/** Messages by their octet counts (RFC 6587, section 3.4.1). */
function framesOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const frames: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(" ", at);
    const end = space + 1 + Number(bytes.subarray(at, space).toString());
    frames.push(bytes.subarray(space + 1, end).toString());
    at = end;
  }
  return frames;
}

function partsOf(message: string) {
  const found = /^<(\d+)>1 (\S+) (\S+) (\S+) - (\S+) (\[[^\]]*\]|-) (.*)$/s.exec(message) as RegExpExecArray;
  const [, priority, time, host, app, id, data, body = ""] = found;
  return { priority, time, host, app, id, data, body };
}

import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { isTest, readSources } from "../../scripts/checks/sources.ts";
import { sampleOf } from "../src/features/webhooks/events/sample.ts";
import { sequenced } from "../src/features/workflows/triggers/triggers.fixture.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { type EventType, eventCatalogue, everyone } from "../src/kernel/events.ts";
import { createIds } from "../src/kernel/ids.ts";
import { collectEvents } from "../src/pipeline/events.ts";
import { useApp } from "../src/testing/app.ts";
import { useDeliveries } from "../src/testing/delivery.ts";
import { type Receiver, startReceiver } from "../src/testing/receiver.ts";
import { linkToken, signIn } from "../src/testing/sessions.ts";
import { openEvents } from "../src/testing/sse.ts";

// One event of each declared type, about objects that only approvers may read, and every way in which an event gets out.

publishedOperations(); // declares all events
const repository = path.resolve(import.meta.dirname, "../..");
const app = useApp();
const newId = createIds(systemClock);
const deliver = useDeliveries(app);
let receiver: Receiver;
const types = eventCatalogue()
  .map(({ type }) => type)
  .filter((type) => type !== "ping");
/** By type. */
const ids = new Map<string, string>();
const given: Record<string, string> = { base: "vault", name: "vault", connector: "inner" };
const keys: Record<string, string> = {};
const endpoints: Record<string, string> = {};

const knowledge = (method: string, path: string, body?: object) =>
  app.call(method, `/v1/knowledge${path}`, { ...(body && { body }) });
const as = (reader: string) => ({ key: keys[reader] as string });
const issued = async (body: object): Promise<string> =>
  (await app.call("POST", "/v1/admin/keys", { body: { name: "reader", ...body } })).body.key;

beforeAll(async () => {
  receiver = await startReceiver();
  const readers = ["role:approver"];
  given.base_id = (await knowledge("POST", "/bases", { name: "vault", readers })).body.base_id;
  await knowledge("POST", "/bases", { name: "shelf" });
  const document = { external_id: "secret", text: "The harvest of Zanzibar.", readers };
  given.document_id = (await knowledge("POST", "/bases/shelf/documents", document)).body.document_id;
  const connector = { kind: "website", source: { url: "https://zanzibar.invalid/" }, name: "inner", readers };
  given.connector_id = (await knowledge("POST", "/bases/vault/connectors", connector)).body.connector_id;
  Object.assign(keys, { admin: app.key("admin"), approver: app.key("approver"), builder: app.key("builder") });
  keys.scoped = await issued({ role: "builder", scopes: ["webhooks:read", "webhooks:write"] });
});
afterAll(() => receiver.close());

const insert =
  "insert into events (organization, environment, id, n, type, body) values ('default', 'development', $1, $2, $3, $4)";
/** Stores one event of each type. */
async function happen(): Promise<void> {
  for (const [n, event] of eventCatalogue().entries()) {
    if (event.type === "ping") continue;
    const id = newId("evt");
    ids.set(event.type, id);
    const body = sampleOf(event, new Date().toISOString(), given);
    await app.pool.query(insert, [id, n, event.type, JSON.stringify(body)]);
  }
  await sequenced(app);
}
beforeAll(happen);

/** Of which of the types of the walk there is an event among these. */
const typesOf = (found: readonly { event_id: string }[]): string[] => {
  const known = new Map([...ids].map(([type, id]) => [id, type]));
  return found.flatMap(({ event_id }) => known.get(event_id) ?? []).sort();
};

async function pages(list: string, reader: string): Promise<{ event_id: string }[]> {
  const found = [];
  for (let cursor = "", more = true; more; ) {
    const { body } = await app.call("GET", `${list}${list.includes("?") ? "&" : "?"}limit=100${cursor}`, as(reader));
    found.push(...body.data);
    cursor = `&cursor=${body.next_cursor}`;
    more = body.has_more;
  }
  return found;
}

async function streamed(reader: string, upTo: string): Promise<{ event_id: string }[]> {
  const client = await openEvents(`${app.url}/v1/webhooks/stream?after=0`, keys[reader] as string);
  const found = [];
  for await (const { data, comment } of client) {
    if (comment !== undefined || data === undefined) continue;
    found.push(JSON.parse(data));
    if (found.at(-1).event_id === upTo) break;
  }
  client.leave();
  return found;
}

async function readOneByOne(reader: string): Promise<{ event_id: string }[]> {
  const found = [];
  for (const id of ids.values()) {
    const { status, body } = await app.call("GET", `/v1/webhooks/events/${id}/content`, as(reader));
    if (status === 200) found.push(body);
  }
  return found;
}

/** The ways in which a caller reads events. The last event is one that everybody reads. */
const ways: Record<string, (reader: string) => Promise<{ event_id: string }[]>> = {
  log: (reader) => pages("/v1/webhooks/events", reader),
  "log by type": (reader) => pages(`/v1/webhooks/events?event=${types.join(",")}`, reader),
  content: readOneByOne,
  stream: (reader) => streamed(reader, ids.get("workflow.run.started") as string),
  "stream as pages": (reader) => pages("/v1/webhooks/stream", reader),
};

const guarded = (type: string, ...groups: string[]) => groups.some((group) => type.startsWith(`${group}.`));
/** What each reader may not read. */
const hidden: Record<string, (type: string) => boolean> = {
  admin: () => false,
  approver: (type) => guarded(type, "key", "audit"),
  builder: (type) => guarded(type, "key", "audit", "knowledge"),
  scoped: (type) => guarded(type, "key", "audit", "knowledge", "chat", "content"),
};
const expected = (reader: string): string[] => types.filter((type) => !hidden[reader]?.(type)).sort();

it.each(Object.keys(ways).flatMap((way) => Object.keys(hidden).map((reader) => [way, reader] as const)))(
  "the %s shows the %s events of what they may read, and no others",
  async (way, reader) => {
    expect(typesOf(await (ways[way] as (typeof ways)[string])(reader))).toEqual(expected(reader));
  },
);

const sent = (reader: string) =>
  typesOf(receiver.at(`/${reader}`).map(({ headers }) => ({ event_id: headers["webhook-id"] as string })));
/** Waits until everything was fanned out, which makes deliveries in the same statement, and then until all are done. */
const settled = () =>
  vi.waitFor(async () => {
    const { rows: late } = await app.pool.query(
      `select from audit_logs l left join webhook_cursors c using (organization, environment)
       where environment = 'development' and l.event_sequence > coalesce(c.sequence, 0)`,
    );
    const { rows: recovering } = await app.pool.query("select from webhooks where recover_after is not null");
    const { rows: pending } = await app.pool.query("select from deliveries where state = 'pending'");
    expect([late.length, recovering.length, pending.length]).toEqual([0, 0, 0]);
  }, 20_000);

const named = async (reader: string, type: string) =>
  (await pages(`/v1/webhooks/events?event=${type}`, reader)).filter((event) => !typesOf([event]).length);

it("holds events to the readers that a base and its documents have now, also once they are deleted", async () => {
  const base = (await knowledge("POST", "/bases", { name: "annex" })).body.base_id;
  await knowledge("POST", "/bases/annex/documents", { external_id: "one", text: "One." });
  await knowledge("DELETE", "/bases/annex/documents/one");
  await sequenced(app);
  expect(await named("builder", "knowledge.document.deleted")).toMatchObject([{ data: { base: "annex" } }]);
  const { headers } = await knowledge("GET", "/bases/annex");
  const body = { readers: ["role:approver"] };
  await app.call("PATCH", "/v1/knowledge/bases/annex", {
    headers: { "if-match": headers.get("etag") as string },
    body,
  });
  expect(await named("builder", "knowledge.document.deleted")).toEqual([]);
  await knowledge("DELETE", `/bases/${base}?force=true`);
  await sequenced(app);
  for (const type of ["knowledge.document.deleted", "knowledge.base.deleted"]) {
    expect(await named("builder", type)).toEqual([]);
    expect(await named("approver", type)).toMatchObject([{ data: { base_id: base } }]);
  }
});

it("no statement reads the bodies of events without their readers", () => {
  const reading = readSources(repository, [".ts"])
    .filter(
      ({ file, text }) => file.startsWith("server/src/") && /\b(?:from|join) (?:events\b|\$\{eventRows\})/.test(text),
    )
    .filter(({ file, text }) => !isTest(file) && !/storedEventColumns|readersOfEvent|readableEvent/.test(text))
    .map(({ file }) => file);
  expect(reading.sort()).toEqual([
    "server/src/audit-log/batch.ts", // reads no body
    "server/src/audit-log/event-positions.ts", // reads no body
    "server/src/audit-log/moved.ts", // reads no body
    "server/src/features/tasks/events/store.ts", // events of a task, none of which has readers
    "server/src/features/workflows/triggers/event-deciders.ts", // names in bodies whose events the trigger may read, and shows none
  ]);
});

/** Members of a body that name an object with a read rule. */
const namingIds = ["base_id", "document_id", "connector_id", "conversation_id", "export_id", "key_id"];
it("no type is everybody's whose body names an object with a read rule", () => {
  const forgotten = eventCatalogue()
    .filter(({ readers, schema }) => readers === everyone && namingIds.some((id) => id in schema.properties))
    .map(({ type }) => type);
  expect(forgotten).toEqual([]);
});

it("no event of a task has readers", () => {
  const { emit } = collectEvents();
  const type = eventCatalogue().find((event) => event.type === "knowledge.base.deleted") as EventType;
  expect(() => emit(type, {}, { id: "tsk_1", sequence: 1 })).toThrow("no event of a task");
});

it("endpoints get, and get again, events that who set them up may read", async () => {
  for (const reader of ["admin", "builder", "scoped"]) {
    const body = { url: `${receiver.url}/${reader}`, events: ["*"] };
    endpoints[reader] = (await app.call("POST", "/v1/webhooks", { ...as(reader), body })).body.webhook_id;
  }
  await happen();
  await deliver();
  await settled();
  const readers = Object.keys(endpoints);
  for (const reader of readers) expect(sent(reader), reader).toEqual(expected(reader));
  for (const reader of readers) {
    const body = { since: new Date(Date.now() - 3_600_000).toISOString() };
    await app.pool.query("delete from deliveries where webhook_id = $1", [endpoints[reader]]);
    receiver.received.length = 0;
    expect((await app.call("POST", `/v1/webhooks/${endpoints[reader]}/recover`, { ...as(reader), body })).status).toBe(
      202,
    );
    await settled();
    expect(sent(reader), reader).toEqual(expected(reader));
  }
  const deliveries = `/v1/webhooks/${endpoints.admin}/deliveries`;
  for (const reader of Object.keys(hidden)) {
    expect(typesOf(await pages(deliveries, reader)), reader).toEqual(expected(reader));
    const seen = new Set(typesOf(await pages(deliveries, reader)));
    for (const delivery of await pages(deliveries, "admin")) {
      const { delivery_id, event } = delivery as unknown as { delivery_id: string; event: string };
      const { status, text } = await app.call("GET", `${deliveries}/${delivery_id}`, as(reader));
      expect(status === 200, `${reader} ${event}`).toBe(seen.has(event));
      if (status !== 200) expect(text).not.toMatch(/vault/);
    }
  }
});

it("an endpoint is sent no more than whoever set it up may read now", async () => {
  const { memberId } = await app.member("admin");
  const body = { url: `${receiver.url}/demoted`, events: ["knowledge.base.deleted"] };
  const session = await signIn(app, { token: await linkToken(app, memberId) }); // by a key, the endpoint would stop with it
  expect((await session.change("POST", "/v1/webhooks", body)).status).toBe(201);
  await deliver();
  const removed = async (name: string, readers: string[] | null) => {
    await knowledge("POST", "/bases", { name, readers });
    await knowledge("DELETE", `/bases/${name}?force=true`);
    await sequenced(app);
    await settled();
  };
  await removed("before", ["role:approver"]);
  await app.call("PUT", `/v1/admin/members/${memberId}`, { body: { role: "builder" } });
  await removed("after", ["role:approver"]);
  await removed("open", null);
  expect(receiver.at("/demoted").map((request) => JSON.parse(request.body).base)).toEqual(["before", "open"]);
});

import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { type Heard, openEvents } from "../../../../testing/sse.ts";
import { appendDeltas, insertConversation, insertMessage } from "../../chat.fixture.ts";

const app = useSharedApp();

const pathOf = (id: string) => `/v1/chat/conversations/${id}/stream`;
const follow = (id: string, options: { lastEventId?: string; query?: string } = {}) =>
  openEvents(app.url + pathOf(id) + (options.query ?? ""), app.key("viewer"), options);
const close = (id: string) => app.pool.query("update chat_conversations set state = 'closed' where id = $1", [id]);

async function heardBy(client: AsyncIterable<Heard>): Promise<string[]> {
  const heard: string[] = [];
  for await (const { id, event } of client) if (event !== undefined) heard.push(`${id ?? ""} ${event}`.trim());
  return heard;
}

it("tells what was and what happens, resumes anywhere, and says when the conversation is closed", async () => {
  const id = await insertConversation(app);
  await insertMessage(app, id, "Where is my order?");
  const whole = await follow(id);
  const heard = heardBy(whole);
  await appendDeltas(app, id, ["It is ", "on its way."]);
  await close(id);
  const all = ["1 chat.message.created", "2 chat.part.delta", "3 chat.part.delta", "end"];
  expect(await heard).toEqual(all);
  expect(whole.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(await heardBy(await follow(id, { lastEventId: "1" }))).toEqual(all.slice(1));
  expect(await heardBy(await follow(id, { query: "?after=2" }))).toEqual(all.slice(2));
  expect(await heardBy(await follow(id, { query: "?after=0", lastEventId: "3" }))).toEqual(["end"]);
});

it("shows the same in pages and refuses their cursor for a stream", async () => {
  const id = await insertConversation(app);
  await appendDeltas(app, id, ["a", "b", "c"]);
  const { body } = await app.call("GET", `${pathOf(id)}?limit=2&after=1`);
  expect(body.data.map((event: { data: { text: string } }) => event.data.text)).toEqual(["b", "c"]);
  const refused = await follow(id, { query: "?cursor=abc" });
  expect([refused.status, JSON.parse(await refused.text()).errors[0].parameter]).toEqual([400, "cursor"]);
  expect((await follow(id, { lastEventId: "two" })).status).toBe(400);
});

it("ends within seconds when the key that reads it is revoked", async () => {
  const id = await insertConversation(app);
  const { secret, keyId } = await app.member("viewer");
  const client = await openEvents(app.url + pathOf(id), secret);
  const heard = heardBy(client);
  await app.pool.query("update keys set revoked_at = now() where id = $1", [keyId]);
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
  await app.app.facts.refresh();
  expect(await heard).toEqual([]);
});

import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";

const app = useApp();

const list = async (query: string): Promise<string[]> => {
  const { body } = await app.call("GET", `/v1/chat/conversations?${query}`);
  return body.data.map((one: { conversation_id: string }) => one.conversation_id);
};

it("narrows by agent, user, state, channel, handler, label and time of start", async () => {
  const mine = await insertConversation(app, { end_user: "ann", channel: "web", labels: ["vip"] });
  const closed = await insertConversation(app, { end_user: "bob", agent: "support", state: "closed" });
  const asked = { to: "person", reason: "a refund", taken_at: null };
  const waiting = await insertConversation(app, { handoff: JSON.stringify(asked) });
  const taken = await insertConversation(app, { handler: "mbr_01jd8x0000000000000000000e" });
  expect(await list("user=ann")).toEqual([mine]);
  expect(await list("channel=web,email")).toEqual([mine]);
  expect(await list("label=vip&agent=sales,support")).toEqual([mine]);
  expect(await list("agent=support")).toEqual([closed]);
  expect(await list("state=closed")).toEqual([closed]);
  expect(await list("handler=waiting")).toEqual([waiting]);
  expect(await list("handler=person")).toEqual([taken]);
  expect(await list("handler=agent&user=bob")).toEqual([closed]);
  expect(await list(`created_before=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([]);
});

it("puts the one that changed last first and continues behind the last of a page", async () => {
  const ids: string[] = [];
  const changed = new Date("2026-11-01T09:00:00Z");
  for (let i = 0; i < 5; i++) ids.push(await insertConversation(app, { channel: "paged", updated_at: changed }));
  await insertMessage(app, ids[1] as string, "hello");
  const others = ids.filter((_id, at) => at !== 1);
  const expected = [ids[1], ...others.sort().reverse()];
  const found: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await app.call("GET", `/v1/chat/conversations?channel=paged&limit=2${cursor}`);
    found.push(...body.data.map((one: { conversation_id: string }) => one.conversation_id));
    if (!body.has_more) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(found).toEqual(expected);
});

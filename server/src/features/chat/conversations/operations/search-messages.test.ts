import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";

const app = useSharedApp();

const search = async (body: object) => (await app.call("POST", "/v1/chat/search", { body })).body;

it("finds messages by their words, the best first, with the passages marked", async () => {
  const [ann, bob] = [
    await insertConversation(app, { end_user: "ann", channel: "web" }),
    await insertConversation(app, { end_user: "bob", agent: "support", state: "closed", labels: ["vip"] }),
  ];
  const far = `${"word ".repeat(200)} The Straße parcel ${"word ".repeat(200)} left`;
  await insertMessage(app, ann, far);
  await insertMessage(app, bob, "parcel parcel: my parcel left", { role: "agent", author: "support" });
  await insertMessage(app, bob, "The parcel was retracted and left", { status: "retracted" });
  const { data, has_more } = await search({ query: "Parcel left" });
  expect([data.map((one: { user: string }) => one.user), has_more]).toEqual([["bob", "ann"], false]);
  const [{ snippet, highlights }] = data;
  expect(highlights.map(({ start, end }: { start: number; end: number }) => snippet.slice(start, end))).toEqual([
    "parcel",
    "parcel",
    "parcel",
    "left",
  ]);
  expect(data[1].snippet.length).toBeLessThan(far.length / 2);
  const users = async (more: object) =>
    (await search({ query: "parcel", ...more })).data.map((one: { user: string }) => one.user);
  expect(await users({ user: "ann" })).toEqual(["ann"]);
  expect(await users({ agent: ["support"], state: "closed", label: "vip", role: ["agent"] })).toEqual(["bob"]);
  expect(await users({ role: ["person"] })).toEqual([]);
  expect(await users({ query: '"my parcel"' })).toEqual(["bob"]);
  expect(await users({ query: "parcel -straße" })).toEqual(["bob"]);
  expect((await search({ query: "parcel", limit: 1 })).has_more).toBe(true);
});

it.each(["-parcel", "?!"])("refuses %j, for which every message would have to be read", async (query) => {
  expect((await search({ query })).errors).toEqual([expect.objectContaining({ pointer: "/query", code: "no_words" })]);
});

it("quotes nothing to a repetition of what was erased meanwhile", async () => {
  const id = await insertConversation(app);
  await insertMessage(app, id, "The code is heliotrope.");
  const headers = { "idempotency-key": "heliotrope" };
  const find = () => app.call("POST", "/v1/chat/search", { body: { query: "heliotrope" }, headers });
  expect((await find()).body.data).toHaveLength(1);
  expect((await app.call("DELETE", `/v1/chat/conversations/${id}?erase=now`)).status).toBeLessThan(300);
  expect((await find()).body.data).toEqual([]);
});

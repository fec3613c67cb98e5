import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";

const app = useSharedApp();

it("lists newest or oldest first, with status, and continues behind a page", async () => {
  const id = await insertConversation(app);
  for (const text of ["one", "two"]) await insertMessage(app, id, text);
  await insertMessage(app, id, "three", { role: "agent", author: "sales", status: "streaming" });
  const list = async (query = "") => (await app.call("GET", `/v1/chat/conversations/${id}/messages${query}`)).body;
  const numbers = (page: { data: { number: number }[] }) => page.data.map(({ number }) => number);
  expect(numbers(await list())).toEqual([3, 2, 1]);
  expect(numbers(await list("?order=oldest&role=user"))).toEqual([1, 2]);
  expect(numbers(await list("?after=1&order=oldest"))).toEqual([2, 3]);
  const [streaming] = (await list("?status=streaming")).data;
  expect(streaming).toMatchObject({
    status: "streaming",
    author: { kind: "agent", name: "sales" },
    completed_at: null,
  });
  const page = await list("?order=oldest&limit=2");
  expect(numbers(await list(`?order=oldest&limit=2&cursor=${page.next_cursor}`))).toEqual([3]);
});

it("finds no message by another conversation", async () => {
  const [one, other] = [await insertConversation(app), await insertConversation(app)];
  const { id } = await insertMessage(app, one, "hello");
  const read = async (conversation: string) =>
    (await app.call("GET", `/v1/chat/conversations/${conversation}/messages/${id}`)).status;
  expect([await read(one), await read(other)]).toEqual([200, 404]);
});

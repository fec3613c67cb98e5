import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";

const app = useApp();
const remember = (body: object) => app.call("POST", "/v1/chat/memories", { body });

it("remembers of a user and within a conversation, with its source, until it is erased", async () => {
  const id = await insertConversation(app, { end_user: "u-1" });
  const message = await insertMessage(app, id, "I am allergic to nuts.");
  const source = { conversation_id: id, source_message_id: message.id };
  const ofUser = await remember({ user: "u-1", text: "Allergic to nuts.", ...source });
  const here = await remember({ conversation_id: id, text: "Wants a call back." });
  await remember({ user: "u-2", text: "Somebody else." });
  expect(ofUser.status, ofUser.text).toBe(201);
  expect(ofUser.body).toMatchObject({ user: "u-1", source_message_id: message.id, generated: false });
  const texts = async (filter: string) =>
    (await app.call("GET", `/v1/chat/memories?${filter}`)).body.data.map(({ text }: { text: string }) => text);
  expect(await texts(`conversation=${id}`)).toEqual(["Wants a call back.", "Allergic to nuts."]);
  expect(await texts("user=u-2")).toEqual(["Somebody else."]);
  const listed = await app.call("GET", "/v1/chat/memories?user=u-1");
  expect(listed.body.data).toEqual([ofUser.body]);
  expect((await app.call("DELETE", `/v1/chat/memories/${here.body.memory_id}`)).body.deleted).toBe(true);
  expect(await texts(`conversation=${id}`)).toEqual(["Allergic to nuts."]);
});

it("refuses a memory of nobody, and a source that is not there", async () => {
  const id = await insertConversation(app);
  const message = await insertMessage(app, await insertConversation(app), "Elsewhere");
  const faults = async (body: object) => (await remember({ text: "x", ...body })).body.errors[0];
  expect(await faults({})).toMatchObject({ pointer: "", code: "required" });
  expect(await faults({ user: "u", source_message_id: message.id })).toMatchObject({ code: "excluded" });
  expect(await faults({ conversation_id: "cnv_01jd8x00000000000000000000" })).toMatchObject({
    code: "unknown_conversation",
  });
  expect(await faults({ conversation_id: id, source_message_id: message.id })).toMatchObject({
    code: "unknown_message",
  });
});

import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { insertConversation, insertMessage } from "../../chat.fixture.ts";

const app = useSharedApp();

it("lists everybody who wrote, and who may write next", async () => {
  const { memberId } = await app.member("operator");
  const id = await insertConversation(app, { end_user: "u-1", handler: memberId, handler_since: new Date() });
  const list = async () => (await app.call("GET", `/v1/chat/conversations/${id}/participants`)).body.data;
  const shown = ({ kind, id: who, messages, active }: Record<string, unknown>) => [kind, who, messages, active];
  expect((await list()).map(shown)).toEqual([
    ["user", "u-1", 0, true],
    ["agent", "sales", 0, false],
    ["person", memberId, 0, true],
  ]);
  await insertMessage(app, id, "Hello", { author: "u-1", author_name: "Ada" });
  await insertMessage(app, id, "Hello, Ada", { role: "person", author: memberId, author_name: "Bo" });
  await insertMessage(app, id, "Anybody?", { author: "u-1", author_name: "Ada" });
  const listed = await list();
  expect(listed.map(shown)).toEqual([
    ["user", "u-1", 2, true],
    ["person", memberId, 1, true],
    ["agent", "sales", 0, false],
  ]);
  expect(listed[0].name).toBe("Ada");
});

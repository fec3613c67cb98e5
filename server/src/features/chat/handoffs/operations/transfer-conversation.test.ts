import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { insertConversation } from "../../chat.fixture.ts";

const app = useApp();
const transfer = async (id: string, body: object, key?: string) => {
  const path = `/v1/chat/conversations/${id}/transfer`;
  const { status, body: answer } = await app.call("POST", path, { body, ...(key !== undefined && { key }) });
  return { status, answer };
};

it("makes nobody its owner who may do more than the caller", async () => {
  const id = await insertConversation(app);
  const [builder, admin, viewer] = [await app.member("builder"), await app.member("admin"), await app.member("viewer")];
  const refused = await transfer(id, { owner: admin.memberId }, builder.secret);
  expect(refused).toMatchObject({ status: 422, answer: { errors: [{ pointer: "/owner", code: "may_do_more" }] } });
  expect((await transfer(id, { owner: viewer.memberId }, builder.secret)).answer.started_by).toBe(viewer.memberId);
  const unknown = await transfer(id, { owner: "mbr_01jd8x0000000000000000000x" });
  expect(unknown.answer.errors[0].code).toBe("unknown_member");
});

it("moves to a channel that is connected, under a key that nothing else there has", async () => {
  const id = await insertConversation(app);
  await insertConversation(app, { external_key: "thread-1" });
  expect((await transfer(id, { channel: "mail" })).answer.errors[0].code).toBe("unknown_channel");
  expect(await transfer(id, { external_key: "thread-1" })).toMatchObject({ status: 409 });
  expect((await transfer(id, { external_key: "thread-2", user: "anna" })).answer).toMatchObject({
    external_key: "thread-2",
    user: "anna",
    channel: "api",
  });
});

it("stays where it is when it is closed", async () => {
  const closed = await insertConversation(app, { state: "closed" });
  expect(await transfer(closed, { user: "anna" })).toMatchObject({
    status: 409,
    answer: { code: "conversation_closed" },
  });
});

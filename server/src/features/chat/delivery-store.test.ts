import { expect, it } from "vitest";
import type { WriteContext } from "../../kernel/context.ts";
import { useApp } from "../../testing/app.ts";
import { insertConversation, insertMessage, writing } from "./chat.fixture.ts";
import { claimDelivery, deliverReply, noteDelivery } from "./delivery-store.ts";

const app = useApp();

it("sends a reply that has more to say once more, and never while it is being sent", async () => {
  const set = { kind: "slack", agent: "sales", enabled: false, config: {} };
  const secret = { signing_secret: "shhhh-development-0123", bot_token: "xoxb-1234567890" };
  expect((await app.call("PUT", "/v1/chat/channels/team", { body: { ...set, secret } })).status).toBe(200);
  const conversation = { id: await insertConversation(app, { channel: "team" }), channel: "team" };
  const { id } = await insertMessage(app, conversation.id, "Which plan?");
  const ctx = { ...writing(app), enqueue: () => undefined } as unknown as WriteContext;
  const now = () => Date.now() + 1_000;
  await deliverReply(ctx, conversation, { id });
  const first = await claimDelivery(ctx, id, now());
  await deliverReply(ctx, conversation, { id });
  await deliverReply(ctx, conversation, { id });
  expect(await claimDelivery(ctx, id, now())).toBe(undefined);
  expect(await noteDelivery(ctx, first as never, { state: "sent", told: ["a"] }, new Date())).toBe(false);
  const second = await claimDelivery(ctx, id, now());
  expect(second).toMatchObject({ state: "waiting", told: ["a"] });
  expect(await noteDelivery(ctx, second as never, { state: "sent", told: ["b"] }, new Date())).toBe(true);
  expect(await claimDelivery(ctx, id, now())).toBe(undefined);
  await deliverReply(ctx, { ...conversation, channel: "api" }, { id });
  await deliverReply(ctx, conversation, { id });
  expect(await claimDelivery(ctx, id, now())).toMatchObject({ told: ["a", "b"], attempts: 1 });
});

import { beforeAll, expect, it } from "vitest";
import type { WriteContext } from "../../../kernel/context.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { insertConversation, insertMessage, writing } from "../chat.fixture.ts";
import {
  claimDelivery,
  type DeliveryRow,
  deliverReply,
  listDueDeliveries,
  noteDelivery,
  renewDelivery,
} from "./delivery-store.ts";

const app = useSharedApp();

beforeAll(async () => {
  const set = { kind: "slack", agent: "sales", enabled: false, config: {} };
  const secret = { signing_secret: "shhhh-development-0123", bot_token: "xoxb-1234567890" };
  expect((await app.call("PUT", "/v1/chat/channels/team", { body: { ...set, secret } })).status).toBe(200);
});

/** A reply that is to be sent by the channel, and the context of a process whose clock is wrong by so much (milliseconds). */
async function reply(wrongBy = 0) {
  const conversation = { id: await insertConversation(app, { channel: "team" }), channel: "team" };
  const { id } = await insertMessage(app, conversation.id, "Which plan?");
  const now = Date.now() + wrongBy;
  const ctx = { ...writing(app, "development", now), enqueue: () => undefined } as unknown as WriteContext;
  const ask = () => deliverReply(ctx, conversation, { id });
  await ask();
  return { ctx, id, conversation, ask };
}

const claimed = async (ctx: WriteContext, id: string) => (await claimDelivery(ctx, id)) as DeliveryRow;
const lapse = (id: string) => app.pool.query("update chat_deliveries set next_at = now() where message = $1", [id]);
const rowOf = async (id: string) =>
  (await app.pool.query("select *, next_at > now() as held from chat_deliveries where message = $1", [id])).rows[0];

it("sends a reply that has more to say once more, and never while it is being sent", async () => {
  const { ctx, id, conversation, ask } = await reply();
  const first = await claimed(ctx, id);
  await ask();
  await ask();
  expect(await claimDelivery(ctx, id)).toBe(undefined);
  expect(await renewDelivery(ctx, first)).toBe(true);
  expect(await noteDelivery(ctx, first, { state: "sent", told: ["a"] }, new Date())).toBe(undefined);
  const second = await claimed(ctx, id);
  expect(second).toMatchObject({ state: "waiting", told: ["a"] });
  expect(await noteDelivery(ctx, second, { state: "sent", told: ["b"] }, new Date())).toBeDefined();
  expect(await claimDelivery(ctx, id)).toBe(undefined);
  await deliverReply(ctx, { ...conversation, channel: "api" }, { id });
  await ask();
  expect(await claimDelivery(ctx, id)).toMatchObject({ told: ["a", "b"], attempts: 1 });
});

it.each([-3_600_000, 3_600_000])(
  "is due, and held, by the database's clock where a process is wrong by %i ms",
  async (wrongBy) => {
    const { ctx, id } = await reply(wrongBy);
    const due = async () => (await listDueDeliveries(ctx.db, 100)).map(({ message }) => message);
    expect(await due()).toContain(id);
    const claim = await claimed(ctx, id);
    expect(await renewDelivery(ctx, claim)).toBe(true);
    const [lease] = (
      await app.pool.query(
        "select extract(epoch from next_at - now()) as seconds from chat_deliveries where message = $1",
        [id],
      )
    ).rows;
    expect(Number(lease.seconds)).toBeGreaterThan(0);
    expect(Number(lease.seconds)).toBeLessThanOrEqual(25);
    expect([await due(), await claimDelivery(ctx, id)]).toEqual([expect.not.arrayContaining([id]), undefined]);
  },
);

it("lets an attempt that was taken for lost neither renew nor overwrite what the next one booked", async () => {
  const { ctx, id } = await reply();
  const late = await claimed(ctx, id);
  await lapse(id);
  const next = await claimed(ctx, id);
  expect([late.attempts, next.attempts, await renewDelivery(ctx, late)]).toEqual([1, 2, false]);
  expect(await noteDelivery(ctx, late, { state: "waiting", error: "late", pauseMs: 1 }, new Date())).toBe(undefined);
  expect(await rowOf(id)).toMatchObject({ state: "waiting", last_error: null, held: true, attempts: 2 });
  await noteDelivery(ctx, next, { state: "sent", told: ["a"] }, new Date());
  for (const outcome of [
    { state: "waiting", error: "late", pauseMs: 1 },
    { state: "failed", error: "late" },
  ] as const)
    expect(await noteDelivery(ctx, late, outcome, new Date())).toBe(undefined);
  expect(await rowOf(id)).toMatchObject({ state: "sent", last_error: null, told: ["a"] });
});

it("keeps what a late attempt told after all, and lets go of nothing that another one holds", async () => {
  const { ctx, id, ask } = await reply();
  const late = await claimed(ctx, id);
  await lapse(id);
  await noteDelivery(ctx, await claimed(ctx, id), { state: "sent", told: ["a"] }, new Date());
  await ask();
  expect(await claimed(ctx, id)).toMatchObject({ attempts: late.attempts }); // counted again
  expect(await noteDelivery(ctx, late, { state: "sent", told: ["a", "b"] }, new Date())).toBe(undefined);
  expect(await rowOf(id)).toMatchObject({ state: "waiting", told: ["a", "b"], held: true });
});

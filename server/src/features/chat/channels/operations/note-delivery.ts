import { all, sql, update } from "../../../../db/scoped.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { type Claim, type DeliveryRow, noteDelivery } from "../delivery-store.ts";
import { channelRows } from "../resource.ts";
import { noteName } from "../thread-store.ts";

export interface NoteDelivery {
  readonly delivery: Claim & Pick<DeliveryRow, "channel" | "conversation" | "asked">;
  readonly outcome:
    | {
        readonly state: "sent";
        readonly told: readonly string[];
        readonly externalId: string | null;
        readonly disclosed: boolean;
      }
    | { readonly state: "failed"; readonly error: string };
}

/** `again`: the reply has more to say by now. */
export const recordDelivery: InsideOperation<NoteDelivery, { readonly again: boolean }> = defineInside({
  id: "chat.noteDelivery",
  summary: "Record the delivery of a reply",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { delivery }: NoteDelivery) => channelRows.find(ctx, delivery.channel),
  gate: exempt("writes down what became of a reply"),
  compliance: exempt("what is sent was judged when it was written"),
  audit: ({ params: { delivery } }) => ({
    object: `conversation:${delivery.conversation}`,
    subject: delivery.conversation,
  }),
  async handle(ctx, { params: { delivery, outcome } }) {
    const { channel, conversation, message } = delivery;
    const again = (await noteDelivery(ctx, delivery, outcome, new Date(ctx.now))) === undefined;
    if (outcome.state === "failed") {
      ctx.note(`a reply was not taken by the channel ${channel} and was given up`);
      return { again };
    }
    ctx.note(`a reply was sent by the channel ${channel}`);
    const { externalId, disclosed } = outcome;
    if (externalId !== null) await noteName(ctx, { channel, externalId, conversation, message });
    const now = new Date(ctx.now);
    const delivered = update(ctx, "chat_conversations").set({
      disclosed_at: sql<Date>`coalesce(disclosed_at, ${now})`,
    });
    if (disclosed) await all(ctx, delivered.where("id", "=", conversation));
    return { again };
  },
});

import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { agentNotDeployed } from "../../tasks/public.ts";
import { type Received, type ReceivedFile, receive } from "../channel-receive.ts";
import { findChannel } from "../channel-store.ts";
import { incomingOf, sendsTooMuch } from "../email-incoming.ts";
import type { ReceivedMail } from "../email-parse.ts";
import { conversationStarted, messageCompleted } from "../events.ts";

export interface ReceiveMail {
  readonly channel: string;
  readonly mail: ReceivedMail;
  readonly files: readonly ReceivedFile[];
}

/** Takes a message of a mailbox into its conversation. Null: its sender writes too much. */
export const receiveMail: InsideOperation<ReceiveMail, { readonly received: Received | null }> = defineInside({
  id: "chat.receiveMail",
  summary: "Receive a message of a mailbox",
  permission: exempt("a worker of the service itself, for who connected the channel"),
  load: (ctx, { channel }: ReceiveMail) => findChannel(ctx, channel),
  gate: exempt("the turn that begins by it passes the gate of its agent"),
  compliance: exempt("the turn that begins by it is judged as chat.message"),
  audit: ({ params, output }) => ({
    object: `channel:${params.channel}`,
    ...(output?.received && { object: `conversation:${output.received.conversation}` }),
    ...(output?.received && { subject: output.received.conversation }),
  }),
  emits: [conversationStarted, messageCompleted],
  errors: [agentNotDeployed],
  async handle(ctx, { params: { mail, files }, loaded: channel }) {
    if (await sendsTooMuch(ctx, channel.name, mail.from.address, ctx.now)) {
      ctx.note("not taken: its sender has written too much within an hour");
      return { received: null };
    }
    return { received: await receive(ctx, channel, incomingOf(mail, files)) };
  },
});

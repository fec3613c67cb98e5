import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { automationStopped } from "../../../admin/public.ts";
import { agentNotDeployed } from "../../../tasks/public.ts";
import { conversationStarted, messageCompleted } from "../../events.ts";
import { actorOfChannel } from "../actor.ts";
import { incomingOf, sendsTooMuch } from "../email/incoming.ts";
import type { ReceivedMail } from "../email/parse.ts";
import { type Received, type ReceivedFile, receive } from "../receive.ts";
import { channelRows } from "../resource.ts";

export interface ReceiveMail {
  readonly channel: string;
  readonly mail: ReceivedMail;
  readonly files: readonly ReceivedFile[];
}

export interface TakenMail {
  /** Null: it was not taken, since its sender writes too much or the channel has stopped. */
  readonly received: Received | null;
  readonly stopped: string | null;
}

export const receiveMail: InsideOperation<ReceiveMail, TakenMail> = defineInside({
  id: "chat.receiveMail",
  summary: "Receive a message of a mailbox",
  permission: exempt("a worker of the service itself, for who connected the channel"),
  load: (ctx, { channel }: ReceiveMail) => channelRows.find(ctx, channel),
  gate: exempt("the turn that begins by it passes the gate of its agent"),
  compliance: exempt("the turn that begins by it is judged as chat.message"),
  audit: ({ params, output }) => ({
    object: `channel:${params.channel}`,
    ...(output?.received && { object: `conversation:${output.received.conversation}` }),
    ...(output?.received && { subject: output.received.conversation }),
  }),
  emits: [conversationStarted, messageCompleted, automationStopped],
  errors: [agentNotDeployed],
  async handle(ctx, { params: { mail, files }, loaded: channel }) {
    const { actor, stopped } = await actorOfChannel(ctx, channel);
    if (!actor) {
      ctx.note("left in the mailbox: the channel has stopped");
      return { received: null, stopped };
    }
    if (await sendsTooMuch(ctx, channel.name, mail.from.address, ctx.now)) {
      ctx.note("not taken: its sender has written too much within an hour");
      return { received: null, stopped };
    }
    return { received: await receive(ctx, channel, actor, incomingOf(mail, files)), stopped };
  },
});

import { wake } from "../../jobs/queue.ts";
import type { Sweep } from "../../kernel/machines.ts";
import { takeDueMailboxes } from "./channel-store.ts";
import { listDueDeliveries, wakeDelivery } from "./delivery-store.ts";
import { wakeMailbox } from "./email-reader.ts";

/** Rows that one look takes up. */
const most = 100;

/** Wakes readers of mailboxes whose time has come, and senders of replies that nobody has sent in time. */
export const channelSweep: Sweep = {
  name: "chat.channels",
  async run({ db, now }) {
    const mailboxes = await takeDueMailboxes(db, new Date(now), most);
    const replies = await listDueDeliveries(db, most);
    await wake(db, [
      ...mailboxes.map(({ name, ...scope }) => wakeMailbox(scope, name)),
      ...replies.map(({ message, ...scope }) => wakeDelivery(scope, message)),
    ]);
  },
};

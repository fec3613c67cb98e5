import { wake } from "../../../../jobs/queue.ts";
import type { Sweep } from "../../../../kernel/machines.ts";
import { listDueDeliveries, wakeDelivery } from "../delivery-store.ts";
import { takeDueMailboxes } from "../store.ts";
import { wakeMailbox } from "./read-mailbox.ts";

const most = 100;

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

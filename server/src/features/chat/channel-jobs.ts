import { wake } from "../../jobs/queue.ts";
import type { JobHandlers, JobParts, Sweep } from "../../kernel/machines.ts";
import type { ChannelPort } from "./channel-ports.ts";
import { takeDueMailboxes } from "./channel-store.ts";
import { createDeliveryJobs } from "./delivery-job.ts";
import { listDueDeliveries, wakeDelivery } from "./delivery-store.ts";
import { createMailboxJobs, wakeMailbox } from "./email-reader.ts";

/** Rows that one look takes up. */
const most = 100;

/** Wakes readers of mailboxes whose time has come, and senders of replies that nobody has sent in time. */
export const channelSweep: Sweep = {
  name: "chat.channels",
  async run({ db, now }) {
    const at = new Date(now);
    const mailboxes = await takeDueMailboxes(db, at, most);
    const replies = await listDueDeliveries(db, at, most);
    await wake(db, [
      ...mailboxes.map(({ name, ...scope }) => wakeMailbox(scope, name)),
      ...replies.map(({ message, ...scope }) => wakeDelivery(scope, message)),
    ]);
  },
};

export const createChannelJobs = (parts: JobParts, port: ChannelPort): JobHandlers => ({
  ...createMailboxJobs(parts, port),
  ...createDeliveryJobs(parts, port),
});

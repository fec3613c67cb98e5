import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import type { ChannelPort, ReadMailbox } from "../../ports.ts";
import { createMailboxJob } from "./read-mailbox.ts";

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);
const source = Buffer.from(
  "From: Ana <ana@example.com>\nMessage-ID: <1@example.com>\nSubject: Order\n\nWhere is it?\n",
);

/** A mailbox with one message, which stays where taking it fails. */
let uid = 1;
let looks = 0;
const mailbox = {
  leaveMailbox: () => undefined,
  async readMailbox(_environment: unknown, _key: unknown, _server: unknown, { from, take }: ReadMailbox) {
    looks++;
    if (from.uid >= 2) return { position: from, more: false, stopped: null };
    try {
      await take({ uid: 2, source });
      uid = 2;
      return { position: { ...from, uid }, more: false, stopped: null };
    } catch (stopped) {
      return { position: from, more: false, stopped };
    }
  },
};

let read: () => Promise<void>;
beforeAll(async () => {
  const credentialKey = await app.credentialKey();
  const port = { ...mailbox, credentialKey } as unknown as ChannelPort;
  const parts = { db: createReader(app.pool), inside: process.inside, clock: systemClock };
  const readMailbox = createMailboxJob(parts, port);
  read = () => readMailbox({ ...app.scope, channel: "help" });
});

async function set(key: string): Promise<void> {
  const config = {
    address: "help@example.org",
    imap: { host: "imap.example.org" },
    smtp: { host: "smtp.example.org" },
  };
  const body = { kind: "email", agent: "sales", enabled: false, config, secret: { imap_password: "a-password" } };
  const answered = await app.call("PUT", "/v1/chat/channels/help", { body, key });
  expect(answered.status, answered.text).toBe(200);
  const reader = JSON.stringify({ uidvalidity: "1", uid: 1 });
  await app.pool.query("update chat_channels set enabled = true, reader = $1", [reader]);
}

const conversations = async () => (await app.call("GET", "/v1/chat/conversations?channel=help")).body.data.length;
const channel = async () => (await app.call("GET", "/v1/chat/channels")).body.data[0];

it("leaves mail in the mailbox once nobody answers for the channel, and takes it after the channel was set again", async () => {
  const gone = await app.member("admin");
  const other = await app.member("admin");
  await set(gone.secret);
  await app.pool.query("update members set removed_at = now() - interval '1 second' where id = $1", [gone.memberId]);
  await read();
  expect([await conversations(), uid, looks]).toEqual([0, 1, 1]);
  expect(await channel()).toMatchObject({
    state: "stopped",
    last_error: "Messages wait in the mailbox until the channel is started again.",
  });
  await read();
  expect(looks).toBe(1);
  await set(other.secret);
  await read();
  expect([await conversations(), uid, (await channel()).state]).toEqual([1, 2, "ok"]);
});

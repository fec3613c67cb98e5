import type { Fault } from "./fault.ts";

// Channels of conversations: who is believed, what is answered, and that each message goes once.

const chat = "server/src/features/chat";
const mail = [`${chat}/channels/email/parse.test.ts`];
const slack = [`${chat}/channels/slack/slack-channel.test.ts`];

export const channelFaults: readonly Fault[] = [
  {
    name: "channel-any-server-authenticates",
    file: `${chat}/channels/email/parse.ts`,
    find: "?.toLowerCase() !== server.toLowerCase()) continue",
    replace: '?.toLowerCase() === "") continue',
    tests: mail,
    only: "is not by what others say",
  },
  {
    name: "channel-comment-authenticates",
    file: `${chat}/channels/email/parse.ts`,
    find: "else if (depth === 0) text",
    replace: "else text",
    tests: mail,
    only: "is not by what others say",
  },
  {
    name: "channel-answers-machines",
    file: `${chat}/channels/email/parse.ts`,
    find: "return isAutomatic || bulk ||",
    replace: "return bulk ||",
    tests: mail,
    only: "is left alone",
  },
  {
    name: "channel-foreign-thread",
    file: `${chat}/channels/email/incoming.ts`,
    find: "thread.user === user &&",
    replace: "thread.user === user ||",
    tests: [`${chat}/channels/email/email-channel.test.ts`],
    only: "answers a message|lets nobody into",
  },
  {
    name: "channel-message-twice",
    file: `${chat}/channels/receive.ts`,
    find: "if (known) return",
    replace: 'if (known?.message === "") return',
    tests: slack,
    only: "each message once",
  },
  {
    name: "channel-unsigned",
    file: `${chat}/channels/slack/proof.ts`,
    find: "if (isSigned(event, signing_secret)) return",
    replace: 'if (isSigned(event, signing_secret) || signing_secret !== "") return',
    tests: slack,
    only: "refuses what is unsigned",
  },
  {
    name: "channel-old-signature",
    file: `${chat}/channels/slack/proof.ts`,
    find: "* 1000) <= tolerance)",
    replace: "* 1000) <= tolerance * 1000)",
    tests: slack,
    only: "refuses what is unsigned",
  },
  {
    name: "channel-answers-apps",
    file: `${chat}/channels/slack/event.ts`,
    find: "isPlain && !bot_id &&",
    replace: "isPlain &&",
    tests: [`${chat}/channels/slack/event.test.ts`],
    only: "is nothing where an app",
  },
  {
    name: "channel-sends-again",
    file: `${chat}/channels/delivery-text.ts`,
    find: "!told.includes(digest)",
    replace: '!told.includes(digest) || digest !== ""',
    tests: [`${chat}/channels/delivery-text.test.ts`],
    only: "only what was not sent",
  },
  {
    name: "channel-unguarded",
    file: "server/src/outbound/mail-connection.ts",
    find: "    guard.checkAddresses(",
    replace: '    if (host === "") guard.checkAddresses(',
    tests: ["server/src/outbound/channel-port.test.ts"],
    only: "leads to public addresses",
  },
];

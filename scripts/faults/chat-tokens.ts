import type { Fault } from "./fault.ts";

// Chat tokens: whose conversations they open, on which pages, and until when.

const tests = ["server/test/chat-tokens.test.ts"];
const authenticate = "server/src/pipeline/authenticate.ts";

export const chatTokenFaults: readonly Fault[] = [
  {
    name: "chat-token-forged",
    file: "server/src/kernel/chat-token.ts",
    find: "return seals.holds(seal, USE, read.scope, [payload]) ? read : null;",
    replace: "return seal === undefined || !seals ? null : read;",
    tests,
    only: "is not put off by changing it",
  },
  {
    name: "chat-token-outlives-its-time",
    file: authenticate,
    find: "if (!key || token.expiresAt <= now || ",
    replace: "if (!key || ",
    tests,
    only: "a token opens nothing",
  },
  {
    name: "chat-token-outlives-its-key",
    file: authenticate,
    find: "token.expiresAt <= now || hasEnded(key.revokedAt, now) || ",
    replace: "token.expiresAt <= now || ",
    tests,
    only: "comes with its key's",
  },
  {
    name: "chat-token-on-any-page",
    file: authenticate,
    find: 'if (call.credential.kind === "chat_token") refuseOrigin(call.credential);',
    replace: 'if (call.credential.kind === "chat_token") void refuseOrigin;',
    tests,
    only: "of the token's origins may read",
  },
  {
    name: "chat-token-read-by-any-page",
    file: "server/src/http/cors.ts",
    find: "const allowed = origin !== null && origins.includes(origin);",
    replace: "const allowed = origin !== null;",
    tests,
    only: "of the token's origins may read",
  },
  {
    name: "chat-token-opens-all-operations",
    file: "server/src/pipeline/permissions.ts",
    find: "if (!chat || opens(chat, operation)) return;",
    replace: "if (!chat || opens(chat, operation) || operation) return;",
    tests,
    only: "opens no operation but those",
  },
  {
    name: "chat-token-opens-other-channels",
    file: "server/src/features/chat/conversations/store.ts",
    find: "and c.channel = ",
    replace: "and c.channel is not null and '' <> ",
    tests,
    only: "opens its user's own conversations",
  },
  {
    name: "chat-token-repeats-for-others",
    file: "server/src/pipeline/idempotency.ts",
    find: "  endUserOf(principal) ?? ",
    replace: "  (endUserOf(principal) && undefined) ?? ",
    tests,
    only: "keeps what its users repeat apart",
  },
  {
    name: "chat-token-shows-results-of-tools",
    file: "server/src/features/chat/conversations/view.ts",
    find: "return chat ? (shown(value) as T) : value;",
    replace: "return chat && !shown ? (shown(value) as T) : value;",
    tests: ["server/src/features/chat/conversations/token-view.test.ts"],
  },
];

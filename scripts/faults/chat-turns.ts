import type { Fault } from "./fault.ts";

// Turns of conversations: their order, their ends, and which version answers.

const turns = "server/src/features/chat/turns/turns.test.ts";
const sent = "server/src/features/chat/turns/operations/send-message.test.ts";
const property = "server/src/features/chat/turns/turns.property.test.ts";

export const chatTurnFaults: readonly Fault[] = [
  {
    name: "chat-turn-begins-beside-another",
    file: "server/src/features/chat/turns/rules.ts",
    find: 'if (turns.some(({ state }) => state === "running")) return undefined;',
    replace: "",
    tests: [property, turns],
  },
  {
    name: "chat-reply-completed-twice",
    file: "server/src/features/chat/turns/settle.ts",
    find: "if (message.status === status && isDeepStrictEqual(parts, before)) return;",
    replace: "",
    tests: [property],
  },
  {
    name: "chat-refusal-has-sources",
    file: "server/src/features/chat/turns/citations.ts",
    find: "Math.max(0, ...shared) < refusal.words",
    replace: "Math.max(0, ...shared) < 0",
    tests: ["server/src/features/chat/turns/citations.test.ts"],
  },
  {
    name: "chat-unsure-page-is-quoted",
    file: "packages/builtin-model/src/found-pages.ts",
    find: 'const [page] = searched.outcome === "answered" ? searched.pages : [];',
    replace: "const [page] = searched.pages;",
    tests: ["packages/builtin-model/src/reply.test.ts"],
  },
  {
    name: "chat-stopped-reply-works-on",
    file: "server/src/features/chat/turns/control.ts",
    find: "await cancelOpenTask(ctx, task, reason);",
    replace: "void reason;",
    tests: [turns],
  },
  {
    name: "chat-turn-of-a-revoked-key-begins",
    file: "server/src/features/chat/turns/operations/start-turn.ts",
    find: "{ actor, stopped } = await resolveActor(",
    replace: "{ actor = storedActor(turn.actor) as never, stopped } = await resolveActor(",
    tests: [turns],
  },
  {
    name: "chat-rolled-back-version-answers-on",
    file: "server/src/features/chat/turns/answering.ts",
    find: "(await wasAbandoned(ctx, agent, pinned.number)) ?",
    replace: "(await wasAbandoned(ctx, agent, -pinned.number)) ?",
    tests: [sent],
  },
];

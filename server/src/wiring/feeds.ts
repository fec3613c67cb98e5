import type { Sequencer } from "../audit-log/index.ts";
import type { OpenDatabase } from "../db/open.ts";
import type { Signal } from "../db/signal.ts";
import { type ChatEventsPort, createChatFeed } from "../features/chat/conversations/feed.ts";
import { createTaskFeed, type TaskEventsPort } from "../features/tasks/index.ts";
import { createEventFeed, type EventFeedPort } from "../features/webhooks/index.ts";
import type { RunEventsPort } from "../features/workflows/ports.ts";
import { createRunFeed } from "../features/workflows/runs/event-store.ts";

interface FeedParts {
  readonly database: OpenDatabase;
  readonly sequencer: Sequencer;
  readonly report: (error: unknown) => void;
}

/** The feed of what happens to tasks, over what is stored; the sequencer hears of every commit, in whichever process it was. */
export function createTaskEvents(parts: FeedParts): TaskEventsPort {
  return createTaskFeed(feedOf(parts));
}

/** The feed of what happens to runs of workflows. */
export function createRunEvents(parts: FeedParts): RunEventsPort {
  return createRunFeed(feedOf(parts));
}

/** The feed of what happens in conversations, of which runs tell while they write; `chatSignal`: raised by them. */
export function createChatEvents(parts: FeedParts & { readonly chatSignal?: Pick<Signal, "on"> }): ChatEventsPort {
  const { onChange, ...feed } = feedOf(parts);
  return createChatFeed({
    ...feed,
    onChange(callback) {
      const ends = [onChange(callback), parts.chatSignal?.on(callback)];
      return () => ends.forEach((end) => void end?.());
    },
  });
}

/** The feed of all events of an environment, in the order that the sequencer gives them. */
export function createEvents(parts: FeedParts): EventFeedPort {
  return createEventFeed(feedOf(parts));
}

function feedOf({ database, sequencer, report }: FeedParts) {
  const db = {
    query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await database.machinePool.query(text, values as unknown[])).rows as R[],
  };
  return { db, onChange: (callback: () => void) => sequencer.onSequenced(callback), report };
}

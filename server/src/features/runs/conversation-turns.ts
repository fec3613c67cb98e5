import type { Decider } from "../../kernel/actor.ts";
import type { ChatTurn, Tell } from "../../kernel/chat-turn.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { NewId } from "../../kernel/ids.ts";
import type { RunInside } from "../../kernel/machines.ts";
import { definePort } from "../../kernel/port.ts";
import type { Work } from "./model.ts";
import type { LeaseKey } from "./step-store.ts";

export interface TurnParts {
  readonly db: Reader;
  readonly inside: RunInside;
  readonly facts: FactsReader;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Puts back what stands behind the run's placeholders. */
  readonly restore: (text: string) => string;
  /** Called when something was stored that followers are to hear of. */
  readonly stored: () => void;
}

/** A turn of a conversation whose run this process has claimed. */
export interface OpenTurn {
  readonly chat: ChatTurn;
  readonly tell: Tell;
}

/** A text besides the messages that the agent of a conversation reads. */
export interface ConversationText {
  readonly text: string;
  readonly deciders: readonly Decider[];
}

/** What the agent of a conversation reads besides what its turns look up. */
export const conversationTexts = definePort<{
  /** What is remembered of a conversation and its user, and the texts of its files. */
  list(ctx: WriteContext, conversation: string): Promise<readonly ConversationText[]>;
  /** Ids of the conversations whose messages are shown in one: its own, and those that it was forked from. */
  history(ctx: WriteContext, conversation: string): Promise<readonly string[]>;
}>("conversationTexts");

/** What runs need of conversations: what a turn's model is shown, and where it is told what it writes. `open` returns null where the conversation is gone. */
export const conversationTurns = definePort<{
  open(parts: TurnParts, lease: LeaseKey, work: Work): Promise<OpenTurn | null>;
}>("conversationTurns");

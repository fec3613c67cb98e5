import { type Actor, storedActor } from "../../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import type { Governed } from "../../../../kernel/verdict.ts";
import { resolveActor } from "../../../admin/public.ts";
import { optionFaults } from "../../../agents/public.ts";
import { agentNotDeployed, type PinnedWork, taskApprovalRequired, taskCreated } from "../../../tasks/public.ts";
import { findMessage, partsOf } from "../../conversations/message-store.ts";
import { type ConversationRow, findConversation, lockConversation } from "../../conversations/store.ts";
import { turnNotPermitted } from "../../errors.ts";
import { peopleAnswer } from "../../handoffs/rules.ts";
import { type Answering, answeringOf, answeringVersion, type TurnInput, turnFacts } from "../answering.ts";
import { beginTurn, inputOf } from "../begin.ts";
import { optionsOfTurn } from "../options.ts";
import { nextTurn } from "../rules.ts";
import { findTurn, listOpenTurns, type TurnRow } from "../store.ts";

export interface StartTurn {
  readonly turn: string;
}

interface Loaded {
  readonly agent: string;
  readonly conversation: ConversationRow;
  readonly turn: TurnRow;
  readonly actor: Actor;
  readonly answering: Answering;
  readonly input: TurnInput;
}
type Given = { params: StartTurn; query: undefined; body: undefined; loaded: Loaded };

/** Under the rules that apply now, on behalf of the sender. */
export const startTurn: InsideOperation<StartTurn, { readonly task: string | null }> = defineInside({
  id: "chat.startTurn",
  summary: "Begin the next turn of a conversation",
  permission: exempt("a worker of the service itself, for who sent the message"),
  load: (ctx, { turn }: StartTurn) => loadTurn(ctx, turn),
  gate: (_ctx, { loaded: { agent, answering } }: { loaded: Loaded }) => ({ agent, versionId: answering.version.id }),
  compliance: governs("chat.message", (ctx, { loaded }: Given) => turnFacts(ctx, loaded.answering, loaded.input), {
    waits: true,
    inputOf: "task",
    spends: (_ctx, { loaded: { agent, turn } }) => ({
      agent,
      keyId: turn.key_id,
      principal: turn.principal,
      demand: { tasks: 1 },
    }),
  }),
  audit: ({ params, loaded, output }) => ({
    object: loaded ? `conversation:${loaded.conversation.id}` : `turn:${params.turn}`,
    ...(loaded && { subject: loaded.conversation.id }),
    task: output?.task ?? null,
  }),
  emits: [taskCreated, taskApprovalRequired],
  errors: [conflict, agentNotDeployed, turnNotPermitted],
  handle: (ctx, { loaded, facts, governed }) => start(ctx, loaded, facts.work, governed),
});

async function loadTurn(ctx: ReadContext, id: string): Promise<Loaded | undefined> {
  const turn = await findTurn(ctx, id);
  const conversation = turn && (await findConversation(ctx, turn.conversation));
  const message = turn && (await findMessage(ctx, turn.message));
  if (!turn || !conversation || !message) return undefined;
  const { agent } = conversation;
  const { actor, stopped } = await resolveActor(ctx, storedActor(turn.actor), "chat:write", [agent]);
  if (!actor) throw refuse(turnNotPermitted, `The message is not answered: ${stopped}.`);
  const answering = answeringOf(ctx, agent, (await answeringVersion(ctx, conversation)) ?? null);
  const [fault] = optionFaults(answering.definition, optionsOfTurn(turn));
  if (fault)
    throw refuse(
      turnNotPermitted,
      `The message is not answered: its ${(fault.pointer ?? "/options").slice(1)} ${fault.detail}.`,
    );
  return {
    agent,
    conversation,
    turn,
    actor,
    answering,
    input: inputOf(conversation, partsOf(message), { turn }),
  };
}

async function start(ctx: WriteContext, loaded: Loaded, work: PinnedWork, governed: Governed) {
  const conversation = await lockConversation(ctx, loaded.conversation.id);
  const next = conversation && nextTurn(await listOpenTurns(ctx, conversation.id));
  if (next?.id !== loaded.turn.id || !conversation || peopleAnswer(conversation) || conversation.agent !== loaded.agent)
    throw refuse(conflict, "The turn is not the next one any more.");
  const { answering, actor } = loaded;
  return { task: (await beginTurn(ctx, { conversation, turn: next, answering, work, governed, actor })).task };
}

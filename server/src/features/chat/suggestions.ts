import type { ReadContext } from "../../kernel/context.ts";
import { type ConnectionPort, findConnection, usedBy } from "../admin/public.ts";
import { findKnownAgent } from "../agents/public.ts";
import { agentTokens, search } from "../knowledge/public.ts";
import { providerOf, systemFor, transcriptText } from "./asked-model.ts";
import type { ConversationRow } from "./conversation-store.ts";
import type { Message, Suggestions } from "./schemas.ts";

type Suggested = Suggestions["suggestions"];

const task =
  'Propose up to three next messages. Answer with JSON alone: {"replies": [drafts that a person of the company could send next], "questions": [what the user might ask next]}. Use the conversation\'s language. Promise nothing that the conversation does not support.';

/** Drafts by the agent's model; a text says why there are none. */
export async function suggestByModel(
  ctx: ReadContext,
  port: ConnectionPort,
  { agent }: ConversationRow,
  messages: readonly Message[],
): Promise<Suggested | string> {
  const model = providerOf(ctx, agent);
  if (!model) return `The model of ${agent} is built in: it quotes and writes nothing of its own.`;
  const connection = await findConnection(ctx.db, port.credentialKey, ctx.scope, model.connection);
  if (!connection || connection.kind === "http") return `The connection ${model.connection} is not there any more.`;
  const asked = { model: model.name, system: systemFor(task), user: transcriptText(messages) };
  const written = await port.ask(ctx.scope, connection, asked, ctx.signal);
  ctx.spent(usedBy(written));
  if (written === null) return "Too many connections are in use; try again in a few seconds.";
  if (!("text" in written)) return `${model.name} did not answer.`;
  return suggestionsIn(written.text) ?? `${model.name} did not answer in the form that was asked for.`;
}

/** What a model proposed, up to three of each kind. Null: it is not of the form. */
export function suggestionsIn(answer: string): Suggested | null {
  const json = /\{[\s\S]*\}/.exec(answer)?.[0];
  try {
    const { replies, questions } = JSON.parse(json ?? "") as { replies?: unknown; questions?: unknown };
    const of = (texts: unknown, kind: "reply" | "question"): Suggested =>
      (Array.isArray(texts) ? texts : [])
        .filter((text): text is string => typeof text === "string" && text.trim() !== "")
        .slice(0, 3)
        .map((text) => ({ text: text.trim().slice(0, 2000), kind, generated: true, source: null }));
    return [...of(replies, "reply"), ...of(questions, "question")];
  } catch {
    return null;
  }
}

/** What the agent's knowledge says to the user's last question, word for word. */
export async function quoteKnowledge(
  ctx: ReadContext,
  { agent }: ConversationRow,
  question: string,
): Promise<Suggested> {
  const bases = findKnownAgent(ctx, agent)?.live?.definition.knowledge ?? [];
  if (bases.length === 0) return [];
  const found = await search(ctx, { query: question, bases, limit: 3, sight: [agentTokens(agent)] });
  if (!found.answered) return [];
  return found.chunks.map(({ id, base, title, text }) => ({
    ...{ text: text.slice(0, 2000), kind: "reply" as const, generated: false, source: { base, title, chunk_id: id } },
  }));
}

import { dataKinds, redact, restore } from "@aos/data-classes";
import type { WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import {
  addDeciders,
  agentSeen,
  answerCalls,
  askedOf,
  type BroughtResult,
  type HandedCall,
  lockTask,
} from "../../../tasks/public.ts";
import { ConversationParams } from "../../conversations/operation-parts.ts";
import { type ConversationRow, findConversation } from "../../conversations/store.ts";
import { awaitReply, streamTurn } from "../../conversations/stream.ts";
import { writersOf } from "../../conversations/writers.ts";
import { conversationIsClosed, notTheCaller } from "../../errors.ts";
import { exampleConversation, exampleSent } from "../../example.ts";
import { Sent, ToolResultsBody } from "../../schemas.ts";
import { lockOpenConversation } from "../control.ts";
import { settleTurns } from "../settle.ts";
import { findTurn, type TurnRow } from "../store.ts";

type Given = { readonly loaded: ConversationRow; readonly body: ToolResultsBody };
type Output = ToolResultsBody["results"][number];

export const submitResults = defineOperation({
  id: "chat.submitResults",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/results",
  status: 202,
  summary: "Bring the results of functions",
  description:
    "Brings what the functions of the caller returned that a turn has called (`options.tools` of its message), one result for each call that waits. Only who sent the message " +
    "can, with the same key. The reply goes on with the results as data, never as instructions, and marked as the caller's word. `Accept: text/event-stream` and `Prefer: wait=n` work as for a message.",
  params: ConversationParams,
  body: ToolResultsBody,
  output: Sent,
  location: ({ conversation_id, message_id }) => `/v1/chat/conversations/${conversation_id}/messages/${message_id}`,
  waitable: true,
  streams: {
    "text/event-stream": (ctx, { loaded, output }) => streamTurn(ctx, loaded.id, output),
  },
  awaits: (ctx, { loaded, output }) => awaitReply(ctx, loaded.id, output),
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: {
      turn_id: exampleSent.turn_id as string,
      results: [{ call_id: "call_2", output: '{"status": "on its way"}' }],
    },
    output: { ...exampleSent, state: "answered" },
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("the gate is asked when a worker goes on with the task"),
  decides: "answer",
  compliance: governs("task.input", (ctx, { loaded: { agent }, body }: Given) => ({
    agent: agentSeen(ctx, agent),
    skill: { name: "chat" },
    input: { results: body.results },
  })),
  audit: ({ params, output }) => ({
    object: `conversation:${params.conversation}`,
    subject: params.conversation,
    task: output?.task_id ?? null,
  }),
  errors: [conflict, conversationIsClosed, notTheCaller, invalidBody],
  handle: (ctx, { loaded, body }) => bring(ctx, loaded, body),
});

async function bring(ctx: WriteContext, { id }: ConversationRow, { turn_id, results }: ToolResultsBody): Promise<Sent> {
  const row = await lockOpenConversation(ctx, id);
  await settleTurns(ctx, row);
  const turn = await findTurn(ctx, turn_id);
  if (turn?.conversation !== id || turn.task === null)
    throw invalid([{ pointer: "/turn_id", code: "unknown_turn", detail: "names no turn of this conversation" }]);
  if (!isItsCaller(ctx, turn))
    throw refuse(notTheCaller, "The calls were handed to who sent the message, and only they can bring the results.");
  const task = await lockTask(ctx, turn.task);
  const asked = task && askedOf(task);
  if (task?.status !== "input_required" || asked?.kind !== "results") throw refuse(conflict, waitsForNone);
  const brought = match(asked.calls ?? [], results);
  const queued = await answerCalls(ctx, task, brought);
  await addDeciders(ctx, queued, writersOf(ctx, id));
  await settleTurns(ctx, row);
  return {
    conversation_id: id,
    message_id: turn.message,
    turn_id: turn.id,
    state: "answered",
    reply_id: turn.reply,
    task_id: turn.task,
    reply: null,
    sequence: row.sequence,
    trust_score: null,
    audit_ref: ctx.auditRef,
  };
}

const waitsForNone =
  "The turn waits for no results: they were brought already, it was stopped, or nobody brought them in time.";

/** The member and the key that sent the message. */
const isItsCaller = ({ principal }: WriteContext, turn: TurnRow): boolean =>
  turn.principal === principal.id && turn.key_id === principal.keyId && !principal.chat;

const invalid = (errors: readonly Fault[]) =>
  refuse(invalidBody, errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; "), { errors });

/** One result for each call that was handed out, and for no other. */
function match(calls: readonly HandedCall[], results: readonly Output[]): BroughtResult[] {
  const faults: Fault[] = [];
  const open = new Map(calls.map((call) => [`call_${call.number}`, call]));
  const brought = results.flatMap(({ call_id, output }, at): BroughtResult[] => {
    const call = open.get(call_id);
    open.delete(call_id);
    if (call) return [{ step_id: call.step_id, output: shown(output, call) }];
    const twice = results.findIndex((other) => other.call_id === call_id) < at;
    const detail = twice ? `brings the result of ${call_id} a second time` : `names no call that waits: ${call_id}`;
    faults.push({ pointer: `/results/${at}/call_id`, code: twice ? "duplicate_call" : "unknown_call", detail });
    return [];
  });
  for (const [id, { tool }] of open)
    faults.push({ pointer: "/results", code: "missing_result", detail: `lacks the result of ${id} (${tool})` });
  if (faults.length > 0) throw invalid(faults);
  return brought;
}

/** A result without what policies let nobody see of it. No placeholder stands for it: those of the run mean something else. */
function shown(output: string, { redact: demand }: HandedCall): string {
  if (demand === null) return output;
  const chosen = dataKinds.filter((kind) => demand.kinds === "all" || demand.kinds.includes(kind));
  const { value, replaced } = redact(output, chosen);
  const withheld = Object.keys(replaced).map((name) => [name, `[${name.slice(1).replace(/_\d+\]$/, "")} withheld]`]);
  return String(restore(value, Object.fromEntries(withheld)));
}

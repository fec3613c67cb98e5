import type { Conversation, Message, Sent } from "../../../features/chat/schemas.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { type Exchange, headersOf, type ProtocolRequest, startAddress, stepsOfSent } from "../exchange.ts";
import { ignoredHeader } from "../parameters.ts";
import type { ReplyStep } from "../reply-steps.ts";
import { type CallPlace, placeOfCall } from "./call-id.ts";
import type { OpenAiInput } from "./input.ts";
import { replyOfTurn } from "./previous-response.ts";
import { usageOf } from "./usage.ts";

const resultsAddress = "POST /v1/chat/conversations/{conversation}/results";
const conversationAddress = "GET /v1/chat/conversations/{conversation}";

/** Brings the results of functions, and follows the reply from where it waited. */
export async function goOnWith(
  { calls }: ProtocolRequest,
  { messages: { results }, user, ignored }: OpenAiInput,
  named: string | null,
  idempotencyKey: string,
): Promise<Exchange> {
  const faults: Fault[] = [];
  const places = results.flatMap(({ id, pointer }) => placeOf(id, pointer, faults));
  const [first] = places;
  if (first && places.some(({ turn }) => turn !== first.turn))
    faults.push({
      pointer: results[0]?.pointer ?? "",
      code: "conflicting",
      detail: "is of another reply than the others",
    });
  if (first && named !== null && named !== first.conversation)
    faults.push({ pointer: results[0]?.pointer ?? "", code: "conflicting", detail: "is of another conversation" });
  if (faults.length > 0 || !first) return calls.refuse(startAddress, {}, unfit(faults));
  const { conversation, turn: turn_id } = first;
  if (user !== null) await checkUser(calls, conversation, user);
  const written = await replyOfTurn(calls, conversation, turn_id);
  const before = await usageOf(calls, written?.task_id ?? null, "");
  const body = { turn_id, results: results.map(({ output }, at) => ({ call_id: places[at]?.call, output })) };
  const { output: sent, answer } = await calls.call<Sent>(resultsAddress, {
    params: { conversation },
    body,
    idempotencyKey,
  });
  return {
    conversation,
    sent,
    headers: { ...headersOf(answer, conversation, sent.task_id), ...ignoredHeader(ignored) },
    steps: stepsFrom(await stepsOfSent(calls, conversation, sent), written?.parts.length ?? 0),
    tokensBefore: before?.total ?? 0,
  };
}

const unfit = (errors: readonly Fault[]) =>
  refuse(invalidBody, "The call has what this service does not take.", { errors });

function placeOf(id: string, pointer: string, faults: Fault[]): CallPlace[] {
  const place = placeOfCall(id);
  if (place) return [place];
  faults.push({ pointer, code: "unknown_call", detail: "takes the id of a call that this service returned" });
  return [];
}

/** A result stays with the user whose conversation asked for it. */
async function checkUser(calls: ProtocolRequest["calls"], conversation: string, user: string): Promise<void> {
  const { output } = await calls.call<Conversation>(conversationAddress, { params: { conversation } });
  if (output.user === null || output.user === user) return;
  await calls.refuse(
    startAddress,
    {},
    unfit([
      {
        pointer: "/user",
        code: "other_user",
        detail: "is another one than that of the call; send its results for its own user",
      },
    ]),
  );
}

/** The steps of a reply from a part on: earlier parts belong to the response that asked for the results. */
async function* stepsFrom(steps: AsyncIterable<ReplyStep>, from: number): AsyncGenerator<ReplyStep> {
  for await (const step of steps) {
    if (step.kind === "ended") yield { ...step, message: step.message && partsFrom(step.message, from) };
    else if (!("index" in step) || step.index >= from || step.index < 0) yield step;
  }
}

const partsFrom = (message: Message, from: number): Message => ({ ...message, parts: message.parts.slice(from) });

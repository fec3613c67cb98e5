import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { nothingUsed } from "../kernel/budget.ts";
import type { ChatTurn, Telling } from "../kernel/chat-turn.ts";
import { chargedUsd } from "../kernel/ledger.ts";
import { isTransient } from "../kernel/transient.ts";
import { overSteps, type TurnBounds, turnBounds } from "./bounds.ts";
import type { Unfinished } from "./endings.ts";
import { heldAt, keptAs, over, replayOf } from "./journal.ts";
import { LiveText } from "./live-text.ts";
import type { Loop } from "./loop.ts";
import type { BegunTurn, Comment, Failure, StepSpec } from "./port.ts";
import { orAborted } from "./signals.ts";
import { modelName } from "./specs.ts";
import { offeredTools } from "./tools.ts";
import { promptDigest } from "./transcript.ts";
import { modelFailure, type Turn, type TurnTokens, takeTurn } from "./turn.ts";
import { TurnUse } from "./turn-use.ts";

export type ModelTaken = { readonly kind: "turn"; readonly turn: Turn } | Unfinished;

/** Takes a turn of the model, or its result from the journal. `comments`: those that are new in the prompt. Before anything happens it is asked whether a stop stands against it, and whether it fits the limits. */
export async function takeModelStep(
  loop: Loop,
  prompt: LanguageModelV4Prompt,
  comments: readonly Pick<Comment, "id">[] = [],
): Promise<ModelTaken> {
  const { run, port, signal } = loop;
  const name = modelName(run.model);
  const input = {
    prompt: promptDigest(prompt),
    messages: prompt.length,
    ...(loop.repairing ? { repair: true } : {}),
    ...(loop.sample > 0 ? { sample: loop.sample } : {}),
    ...(comments.length > 0 ? { comments: comments.map(({ id }) => id) } : {}),
  };
  const step: StepSpec = { number: ++loop.at, kind: "model", name, input };
  const earlier = replayOf(loop, step);
  if (earlier?.kind === "finished") return { kind: "turn", turn: earlier.output as Turn };
  const tooMany = overSteps(run, step.number);
  if (tooMany) return over(tooMany);
  const using = { tool: null, model: name };
  const hold = port.holdOf(using);
  if (hold !== "go") return heldAt(hold, using);
  const tools = offeredTools(run);
  const images = (run.chat?.images ?? []).map(() => imageWeight);
  const bounds = turnBounds(run, loop.spent, [prompt, tools, answerForm(run), ...images], loop.costOf);
  if (!bounds.ok) return over(bounds.failure);
  const beginning = port.beginModel(step, bounds.demand);
  const begun = await orAborted(signal, beginning).catch((error: unknown) => {
    beginning.then(unasked).catch(() => undefined);
    throw error;
  });
  if (begun.kind !== "begun") return keptAs(begun, using);
  const asked = await ask(loop, begun, { prompt, tools, bounds });
  if ("turn" in asked) return finish(loop, begun, asked);
  if ("lost" in asked) return { kind: "lost" };
  return (await port.endStep(begun.id, { state: "failed", failure: asked.failure }))
    ? over(asked.failure)
    : { kind: "lost" };
}

/** Stands for an image where tokens are estimated: some 1,600, as much as providers count for one at most. */
const imageWeight = "i".repeat(4_800);

/** A turn that was let begin when nobody waited for it any more: no model was asked. */
const unasked = async (begun: Awaited<ReturnType<Loop["port"]["beginModel"]>>): Promise<void> => {
  if (begun.kind === "begun") await begun.settle(nothingUsed);
};

type Tools = NonNullable<LanguageModelV4CallOptions["tools"]>;
interface Asking {
  readonly prompt: LanguageModelV4Prompt;
  readonly tools: Tools;
  readonly bounds: Extract<TurnBounds, { ok: true }>;
}
/** `withheld`: why policies let nothing of it out. */
interface Taken {
  readonly turn: Turn;
  readonly withheld?: Failure;
}
type Asked = Taken | { readonly failure: Failure } | { readonly lost: true };

/** Asks the model, and charges what that cost, however it ends: of a turn that broke off what it had used by then. */
async function ask(loop: Loop, begun: BegunTurn, { prompt, tools, bounds }: Asking): Promise<Asked> {
  const { run, signal, progress, model, report, watch, costOf } = loop;
  const name = modelName(run.model);
  progress.model = name;
  let settle: () => Promise<void> = () => begun.settle(nothingUsed);
  try {
    const shown = await begun.shown(prompt);
    if (shown === null) {
      await settle();
      return { lost: true };
    }
    const seen = shown === prompt ? withImages(shown, run.chat) : shown;
    const options = optionsOf(loop, seen, tools, bounds.maxOutputTokens);
    const asked = { ...options, prompt: shown };
    const use = new TurnUse(asked);
    settle = once(() => settleTurn(loop, begun, use.tokens));
    const live = liveText(loop);
    try {
      const turn = await watch.model({ run, options: asked, costOf }, () =>
        takeTurn(model, options, signal, live?.take, (part) => use.see(part)),
      );
      await settle();
      return live ? toldOf(turn, await orAborted(signal, live.end())) : { turn };
    } finally {
      await live?.stop();
    }
  } catch (error) {
    await settle();
    if (signal.aborted || (!modelFailure(error) && isTransient(error))) throw error;
    return { failure: failureOf(name, error, report) };
  } finally {
    if (!signal.aborted) progress.model = null; // who breaks the run off wants to know what it was in
  }
}

/** Who tells the text of a turn while it is written; null: nobody follows, it is only compared, or it has to fit a format first. */
const liveText = ({ port, sample, at, run }: Loop): LiveText | null =>
  port.tell && sample === 0 && !run.chat?.options.format ? new LiveText(port.tell, at) : null;

function toldOf(turn: Turn, telling: Telling): Asked {
  if (telling.kind === "lost") return { lost: true };
  return telling.kind === "blocked"
    ? { turn, withheld: telling.failure }
    : { turn: { ...turn, told: telling.text, ...(telling.stopped && { stopped: true as const }) } };
}

/** How the answer has to look; undefined: in any way. */
function answerForm({
  briefing,
  chat,
}: Pick<Loop["run"], "briefing" | "chat">): LanguageModelV4CallOptions["responseFormat"] {
  const format = chat?.options.format;
  if (format?.type === "json_schema") return { type: "json", name: format.name, schema: format.schema as JSONSchema7 };
  if (format) return { type: "json" };
  return briefing.output === null ? undefined : { type: "json", schema: briefing.output as JSONSchema7 };
}

/** A prompt with what the user brought for the model to see. It is added last: what an image shows cannot be redacted, and is not for the journal. */
function withImages(prompt: LanguageModelV4Prompt, chat: ChatTurn | undefined): LanguageModelV4Prompt {
  const images = chat?.images ?? [];
  const at = prompt.findLastIndex(({ role }) => role === "user");
  const message = prompt[at];
  if (images.length === 0 || message?.role !== "user") return prompt;
  const files = images.map(({ media_type, data }) => {
    return { type: "file", mediaType: media_type, data: { type: "data", data } } as const;
  });
  return prompt.with(at, { ...message, content: [...message.content, ...files] });
}

/** What the caller wants called first; undefined: nothing, or it was called. */
function choiceOf(chat: ChatTurn | undefined, prompt: LanguageModelV4Prompt): LanguageModelV4CallOptions["toolChoice"] {
  const { tools = [], tool_choice: choice = "auto" } = chat?.options ?? {};
  if (choice === "auto" || choice === "none") return undefined;
  const names = new Set(typeof choice === "object" ? [choice.name] : tools.map(({ name }) => name));
  const isCalled = prompt.some(
    ({ role, content }) =>
      role === "assistant" && content.some((part) => part.type === "tool-call" && names.has(part.toolName)),
  );
  if (isCalled) return undefined;
  return typeof choice === "object" ? { type: "tool", toolName: choice.name } : { type: "required" };
}

/** Temperature of further answers where the version's own is 0: they would all be the same. */
const samplingTemperature = 0.7;

/** What the built-in model takes from a conversation besides what was said in it. */
const builtinChat = ({ language, situation }: ChatTurn) => ({ language, situation: situation as Record<string, null> });

function optionsOf(
  { run: { model, chat, ...run }, seed, sample }: Loop,
  prompt: LanguageModelV4Prompt,
  tools: Tools,
  maxOutputTokens: number | undefined,
): LanguageModelV4CallOptions {
  const responseFormat = answerForm({ ...run, ...(chat && { chat }) });
  const toolChoice = sample > 0 ? ({ type: "none" } as const) : choiceOf(chat, prompt);
  const settings = model.provider === "builtin" ? {} : (model.settings ?? {});
  const given = seed ?? settings.seed;
  const temperature = sample > 0 && settings.temperature === 0 ? samplingTemperature : settings.temperature;
  return {
    prompt,
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && toolChoice ? { toolChoice } : {}),
    ...(responseFormat === undefined ? {} : { responseFormat }),
    ...(given === undefined ? {} : { seed: given + sample }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(settings.top_p === undefined ? {} : { topP: settings.top_p }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(chat && !chat.options.format && model.provider === "builtin"
      ? { providerOptions: { builtin: { chat: builtinChat(chat) } } }
      : {}),
  };
}

/** Charges what a turn used. Of the built-in model, which is free, the end of its step says the tokens. */
async function settleTurn(loop: Loop, begun: BegunTurn, used: TurnTokens): Promise<void> {
  const tokens = used.input + used.output;
  loop.spent.tokens += tokens;
  if (isFree(loop)) return begun.settle({ steps: 1 });
  const usd = chargedUsd(loop.costOf(used) ?? 0);
  loop.spent.costUsd += usd;
  await begun.settle({ steps: 1, tokens, usd, ...(loop.price && { price: loop.price }) });
}

const isFree = ({ run }: Loop): boolean => run.model.provider === "builtin";

/** Does it the first time only; later calls wait for that. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** Writes down how the turn ended. */
async function finish(loop: Loop, begun: BegunTurn, { turn, withheld }: Taken): Promise<ModelTaken> {
  const counted = isFree(loop) ? { tokens: turn.tokens.input + turn.tokens.output } : {};
  if (withheld) {
    const ended = await loop.port.endStep(begun.id, { state: "failed", failure: withheld, ...counted });
    return ended ? { kind: "blocked", failure: withheld } : { kind: "lost" };
  }
  const ended = await loop.port.endStep(begun.id, { state: "finished", output: turn, ...counted });
  return ended ? { kind: "turn", turn } : { kind: "lost" };
}

/** A provider says in words for people why it did not answer. What else is thrown is a fault of ours. */
function failureOf(name: string, error: unknown, report: (error: unknown) => void): Failure {
  const told = modelFailure(error);
  if (told) return told;
  report(error);
  return {
    code: "model_failed",
    detail: `${name} could not be asked because of a fault of the service, which was logged; try the task again.`,
  };
}

import {
  chatEvents,
  startWireServer,
  type WireReply,
  type WireServer,
} from "../src/runtime/models/providers/testing.ts";
import type { TestApp } from "../src/testing/app.ts";

// Tasks of an agent whose provider does what each task says: a real server on loopback, over the wire protocol.

/** What becomes of a task's turns. */
export const fates = {
  ok: "answers",
  tool: "calls a tool that costs something, then answers",
  repaired: "answers in the wrong form, is told so, then answers",
  refused: "is refused by the provider",
  broken: "gets part of an answer, and the connection breaks",
  again: "is refused by the provider, and answers when it is tried again",
  asks: "asks people, and stays open",
  hangs: "answers in the wrong form, and gets no second answer",
  late: "gets part of an answer and nothing more, until its time is over",
} as const;
export type Fate = keyof typeof fates;

const answer = JSON.stringify({ answer: "It is done." });
const said = (text: string): WireReply => ({ stream: chatEvents({ text }) });
const part = chatEvents({ text: "x".repeat(240) }).slice(0, 12);
const refusal: WireReply = { status: 400, json: { error: { message: "This model is not served here." } } };

export interface Provider extends WireServer {
  /** What is left of the fates that differ from one turn to the next. */
  readonly turns: ReadonlyMap<string, number>;
}

export async function startProvider(): Promise<Provider> {
  const turns = new Map<string, number>();
  const server = await startWireServer(({ body }) => {
    const [, fate = "ok", name = ""] = /fate_(\w+?)-([\w-]+)/.exec(JSON.stringify(body.messages)) ?? [];
    const turn = (turns.get(name) ?? 0) + 1;
    turns.set(name, turn);
    return replyTo(fate as Fate, turn);
  });
  return { ...server, turns };
}

function replyTo(fate: Fate, turn: number): WireReply | null {
  switch (fate) {
    case "ok":
      return said(answer);
    case "tool":
      return turn === 1
        ? { stream: chatEvents({ calls: [{ id: "1", name: "get_lead", input: { lead_id: "ld_1001" } }] }) }
        : said(answer);
    case "repaired":
      return said(turn === 1 ? "This is no JSON." : answer);
    case "refused":
      return refusal;
    case "broken":
      return { stream: part, after: "break" };
    case "again":
      return turn === 1 ? refusal : said(answer);
    case "asks":
      return { stream: chatEvents({ calls: [{ id: "1", name: "ask", input: { question: "Which one?" } }] }) };
    case "hangs":
      return turn === 1 ? said("This is no JSON.") : null;
    case "late":
      return { stream: part, after: "hang" };
  }
}

const skill = (name: string, seconds: number) => ({
  name,
  input: { type: "object", required: ["fate"], properties: { fate: { type: "string" } } },
  output: { type: "object", required: ["answer"], properties: { answer: { type: "string" } } },
  tools: ["get_lead"],
  limits: { steps: 6, seconds, tokens: 100_000, cost_usd: 1 },
});

/** An agent that this provider runs, deployed: its turns cost 25 × $3.1 and 15 × $15.7 a million tokens, so that each is rounded up to a millionth. */
export async function deployAgent(app: TestApp, { url }: Pick<WireServer, "url">): Promise<void> {
  const settings = { base_url: url, price: { input: 3.1, output: 15.7 }, max_output_tokens: 4_000 };
  const definition = {
    model: { provider: "openai-compatible", name: "scripted", settings },
    instructions: "Do what is asked.",
    knowledge: ["leads"],
    tools: [{ name: "get_lead", kind: "record", base: "leads", effect: "read", cost_usd: 0.0012345 }],
    skills: [skill("work", 120), skill("hurry", 2)],
  };
  for (const [path, body] of [
    ["/v1/agents", { agent: "payer", description: "Does what it is asked.", ...definition }],
    ["/v1/agents/payer/versions", {}],
    ["/v1/agents/payer/deployments", { version: 1 }],
  ] as const) {
    const { status, text } = await app.call("POST", path, { body });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  }
}

/** Dispatches a task with this fate; answers its id. */
export async function dispatch(app: TestApp, fate: Fate, number: number, key: string): Promise<string> {
  const input = { fate: `fate_${fate}-${fate}-${number}` };
  const labels = [`customer:${number % 2 === 0 ? "even" : "odd"}`];
  const body = { task: fate === "late" ? "hurry" : "work", input, labels };
  const { status, body: made, text } = await app.call("POST", "/v1/agents/payer/tasks", { key, body });
  if (status !== 202) throw new Error(`dispatch: ${status} ${text}`);
  return made.task_id as string;
}

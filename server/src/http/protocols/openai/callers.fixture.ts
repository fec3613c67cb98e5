import { afterAll, beforeAll, expect, vi } from "vitest";
import {
  chatEvents,
  type ScriptedTurn,
  startWireServer,
  type WireRequest,
  type WireServer,
} from "../../../runtime/models/providers/testing.ts";
import type { TestApp } from "../../../testing/app.ts";

// An agent whose model is a server on this machine that speaks the wire protocol of OpenAI, and what callers may bring to it.

export interface Clerk {
  /** What the model says next, by what it was asked. */
  say(script: (asked: WireRequest["body"], n: number) => ScriptedTurn): void;
  /** What the model was asked since it was last told what to say. */
  readonly asked: readonly WireRequest["body"][];
}

export const callers = {
  formats: true,
  images: true,
  tools: [
    { tool: "get_*", effect: "read" },
    { tool: "set_*", effect: "write", impact: { data: "internal" } },
  ],
};

/** Deploys the agent `clerk`, and `shy`, which lets callers bring nothing. */
export function useClerk(app: TestApp): Clerk {
  let server: WireServer;
  let script: (asked: WireRequest["body"], n: number) => ScriptedTurn = () => ({ text: "Hello." });
  let asked: WireRequest["body"][] = [];
  beforeAll(async () => {
    server = await startWireServer(({ body }) => ({ stream: chatEvents(script(body, asked.push(body) - 1)) }));
    const model = { provider: "openai-compatible", name: "sample", settings: { base_url: server.url } };
    const skills = [{ name: "chat", input: { type: "object" }, limits: { steps: 20, seconds: 60 } }];
    for (const [agent, more] of [
      ["clerk", { callers }],
      ["shy", {}],
    ] as const) {
      const definition = { agent, description: "Answers.", model, tools: [], skills, ...more };
      await made(app, "/v1/agents", definition);
      const { version } = await made(app, `/v1/agents/${agent}/versions`, { note: "The first." });
      await made(app, `/v1/agents/${agent}/deployments`, { version });
    }
    // The first reply of a process loads the provider's code, during which streams end on a busy machine.
    const { conversation_id } = await made(app, "/v1/chat/conversations", { agent: "clerk", disclosure: null });
    const path = `/v1/chat/conversations/${conversation_id}`;
    await made(app, `${path}/messages`, { text: "Hello." });
    await vi.waitFor(async () => expect((await app.call("GET", path)).body.messages).toBe(2), 60_000);
  });
  afterAll(() => server.close());
  return {
    say(next) {
      script = next;
      asked = [];
    },
    get asked() {
      return asked;
    },
  };
}

async function made(app: TestApp, path: string, body: object) {
  const { status, body: answer, text } = await app.call("POST", path, { body });
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
  return answer;
}

export const weather = {
  name: "get_weather",
  description: "The weather of a city.",
  parameters: {
    type: "object",
    required: ["city"],
    additionalProperties: false,
    properties: { city: { type: "string" } },
  },
} as const;

/** Asks for the weather of a city until its result is there, and then says it. */
export function forecast(asked: WireRequest["body"]): ScriptedTurn {
  const result = asked.messages.findLast((message: { role: string }) => message.role === "tool");
  if (result) return { text: `It says: ${JSON.parse(result.content).data.result}` };
  return { text: "Let me look.", calls: [{ id: "call_1", name: "get_weather", input: { city: "Graz" } }] };
}

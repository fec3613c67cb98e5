import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// Loopback servers that speak the wire protocols of model providers, for tests.

/** One request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
  readonly body: any;
}

/** What a server answers: a JSON body, or a stream of texts that are written in pieces of a few bytes, as a network would. */
export interface WireReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly stream?: readonly string[];
  /** After what was written: the connection stays open and silent, or is broken. Default: the answer ends. */
  readonly after?: "hang" | "break";
}

export interface WireServer {
  /** `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  readonly requests: readonly WireRequest[];
  /** Resolves when a client has broken a connection off before its answer ended. */
  readonly abandoned: Promise<void>;
  close(): Promise<void>;
}

/** Starts a server; `reply` is called with each request and its number, from 0. A reply of null answers nothing at all. */
export async function startWireServer(
  reply: (request: WireRequest, n: number) => WireReply | null,
): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const abandoned = Promise.withResolvers<void>();
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    outgoing.on("close", () => outgoing.writableFinished || abandoned.resolve());
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body: text === "" ? null : JSON.parse(text) };
      const answer = reply(request, requests.push(request) - 1);
      if (answer !== null) write(outgoing, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    abandoned: abandoned.promise,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const bytesAtOnce = 37; // so that events and characters are cut in the middle

function write(outgoing: ServerResponse, { status = 200, headers = {}, json, text, stream, after }: WireReply): void {
  const type = stream ? "text/event-stream" : json === undefined ? "text/plain" : "application/json";
  outgoing.writeHead(status, { "content-type": type, ...headers });
  const bytes = Buffer.from(stream?.join("") ?? text ?? JSON.stringify(json));
  for (let at = 0; at < bytes.length; at += bytesAtOnce) outgoing.write(bytes.subarray(at, at + bytesAtOnce));
  if (after === "break") setImmediate(() => outgoing.destroy());
  else if (after !== "hang") outgoing.end();
  else outgoing.flushHeaders();
}

/** What a scripted model does in one turn. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
}

const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const inPieces = (text: string): string[] => text.match(/[\s\S]{1,12}/g) ?? [];

/** The events of a turn as Anthropic's Messages interface streams it (platform.claude.com, "Streaming messages"). 25 tokens in, 10 of them from the cache; 15 out. */
export function anthropicEvents({ text, calls = [] }: ScriptedTurn): string[] {
  const blocks = [
    ...(text === undefined
      ? []
      : [
          {
            start: { type: "text", text: "" },
            deltas: inPieces(text).map((piece) => ({ type: "text_delta", text: piece })),
          },
        ]),
    ...calls.map(({ id, name, input }) => ({
      start: { type: "tool_use", id, name, input: {} },
      deltas: inPieces(JSON.stringify(input)).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    })),
  ];
  const usage = { input_tokens: 15, cache_read_input_tokens: 10, cache_creation_input_tokens: 0, output_tokens: 1 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    event({ type: "message_start", message }),
    event({ type: "ping" }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event({ type: "content_block_start", index, content_block: start }),
      ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
      event({ type: "content_block_stop", index }),
    ]),
    event({
      type: "message_delta",
      delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 15 },
    }),
    event({ type: "message_stop" }),
  ];
}

/** The events of a turn as OpenAI's Responses interface streams it. 25 tokens in, 10 of them from the cache; 15 out. */
export function responsesEvents({ text, calls = [] }: ScriptedTurn): string[] {
  const response = {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "scripted",
    status: "in_progress",
    output: [],
  };
  const usage = {
    input_tokens: 25,
    input_tokens_details: { cached_tokens: 10 },
    output_tokens: 15,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 40,
  };
  const items = [
    ...(text === undefined ? [] : [textItem(text)]),
    ...calls.map(({ id, name, input }, n) => {
      const item = { type: "function_call", id: `fc_${n}`, call_id: id, name, arguments: "", status: "in_progress" };
      const done = { ...item, arguments: JSON.stringify(input), status: "completed" };
      const deltas = inPieces(done.arguments).map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id: item.id,
        delta,
      }));
      return {
        item,
        done,
        between: [
          ...deltas,
          { type: "response.function_call_arguments.done", item_id: item.id, arguments: done.arguments },
        ],
      };
    }),
  ];
  return [
    { type: "response.created", response },
    { type: "response.in_progress", response },
    ...items.flatMap(({ item, done, between }, output_index) => [
      { type: "response.output_item.added", output_index, item },
      ...between.map((one) => ({ ...one, output_index })),
      { type: "response.output_item.done", output_index, item: done },
    ]),
    {
      type: "response.completed",
      response: { ...response, status: "completed", output: items.map(({ done }) => done), usage },
    },
  ].map((data, sequence_number) => event({ ...data, sequence_number }));
}

function textItem(text: string) {
  const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] as object[] };
  const part = (words: string) => ({ type: "output_text", text: words, annotations: [], logprobs: [] });
  const at = { item_id: item.id, content_index: 0 };
  const between: ({ type: string } & Record<string, unknown>)[] = [
    { type: "response.content_part.added", ...at, part: part("") },
    ...inPieces(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
    { type: "response.output_text.done", ...at, text, logprobs: [] },
    { type: "response.content_part.done", ...at, part: part(text) },
  ];
  return { item, done: { ...item, status: "completed", content: [part(text)] }, between };
}

/** The events of a turn as OpenAI's Chat Completions interface streams it, which Ollama and vLLM speak too. 25 tokens in, 10 of them from the cache; 15 out. */
export function chatEvents({ text, calls = [] }: ScriptedTurn): string[] {
  const frame = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "scripted" };
  const choice = (delta: object, finish_reason: string | null = null) => ({
    ...frame,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const usage = {
    prompt_tokens: 25,
    completion_tokens: 15,
    total_tokens: 40,
    prompt_tokens_details: { cached_tokens: 10 },
  };
  const chunks = [
    choice({ role: "assistant", content: "" }),
    ...inPieces(text ?? "").map((content) => choice({ content })),
    ...calls.flatMap(({ id, name, input }, index) => [
      choice({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...inPieces(JSON.stringify(input)).map((piece) =>
        choice({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    choice({}, calls.length > 0 ? "tool_calls" : "stop"),
    { ...frame, choices: [], usage },
  ];
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"];
}

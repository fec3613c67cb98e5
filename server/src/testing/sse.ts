/** An event as a client of a stream gets it; a comment has its text only. */
export interface Heard {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly comment?: string;
}

/** A client of a stream of server-sent events. Its parts come one by one; `leave` closes the connection. */
export interface EventClient extends AsyncIterable<Heard> {
  readonly status: number;
  readonly headers: Headers;
  /** What came instead of a stream. */
  text(): Promise<string>;
  leave(): void;
}

/** Opens a stream. Reads no faster than it is asked to. */
export async function openEvents(
  url: string,
  secret: string,
  options: { lastEventId?: string } = {},
): Promise<EventClient> {
  const left = new AbortController();
  const headers: Record<string, string> = { authorization: `Bearer ${secret}`, accept: "text/event-stream" };
  if (options.lastEventId !== undefined) headers["last-event-id"] = options.lastEventId;
  const response = await fetch(url, { headers, signal: left.signal });
  return {
    status: response.status,
    headers: response.headers,
    text: () => response.text(),
    leave: () => left.abort(),
    [Symbol.asyncIterator]: () => heard(response.body as ReadableStream<Uint8Array>, left.signal),
  };
}

/** Parts as the blank lines between them say. A connection that breaks off ends the iteration: what came whole was yielded, the rest is dropped. */
async function* heard(body: ReadableStream<Uint8Array>, left: AbortSignal): AsyncGenerator<Heard, void> {
  const decoder = new TextDecoder();
  let text = "";
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || left.aborted) return;
      text += decoder.decode(value, { stream: true });
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) yield partOf(part);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function partOf(text: string): Heard {
  const fields: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const cut = line.indexOf(":");
    fields[cut === 0 ? "comment" : line.slice(0, cut)] = line.slice(cut + 1).trim();
  }
  return fields;
}

/** The ids of the events of a stream, to its end. */
export async function idsOf(client: AsyncIterable<Heard>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of client) if (id !== undefined) ids.push(Number(id));
  return ids;
}

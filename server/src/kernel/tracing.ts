// What the machines tell of their work while it goes on. `Tracer | null`: null where nothing is traced, which costs a comparison.

export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SpanStart {
  readonly name: string;
  /** Default: `internal`. */
  readonly kind?: "internal" | "server" | "client" | "consumer";
  readonly attributes?: Attributes;
  /** W3C `traceparent` of what caused it in another process or at another time; without one the span under way. What is not well-formed counts as none. */
  readonly parent?: string | null;
  /** W3C `traceparent`s of what it has to do with besides. */
  readonly links?: readonly string[];
}

/** A piece of work under way. Names, kinds and codes go into it, never what people or models said. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Version 00 of the W3C header, by which others can name this span as their cause. */
  readonly traceparent: string;
  /** False where the sampler left it out: nothing that is reported to it is kept. */
  readonly recorded: boolean;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** A part of it that is over already; `from` and `to` in milliseconds by `performance.now()`. `failed`: a code. */
  part(name: string, from: number, to: number, attributes: Attributes, failed?: string): void;
  /** It failed; `type` is a code or the name of a class, never a message. */
  fail(type: string): void;
  end(): void;
}

export interface Tracer {
  start(span: SpanStart): Span;
  /** Runs work with this span as the one under way, in everything that it awaits. */
  within<T>(span: Span, work: () => T): T;
  /** The span under way; null outside of all. */
  active(): Span | null;
  /** Whether requests to others carry `traceparent`. */
  readonly propagates: boolean;
}

/** Runs work in a span that ends with it. What it throws fails the span, by its code, and is thrown on. */
export async function inSpan<T>(
  tracer: Tracer | null,
  start: SpanStart,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (tracer === null) return work(null);
  const span = tracer.start(start);
  try {
    return await tracer.within(span, () => work(span));
  } catch (error) {
    span.fail(failureType(error));
    throw error;
  } finally {
    span.end();
  }
}

const code = /^[A-Za-z][\w.-]{0,63}$/;

/** What stands for an error in spans and metrics: its code where it has one of ours, else its class. Never its message, which may tell what it was about. */
export function failureType(error: unknown): string {
  const { code: own, type } = (error ?? {}) as { code?: unknown; type?: { code?: unknown } };
  const told = type?.code ?? own;
  if (typeof told === "string" && code.test(told)) return told;
  return error instanceof Error && code.test(error.name) ? error.name : "error";
}

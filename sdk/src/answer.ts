import { AosError } from "./errors.ts";

/** An answer with what its headers say. */
export interface Answered<T> {
  readonly data: T;
  readonly status: number;
  /** The id of the call, by which the service logs it. */
  readonly requestId: string | null;
  /** The audit record of the call. */
  readonly auditRef: string | null;
  /** The revision of what was answered, for `ifMatch` and `ifNoneMatch`. */
  readonly etag: string | null;
  /** Where the new or running thing can be read. */
  readonly location: string | null;
  /** Whether an earlier call with the same idempotency key was answered again. */
  readonly replayed: boolean;
  readonly headers: Headers;
}

/** The data of an answer with the response that it came with. */
export function answeredOf<T>(data: T, { status, headers }: Response): Answered<T> {
  return {
    data,
    status,
    requestId: headers.get("x-request-id"),
    auditRef: headers.get("audit-ref"),
    etag: headers.get("etag"),
    location: headers.get("location"),
    replayed: headers.get("idempotent-replayed") === "true",
    headers,
  };
}

/** A page of a list. */
export interface Page {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Makes an answer; `next` asks for the page after a cursor. */
export interface AnswerParts<T> {
  readonly whole: Promise<Answered<T>>;
  readonly next: (cursor: string) => Promise<Answered<T>>;
}

/** What a call answers: a promise of its data. */
export interface Answer<T> extends Promise<T> {
  /** The data with what the headers say: the revision, the audit record, the id of the call. */
  withResponse(): Promise<Answered<T>>;
}

/** What a call for a list answers: a promise of its first page, and an iteration over the items of all pages. */
export interface PageAnswer<P> extends Answer<P> {
  /** Every page from the first on. */
  pages(): AsyncGenerator<P, void>;
  /** Every item of every page. */
  [Symbol.asyncIterator](): AsyncGenerator<P extends { readonly data: readonly (infer Item)[] } ? Item : never, void>;
}

/** Both of them. */
export class Call<T> extends Promise<T> implements Answer<T> {
  readonly #parts: AnswerParts<T>;

  constructor(parts: AnswerParts<T>) {
    super((resolve) => resolve(undefined as T)); // never looked at: `then` asks the call itself
    this.#parts = parts;
  }

  /** What `then`, `catch` and `finally` answer are promises like any other. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    done?: ((data: T) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#parts.whole.then(({ data }) => data).then(done, failed);
  }

  withResponse(): Promise<Answered<T>> {
    return this.#parts.whole;
  }

  async *pages(): AsyncGenerator<T, void> {
    let page = await this.#parts.whole;
    for (;;) {
      const { has_more, next_cursor } = pageOf(page.data);
      yield page.data;
      if (!has_more || next_cursor === null) return;
      page = await this.#parts.next(next_cursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    for await (const page of this.pages()) yield* pageOf(page).data;
  }
}

function pageOf(data: unknown): Page {
  if (typeof data === "object" && data !== null && "next_cursor" in data) return data as Page;
  throw new AosError("only the answer of a list can be iterated over");
}

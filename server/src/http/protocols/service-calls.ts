import { hash } from "node:crypto";
import type { Method, Operation } from "../../kernel/operation.ts";
import { describe } from "../../kernel/operation-seal.ts";
import type { Answer, Call } from "../../pipeline/call.ts";
import type { Pipeline } from "../../pipeline/run.ts";

/** An operation as the interface names it, such as `GET /v1/agents`. */
export type Address = `${Method} /v1/${string}`;

/** What a call of an operation has of its own; the rest is that of the request that it is made for. */
export interface OperationCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string | null;
  readonly accept?: string;
  readonly lastEventId?: string;
}

/** An operation refused; its answer is the problem. */
export class RefusedCall extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(answer.body);
    this.answer = answer;
  }
}

/** The operations by their addresses. */
export type Operations = ReadonlyMap<string, Operation>;

export function operationsByAddress(operations: readonly Operation[]): Operations {
  const known = operations.map((operation) => ({ operation, ...describe(operation) }));
  return new Map(
    known.flatMap(({ operation, method, path }) => (method && path ? [[`${method} ${path}`, operation]] : [])),
  );
}

/** Calls of operations that one request is made of, by the same caller. The first counts against the caller's rate, the others belong to it. */
export class ServiceCalls {
  readonly #pipeline: Pipeline;
  readonly #operations: Operations;
  readonly #request: Call;
  #counted = false;
  /** Headers that tell of the caller's rate. */
  #rate: Readonly<Record<string, string>> = {};

  constructor(pipeline: Pipeline, operations: Operations, request: Call) {
    this.#pipeline = pipeline;
    this.#operations = operations;
    this.#request = request;
  }

  /** The request came in, its body read; throws the Refusal of a body that cannot be read. */
  async body(): Promise<unknown> {
    return this.#request.readBody();
  }

  /** Whether an end user calls by a chat token: what they see is not theirs to choose. */
  get byEndUser(): boolean {
    return this.#request.credential.kind === "chat_token";
  }

  /** SHA-256 of the request's body. */
  bodyDigest(): string {
    return this.#request.bodyDigest() ?? "";
  }

  /** A key for a call that joins an earlier one of the same caller which said the same. */
  keyOf(prefix: string, ...told: readonly unknown[]): string {
    const { credential } = this.#request;
    const secret = "secret" in credential ? credential.secret : null;
    return `${prefix}-${hash("sha256", JSON.stringify([secret, ...told]), "base64url")}`;
  }

  get idempotencyKey(): string | null {
    return this.#request.idempotencyKey;
  }

  /** Calls an operation. Throws RefusedCall where it refuses. */
  async call<O>(address: Address, { body = {}, ...call }: OperationCall): Promise<{ output: O; answer: Answer }> {
    const bytes = Buffer.from(JSON.stringify(body));
    const { output, answer } = await this.#run(address, call, () => body, bytes);
    return { output: output as O, answer };
  }

  /** Refuses the request as the operation that it stands for would: with its checks before, and its record. What is no Refusal is a fault of ours. */
  async refuse(address: Address, params: Readonly<Record<string, string>>, fault: unknown): Promise<never> {
    const readBody = (): never => {
      throw fault;
    };
    await this.#run(address, { params }, readBody, Buffer.alloc(0));
    throw fault;
  }

  async #run(address: Address, call: Omit<OperationCall, "body">, readBody: () => unknown, bytes: Buffer) {
    const operation = this.#operations.get(address);
    if (!operation) throw new Error(`there is no operation ${address}`);
    const { params = {}, query = {}, idempotencyKey = null, accept = null, lastEventId = null } = call;
    const counted = this.#counted;
    this.#counted = true;
    const { answer, output, refusal } = await this.#pipeline.run(operation, {
      requestId: this.#request.requestId,
      credential: this.#request.credential,
      address: this.#request.address,
      params,
      query: new URLSearchParams(query).toString(),
      readBody,
      bodyLength: bytes.length,
      bodyDigest: () => (bytes.length > 0 ? hash("sha256", bytes, "hex") : null),
      idempotencyKey,
      accept,
      lastEventId,
      ifMatch: null,
      ifNoneMatch: null,
      prefer: null,
      batch: null,
      counted,
      signal: this.#request.signal,
      target: targetOf(address, params),
    });
    if (!counted) this.#rate = rateOf(answer.headers);
    const told = { ...answer, headers: { ...this.#rate, ...answer.headers } };
    if (refusal) throw new RefusedCall(told);
    return { answer: told, output };
  }
}

const targetOf = (address: Address, params: Readonly<Record<string, string>>): string =>
  address.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ""));

const rateOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("RateLimit")));

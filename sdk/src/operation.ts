// The shape of the table of operations (`generated/operations.ts`), which commands and documentation are made from.

/** What a value is, as far as a form or a command line has to know it. `any` takes every JSON value. */
export type ValueType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "any";

/** A value that a call takes: a parameter of its path or query, or a field of its body. */
export interface OperationValue {
  readonly name: string;
  readonly type: ValueType;
  /** Of an array: what its items are. In a query they are sent once, with commas between them. */
  readonly items?: ValueType;
  /** The values that it, or each of its items, may have. */
  readonly enum?: readonly string[];
  /** Whether null is a value. */
  readonly nullable?: true;
  readonly required: boolean;
  readonly description?: string;
  /** As JSON Schema names it, such as `date-time`. */
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The component that describes it, or each of its items, in `openapi.json`: a name under `components.schemas`. */
  readonly schema?: string;
}

/** The body that a call takes. */
export interface OperationBody {
  /** Whether it must be sent. */
  readonly required: boolean;
  /** Its component in `openapi.json`; null where it stands at the operation. */
  readonly schema: string | null;
  /** Media types besides JSON that say the same. */
  readonly types: readonly string[];
  readonly fields: readonly OperationValue[];
  /** Whether it takes fields besides these: those of a skill's input. */
  readonly open: boolean;
  /** A body that works, from the declaration. */
  readonly example?: unknown;
}

/** What a call answers when it goes well. */
export interface OperationAnswer {
  readonly status: number;
  /** Media types, that which comes unless Accept asks for another first. */
  readonly types: readonly string[];
  /** The component that describes the JSON, in `openapi.json`; null where it stands at the operation or is no JSON. */
  readonly schema: string | null;
}

/** An operation of the service: what it takes, answers and needs. */
export interface OperationEntry {
  /** `<group>.<name>`, such as `tasks.cancelTask`. */
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its parameters in braces, such as `/v1/tasks/{task}`. */
  readonly path: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** Null where every valid key may. */
  readonly permission: string | null;
  /** The action by which policies know it; null where they do not. */
  readonly action: string | null;
  /** Whether the interface specification counts it. */
  readonly listed: boolean;
  readonly pathParameters: readonly OperationValue[];
  readonly queryParameters: readonly OperationValue[];
  readonly body: OperationBody | null;
  readonly answer: OperationAnswer;
  /** Takes `Idempotency-Key`: POST and PATCH do. */
  readonly idempotent: boolean;
  /** Takes `dry_run=true`: every change does. It is not among the query parameters. */
  readonly dryRun: boolean;
  /** Must be sent `If-Match`. */
  readonly ifMatch: boolean;
  /** May be sent `If-Match`. */
  readonly mayMatch: boolean;
  /** Takes `If-None-Match`. */
  readonly ifNoneMatch: boolean;
  /** Takes `Prefer: wait=<seconds>`, at most 60. */
  readonly waits: boolean;
  /** Answers pages: `data`, `has_more`, `next_cursor`. `limit` and `cursor` are among the query parameters. */
  readonly paginated: boolean;
  /** Answers `text/event-stream` where Accept asks for it. */
  readonly streams: boolean;
}

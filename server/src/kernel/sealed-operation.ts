export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

declare const exemption: unique symbol;
/** A stage that does not apply, with the reason that stands in the generated matrix and in every record. */
export interface Exempt {
  readonly [exemption]: true;
  readonly reason: string;
}

declare const sealed: unique symbol;
/** An operation. Opaque: nothing but the pipeline can reach its handler. `describe` tells what may be known of it. */
export interface Operation {
  readonly [sealed]: true;
  readonly id: string;
}
/** An operation for machines inside, with the types of its input and output. */
export interface InsideOperation<I, O> extends Operation {
  readonly types?: { input: I; output: O };
}

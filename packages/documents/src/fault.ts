/** Why a file cannot be read. */
export type FaultCode =
  | "bad_encoding"
  | "crashed"
  | "damaged"
  | "empty"
  | "encrypted"
  | "no_text"
  | "out_of_memory"
  | "timeout"
  | "too_complex"
  | "too_large"
  | "too_large_unpacked"
  | "too_many_pages"
  | "too_many_rows"
  | "too_much_text"
  | "unsupported_type";

/** A file that cannot be read: why, and what whoever sent it can do. */
export class DocumentFault extends Error {
  override readonly name = "DocumentFault";
  readonly code: FaultCode;
  /** Sentences for people: what is wrong, and what to do. */
  readonly detail: string;

  constructor(code: FaultCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

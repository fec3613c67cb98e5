import type { FaultCode } from "../fault.ts";
import type { Limits } from "../limits.ts";
import type { Told } from "../readers/output.ts";

/** The first line that a process is given; as many bytes as it names follow. */
export interface Asked {
  readonly length: number;
  readonly mediaType: string;
  readonly fileName: string;
  readonly idColumn: string | null;
  readonly limits: Limits;
}

/** A line that it prints. */
export type Message =
  | Told
  | { readonly fault: { readonly code: FaultCode; readonly detail: string } }
  | { readonly end: true };

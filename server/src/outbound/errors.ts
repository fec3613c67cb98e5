/**
 * Why a request came to nothing. Of the address: `address_invalid`, `https_required`, `address_refused` (not public, or opened to nobody), `name_not_found`.
 * Of the request: `request_invalid`. Of the way: `connect_failed`, `connect_timeout`, `tls_failed`, `connection_lost`, `timeout`, `aborted`. Of the answer:
 * `response_too_large`, `response_invalid`, `redirect_refused`.
 */
export type OutboundErrorCode =
  | "address_invalid"
  | "https_required"
  | "address_refused"
  | "name_not_found"
  | "request_invalid"
  | "connect_failed"
  | "connect_timeout"
  | "tls_failed"
  | "connection_lost"
  | "timeout"
  | "aborted"
  | "response_too_large"
  | "response_invalid"
  | "redirect_refused";

interface Facts {
  /** Whether any of the request may have reached its target. */
  readonly sent: boolean;
  /** The status of the answer where one began; null: none. */
  readonly status?: number | null;
  readonly cause?: unknown;
}

/** A request that came to nothing, or whose answer could not be read. The message is for people: it names the host, never an address behind it. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly code: OutboundErrorCode;
  /** False: the target has certainly received nothing. */
  readonly sent: boolean;
  readonly status: number | null;
  constructor(code: OutboundErrorCode, message: string, { sent, status = null, cause }: Facts) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.sent = sent;
    this.status = status;
  }
}

/** The message of an OutboundError as a sentence by itself. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ProblemType } from "../kernel/errors.ts";
import type { NewId } from "../kernel/ids.ts";
import {
  expectationFailed,
  headersTooLarge,
  malformedRequest,
  requestTimedOut,
  uriTooLong,
} from "../kernel/problems.ts";
import { isUploading } from "./form-body.ts";
import { nosniffLine } from "./nosniff.ts";

// What is not HTTP, or breaks its rules before a route is known, never becomes a call; it is refused in the shape of every error.

/** Bytes of the request line and all headers. */
export const maxHeaderBytes = 16 * 1024;
/** How long the rest of a refused request is taken and thrown away (milliseconds): a connection that breaks at once loses the answer. */
const lingers = 2_000;

interface Refused {
  readonly type: ProblemType;
  readonly detail: string;
  /** The path, where it was read. */
  readonly instance?: string;
}

export interface Unparsed {
  readonly appUrl: string;
  readonly newId: NewId;
  /** How long a request may take to arrive (milliseconds). */
  readonly patience: number;
}

/** Answers on the socket what Node's parser could not read. As `clientErrorHandler` of Fastify. */
export function refuseUnparsed(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Socket,
  options: Unparsed,
): void {
  // A body with a file has time limits of its own.
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isUploading(socket)) return;
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (!socket.writable || error.code === "ECONNRESET" || answering?.headersSent) return void socket.destroy();
  if (answering?.req.complete) {
    // What is not HTTP came after a whole request, which would take the refusal for its answer. Its own goes out, and then the connection ends.
    answering.shouldKeepAlive = false;
    return;
  }
  const { type, requestId, body } = problemOf(refusalOf(error, socket, options), options);
  const head = [
    `HTTP/1.1 ${type.status} ${type.title}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Access-Control-Allow-Origin: *",
    "Access-Control-Expose-Headers: X-Request-Id",
    `${nosniffLine}Connection: close`,
  ];
  socket.setTimeout(lingers, () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Refuses a request without the one Host header of HTTP/1.1, and one that expects more than to be asked for its body. */
export function refuseUnfit(server: FastifyInstance, options: Unparsed): void {
  const refuse = (response: ServerResponse, refused: Refused): void => {
    const { type, requestId, body } = problemOf(refused, options);
    response.writeHead(type.status, {
      "Content-Type": "application/problem+json",
      "Content-Length": Buffer.byteLength(body),
      "X-Request-Id": requestId,
      Connection: "close",
    });
    response.end(body);
  };
  server.server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) =>
    refuse(response, {
      type: expectationFailed,
      detail: "`Expect` may say 100-continue and nothing else. Leave it out.",
    }),
  );
  server.addHook("onRequest", (request, reply, done) => {
    const fault = hostFault(request.raw);
    if (fault === null) return done();
    reply.hijack();
    refuse(reply.raw, { type: malformedRequest, detail: fault });
  });
}

/** What is wrong with the Host header (RFC 9112 section 3.2); null: nothing. */
function hostFault({ rawHeaders, httpVersionMinor }: IncomingMessage): string | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  if (hosts > 1) return "The Host header is given more than once. Send it once.";
  return hosts === 0 && httpVersionMinor > 0 ? "HTTP/1.1 requires a Host header. Send it once." : null;
}

function problemOf({ type, detail, instance }: Refused, { appUrl, newId }: Unparsed) {
  const requestId = newId("req");
  const { status, title, code, retryable } = type;
  const body = JSON.stringify({
    type: `${appUrl}/docs/problems/${code}`,
    title,
    status,
    code,
    detail,
    instance,
    request_id: requestId,
    retryable,
  });
  return { type, requestId, body };
}

/** What Node's parser says by its codes, in words. */
function refusalOf(
  { code, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Socket,
  { patience }: Unparsed,
): Refused {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { type: requestTimedOut, detail: `The request did not arrive whole within ${patience / 1000} seconds.` };
  if (code === "HPE_HEADER_OVERFLOW") {
    const isFirst = rawPacket !== undefined && socket.bytesRead === rawPacket.length;
    const start = isFirst ? rawPacket.subarray(0, maxHeaderBytes).toString("latin1") : null;
    const instance = start === null ? undefined : /^[A-Z]+ (\/[!->@-~]*)/.exec(start)?.[1];
    return start?.includes("\n") === false
      ? {
          type: uriTooLong,
          detail: `The request line and the headers may have ${maxHeaderBytes} bytes together; the address alone has more.`,
        }
      : {
          type: headersTooLarge,
          detail: `The headers may have ${maxHeaderBytes} bytes together.`,
          ...(instance !== undefined && { instance }),
        };
  }
  const detail =
    code === "HPE_INVALID_METHOD"
      ? "The request line begins with a method that HTTP does not know."
      : "The request line, a header or the framing of the body breaks the grammar of HTTP/1.1.";
  return { type: malformedRequest, detail };
}

import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { ServerResponse } from "./node-http.ts";

const name = "X-Content-Type-Options";

/** The header as a line of an answer that is written to a socket by hand. */
export const nosniffLine = `${name}: nosniff\r\n`;

/**
 * A response that tells browsers to take it for what its Content-Type says (Fetch standard, section 3.5). As the class of a server's responses it covers those too
 * that Node writes by itself.
 */
export class NosniffResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number, ...rest: unknown[]): this {
    const last = rest.at(-1);
    // Headers that are given at once are written faster than those that are set before.
    if (typeof last === "object" && last !== null && !Array.isArray(last))
      rest[rest.length - 1] = { ...last, [name]: "nosniff" };
    else if (Array.isArray(last)) rest[rest.length - 1] = [...last, name, "nosniff"];
    else this.setHeader(name, "nosniff");
    return super.writeHead(status, ...(rest as [OutgoingHttpHeaders?]));
  }
}

import { OutboundError } from "./errors.ts";

/** A token (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters, spaces and tabs (RFC 9110, section 5.5), within Latin-1: no end of a line, by which a second header or request could be smuggled in. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers of the connection, and the one that names the target: they are the service's own. */
const OWN_HEADERS = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "expect",
  "proxy-authorization",
  "proxy-connection",
]);
/** Methods that open other ways than one request and its answer. */
const REFUSED_METHODS = new Set(["CONNECT", "TRACE", "TRACK"]);

const refuse = (message: string): never => {
  throw new OutboundError("request_invalid", message, { sent: false });
};

/** The method in its one spelling. Throws OutboundError for what is none, and for those that make tunnels or echo requests. */
export function checkedMethod(method: string): string {
  const upper = method.toUpperCase();
  if (!TOKEN.test(method) || REFUSED_METHODS.has(upper)) return refuse("the method must be one such as GET or POST");
  return upper;
}

/** Headers by lower-case name. Throws OutboundError for a name or value that no header can have, and for those that the service sets itself. */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!TOKEN.test(name)) refuse("a header's name must be letters, digits and `-`, without spaces");
    if (OWN_HEADERS.has(lower)) refuse(`the header \`${lower}\` is set by the service; leave it out`);
    if (!HEADER_VALUE.test(value))
      refuse(`the header \`${lower}\` must be one line of characters that a header can carry`);
    checked[lower] = value;
  }
  return checked;
}

import { randomBytes } from "node:crypto";
import { dispatchBody } from "./bodies.ts";
import type { Load } from "./wrk.ts";

/** A text in Lua: what JSON writes for printable ASCII and line ends is a Lua string as well. */
const lua = (text: string): string => JSON.stringify(text);
const luaList = (texts: readonly string[]): string => `{${texts.map(lua).join(",\n")}}`;

/**
 * Dispatches, each with an Idempotency-Key of its own, over the sample's 200 leads. The requests' text is joined by hand: wrk's own formatting
 * would take a good part of the processor that client and service share.
 */
export function dispatchLoad(key: string): Load {
  const bodies = Array.from({ length: 200 }, (_, lead) => JSON.stringify(dispatchBody(lead)));
  const tails = bodies.map((body) => `\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const line = "POST /v1/agents/sales/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  const head = `${line}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nIdempotency-Key: ${randomBytes(6).toString("hex")}-`;
  // A run lasts a second at least, so that its start keeps its keys apart from those of the next.
  const script = `
local head = ${lua(head)} .. os.time() .. "-"
local tails = ${luaList(tails)}
local n = 0
request = function()
  n = n + 1
  return head .. n .. tails[n % 200 + 1]
end
`;
  return { name: "dispatch", script };
}

/** GETs of these paths, one after another. */
export function readLoad(name: string, key: string, paths: readonly string[]): Load {
  const requests = paths.map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  const script = `
local requests = ${luaList(requests)}
local n = 0
request = function()
  n = n + 1
  return requests[n % #requests + 1]
end
`;
  return { name, script };
}

import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { Type } from "typebox";
import type { Fault } from "./errors.ts";
import type { Scope } from "./principal.ts";
import { storedJson } from "./stored-json.ts";

/*
 * Lists are paged by keyset: newest first, ties by id. A page asks for the rows after a position,
 *
 *   where (<sort key>, id) < ($key, $id) order by <sort key> desc, id desc limit <limit + 1>
 *
 * (with `>` and `asc` for an ascending sort), so that its cost does not grow with its number. An item created during paging sorts before
 * the position and moves nothing. An item changed during paging is neither lost nor doubled as long as its sort key stays the same:
 * sort by what never changes (creation, id), or freeze the list with `as_of`, which every later page of the list repeats.
 */

export const PAGE_LIMIT = { least: 1, most: 100, standard: 25 } as const;

export type SortKey = string | number | null;

/** Where a page ended: the sort keys and the id of its last item; `as_of` (ms since the epoch) for lists that are frozen at their first page. */
export interface Position {
  readonly keys: readonly SortKey[];
  readonly id: string;
  readonly as_of?: number;
}

/** What a cursor belongs to. It is good for nothing else. */
export interface CursorBinding {
  /** Id of the operation, such as `tasks.listTasks`. */
  readonly operation: string;
  /** Names and values of the filter as they were understood; names without a value are left out. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** The sort order, such as `-created_at`. */
  readonly sort: string;
  readonly scope: Scope;
}

export type CursorResult =
  | { readonly ok: true; readonly position: Position }
  | { readonly ok: false; readonly fault: Fault };

const MAC_BYTES = 16;
const BINDING_BYTES = 9;
const LONGEST = 2048;

/**
 * An opaque cursor: base64url of (HMAC-SHA-256 truncated to 128 bits as RFC 2104 section 5 allows, digest of the binding, position as JSON).
 * `key` is the installation's cursor key (at least 32 bytes).
 */
export function encodeCursor(position: Position, binding: CursorBinding, key: Uint8Array): string {
  const content = [position.keys, position.id, ...(position.as_of === undefined ? [] : [position.as_of])];
  const payload = Buffer.concat([bindingDigest(binding), Buffer.from(JSON.stringify(content))]);
  return Buffer.concat([mac(payload, key), payload]).toString("base64url");
}

/**
 * The position in a cursor that this service made for this list. Faults: `invalid_cursor` when it was not made here or was changed,
 * `cursor_of_another_list` when operation, filter, sort, organization or environment differ from those it was made for.
 */
export function decodeCursor(cursor: string, binding: CursorBinding, key: Uint8Array): CursorResult {
  if (cursor.length > LONGEST || !/^[A-Za-z0-9_-]+$/.test(cursor)) return cursorFault("invalid_cursor");
  const bytes = Buffer.from(cursor, "base64url");
  const payload = bytes.subarray(MAC_BYTES);
  // The text must be the one that encoding gives: unused bits in the last character would otherwise make several texts for one cursor.
  if (payload.length <= BINDING_BYTES || bytes.toString("base64url") !== cursor) return cursorFault("invalid_cursor");
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(payload, key))) return cursorFault("invalid_cursor");
  if (!payload.subarray(0, BINDING_BYTES).equals(bindingDigest(binding))) return cursorFault("cursor_of_another_list");
  const [keys, id, asOf] = cursorJson({ content: payload.subarray(BINDING_BYTES).toString() }, "content");
  return { ok: true, position: asOf === undefined ? { keys, id } : { keys, id, as_of: asOf } };
}

/** Its MAC says that this service made it. */
const cursorJson = storedJson<{ content: [SortKey[], string, number?] }>();

function mac(payload: Buffer, key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(payload).digest().subarray(0, MAC_BYTES);
}

/** Short, and only for telling a foreign cursor from a forged one: that it was not changed is the MAC's to say. */
function bindingDigest(binding: CursorBinding): Buffer {
  const { operation, filter, sort, scope } = binding;
  const text = canonicalJson([operation, filter, sort, scope.organization, scope.environment]);
  return hash("sha256", text, "buffer").subarray(0, BINDING_BYTES);
}

function cursorFault(code: "invalid_cursor" | "cursor_of_another_list"): CursorResult {
  const detail =
    code === "invalid_cursor"
      ? "is none that this service gave out. Take it unchanged from `next_cursor`, or leave it out to start again."
      : "belongs to another list. Keep path, filter, sort and environment unchanged while paging, or leave it out to start again.";
  return { ok: false, fault: { parameter: "cursor", code, detail } };
}

/** One page on the wire. */
export interface Page<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/**
 * Makes the page from `limit + 1` rows: the one row too many only says that there is more.
 * `positionOf` names the place of the last row shown; `cursorOf` encodes it (usually `encodeCursor` with its binding and key).
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
  cursorOf: (position: Position) => string,
): Page<Row> {
  const data = rows.slice(0, limit);
  const has_more = rows.length > limit;
  const last = data[data.length - 1];
  return { data, has_more, next_cursor: has_more && last !== undefined ? cursorOf(positionOf(last)) : null };
}

/** The `Link` header (RFC 8288) to the next page: the same address with `cursor` set. Null on the last page. */
export function nextLink(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  nextCursor: string | null,
): string | null {
  if (nextCursor === null) return null;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && name !== "cursor") parameters.set(name, value);
  parameters.set("cursor", nextCursor);
  return `<${path}?${parameters.toString()}>; rel="next"`;
}

/** The query parameters of every list, for its declaration: `Type.Object({ ...pageParameters, status: … })`. */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: PAGE_LIMIT.least,
      maximum: PAGE_LIMIT.most,
      default: PAGE_LIMIT.standard,
      description: "How many items a page has.",
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: LONGEST, description: "Where to go on: `next_cursor` of the page before." }),
  ),
};

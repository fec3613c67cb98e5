import { type SourceAnswer, SourceFault } from "../../ports.ts";
import type { JsonApiSource } from "../source-schemas.ts";
import type { createJsonClient, JsonAnswer } from "./json-client.ts";
import { textAt, valueAt } from "./json-place.ts";
import type { SourceReading } from "./source.ts";

/** Pages without a new item in a row, after which a list counts as one without end. */
const MOST_EMPTY = 100;
const parameters = { cursor: "cursor", page: "page", offset: "offset", link: "" } as const;

export interface Listed {
  readonly id: string;
  readonly item: unknown;
}

/** Items of all pages, each once. Throws SourceFault where it cannot tell that it has seen all. */
export async function* listedItems(
  source: JsonApiSource,
  client: ReturnType<typeof createJsonClient>,
  { signal }: Pick<SourceReading, "signal">,
  start: string,
): AsyncGenerator<Listed> {
  const ids = new Set<string>();
  const asked = new Set<string>();
  let [earlier, empty] = [0, 0];
  for (let url: string | null = firstUrl(source, start), page = 0; url !== null; page++) {
    signal.throwIfAborted();
    if (asked.has(url)) throw new SourceFault("pages_repeat", `${url} names itself as a later page. Check \`pages\`.`);
    asked.add(url);
    const answer: JsonAnswer | null = await client.read(url);
    if (answer === null) throw new SourceFault("not_found", `There is nothing at ${url}.`);
    const items = itemsOf(source, answer.value, url);
    const before = ids.size;
    for (const item of items) {
      const id = idOf(source, item);
      if (ids.has(id)) continue; // it moved from an earlier page meanwhile
      ids.add(id);
      yield { id, item };
    }
    empty = ids.size > before ? 0 : empty + 1;
    checkProgress(source, { url, items: items.length, empty });
    earlier += items.length;
    url = nextUrl(source, answer, { start, url, page, earlier, items: items.length });
  }
}

/** Servers that ignore the parameter answer with the first page for ever. */
function checkProgress(
  { pages }: JsonApiSource,
  { url, items, empty }: { readonly url: string; readonly items: number; readonly empty: number },
): void {
  const counted = pages?.by === "page" || pages?.by === "offset";
  if (empty === 0 || (counted && items === 0) || (!counted && empty < MOST_EMPTY) || pages === undefined) return;
  throw new SourceFault(
    "pages_repeat",
    `${url} has no item that earlier pages did not have. Check \`pages.parameter\`: the API may not know it.`,
  );
}

function itemsOf({ items: place }: JsonApiSource, value: unknown, url: string): readonly unknown[] {
  const found = valueAt(value, place);
  if (Array.isArray(found)) return found;
  const names = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const has = names.length === 0 ? "" : ` The answer has: ${names.slice(0, 20).join(", ").slice(0, 300)}.`;
  const where = place === undefined ? "is no list; say where it is with `items`" : `has no list at \`${place}\``;
  throw new SourceFault("items_missing", `${url} ${where}.${has}`);
}

function idOf({ id: place }: JsonApiSource, item: unknown): string {
  const id = textAt(item, place);
  if (id === "") throw new SourceFault("id_missing", `An item has no \`${place}\`. Name another place with \`id\`.`);
  return id;
}

function withQuery(url: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const to = new URL(url);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) to.searchParams.set(name, String(value));
  return to.href;
}

function sized({ pages }: JsonApiSource, url: string): string {
  if (pages?.size === undefined) return url;
  return withQuery(url, { [pages.size_parameter ?? "limit"]: pages.size });
}

function firstUrl(source: JsonApiSource, start: string): string {
  const { pages } = source;
  if (pages?.by !== "page") return sized(source, start);
  return withQuery(sized(source, start), { [pages.parameter ?? parameters.page]: pages.first ?? 1 });
}

interface At {
  readonly start: string;
  readonly url: string;
  readonly page: number;
  /** Items of this page and those before it. */
  readonly earlier: number;
  readonly items: number;
}

/** Null: this page is the last. */
function nextUrl(source: JsonApiSource, answer: JsonAnswer, at: At): string | null {
  const { pages } = source;
  if (pages === undefined) return null;
  const name = pages.parameter ?? parameters[pages.by];
  if (pages.by === "cursor") {
    const cursor = textAt(answer.value, pages.cursor);
    return cursor === "" ? null : withQuery(sized(source, at.start), { [name]: cursor });
  }
  if (pages.by === "link") return linked(pages.next, answer, at);
  if (at.items === 0) return null;
  const position = pages.by === "page" ? (pages.first ?? 1) + at.page + 1 : at.earlier;
  return withQuery(sized(source, at.start), { [name]: position });
}

function linked(next: string | undefined, { value, headers }: JsonAnswer, { start, url }: At): string | null {
  const text = next === undefined ? nextInHeader(headers) : textAt(value, next);
  if (text === "") return null;
  const to = URL.parse(text, url);
  if (to?.origin === new URL(start).origin) return to.href;
  throw new SourceFault("next_elsewhere", `${url} names a next page at ${to?.origin ?? "no address"}, another origin.`);
}

/** The address with `rel="next"` of a header `Link` (RFC 8288); empty: none. */
export function nextInHeader({ link = "" }: SourceAnswer["headers"]): string {
  for (const [, address = "", parameters = ""] of link.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? plain ?? "").toLowerCase().split(/\s+/).includes("next")) return address;
  }
  return "";
}

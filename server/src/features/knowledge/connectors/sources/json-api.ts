import { createHash } from "node:crypto";
import { SourceFault } from "../../ports.ts";
import type { JsonApiSource } from "../source-schemas.ts";
import { createJsonClient } from "./json-client.ts";
import { type Listed, listedItems } from "./json-pages.ts";
import { fill, textAt, valueAt } from "./json-place.ts";
import { laterOf, type Mark, sinceUrl } from "./json-since.ts";
import type { FileContents, ReadItem, RowContents, SourceItem, SourceReading } from "./source.ts";

interface Note {
  readonly mark: Mark;
  /** When the whole list was read (milliseconds since 1970). */
  readonly full_at: number;
}

const hour = 3_600_000;
const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

export async function* listEntries(source: JsonApiSource, reading: SourceReading): AsyncGenerator<SourceItem> {
  const client = createJsonClient(source, reading);
  const note = reading.memory as Note | null;
  const began = reading.now();
  const changes = source.since !== undefined && note !== null && began - note.full_at < fullHours(source) * hour;
  if (changes) reading.onlyChanges();
  const moves = source.pages?.by === "page" || source.pages?.by === "offset";
  if (moves && !changes) reading.listAgain(() => names(listedItems(source, client, reading, source.url), source));
  const start = changes ? sinceUrl(source, note.mark) : source.url;
  const toItem = itemMaker(source, client, reading);
  const most = source.most_items ?? 100_000;
  let taken = 0;
  let mark: Mark = changes ? note.mark : null;
  for await (const listed of listedItems(source, client, reading, start)) {
    mark = laterOf(source, listed.item, mark);
    if (isDeleted(source, listed.item)) reading.gone(listed.id);
    else if (++taken > most) return reading.partial(`The list has more than ${most} items.`);
    else yield toItem(listed);
  }
  const full_at = changes ? note.full_at : began;
  if (source.since !== undefined) reading.remember({ mark, full_at } satisfies Note);
}

const fullHours = ({ since }: JsonApiSource): number => since?.full_hours ?? 24;

async function* names(items: AsyncIterable<Listed>, source: JsonApiSource): AsyncGenerator<string> {
  for await (const { id, item } of items) if (!isDeleted(source, item)) yield id;
}

function isDeleted({ deleted }: JsonApiSource, item: unknown): boolean {
  if (deleted === undefined) return false;
  const value = valueAt(item, deleted);
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
}

function itemMaker(source: JsonApiSource, client: ReturnType<typeof createJsonClient>, reading: SourceReading) {
  const { updated, item: address, item_at } = source;
  const { url: _url, pages: _pages, since: _since, delay_seconds: _delay, most_items: _most, ...shape } = source;
  // Another shape makes other documents of the same items.
  const shaped = digest(JSON.stringify(shape)).slice(0, 12);
  const made = (item: unknown, mark: string): ReadItem => {
    const contents = contentsOf(source, item);
    const whole = { ...contents, ...("bytes" in contents && { bytes: Buffer.from(contents.bytes).toString() }) };
    return { contents, fingerprint: mark === "" ? digest(JSON.stringify([shaped, whole])) : `${shaped} at ${mark}` };
  };
  return ({ id, item }: Listed): SourceItem => {
    const mark = updated === undefined ? "" : textAt(item, updated);
    if (address === undefined) {
      const read = made(item, mark);
      return { item: id, fingerprint: read.fingerprint, size: sizeOf(read), read: async () => read };
    }
    const read = async (): Promise<ReadItem | undefined> => {
      const answer = await client.read(addressOf(address, item));
      if (answer === null) {
        reading.gone(id);
        return undefined;
      }
      const whole = valueAt(answer.value, item_at);
      if (whole !== undefined) return made(whole, mark);
      throw new SourceFault("item_missing", `The answer of the item has nothing at \`${item_at}\`.`);
    };
    return { item: id, fingerprint: mark === "" ? null : `${shaped} at ${mark}`, size: 0, read };
  };
}

function addressOf(template: string, item: unknown): string {
  const url = URL.parse(fill(template, item, encodeURIComponent));
  if (url !== null) return url.href;
  throw new SourceFault("address_invalid", "The address that `item` makes for this item is none.");
}

const sizeOf = ({ contents }: ReadItem): number =>
  contents === null ? 0 : contents.kind === "file" ? contents.bytes.length : JSON.stringify(contents.fields).length;

function contentsOf(source: JsonApiSource, item: unknown): FileContents | RowContents {
  const { title, text, media_type = "text/plain", link, fields } = source;
  const named = title === undefined ? "" : fill(title, item).replaceAll(/\s+/g, " ").trim().slice(0, 500);
  const url = webAddress(link === undefined ? "" : fill(link, item));
  if (text === undefined) return { kind: "record", title: named, text: null, fields: fieldsOf(item, fields), url };
  return {
    kind: "file",
    title: named || null,
    file_name: null,
    media_type,
    bytes: Buffer.from(fill(text, item)),
    url,
    metadata: fields === undefined ? {} : fieldsOf(item, fields),
  };
}

function webAddress(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null;
}

function fieldsOf(item: unknown, places: readonly string[] | undefined): Record<string, unknown> {
  if (places === undefined)
    return typeof item === "object" && item !== null && !Array.isArray(item) ? { ...item } : { value: item };
  return Object.fromEntries(
    places.flatMap((place) => {
      const value = valueAt(item, place);
      return value === undefined ? [] : [[place, value] as const];
    }),
  );
}

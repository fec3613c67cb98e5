import { createHash } from "node:crypto";
import { type AnyFeed, parseFeed } from "feedsmith";
import { SourceFault } from "../../ports.ts";
import type { FeedSource } from "../source-schemas.ts";
import { answerFault, get, redirectOf, type Validators, validatorsOf } from "./http.ts";
import type { SourceItem, SourceReading } from "./source.ts";

interface Entry {
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly html: string | undefined;
  readonly url: string | undefined;
  readonly published: string | undefined;
}

export async function* listEntries(source: FeedSource, reading: SourceReading): AsyncGenerator<SourceItem> {
  let url = source.url;
  let answer = await get(reading, url, (reading.memory ?? {}) as Validators);
  for (let hop = 0; hop < 5; hop++) {
    const next = redirectOf(answer, url);
    if (next === null) break;
    url = next;
    answer = await get(reading, url, (reading.memory ?? {}) as Validators);
  }
  if (answer.status === 304) return reading.asBefore();
  if (answer.status !== 200) throw answerFault(answer, url);
  const seen = new Set<string>();
  for (const entry of entriesOf(readFeed(answer.body, url))) {
    const item = entry.id ?? entry.url ?? entry.title;
    if (item === undefined || seen.has(item)) continue;
    seen.add(item);
    yield itemOf(item, entry);
  }
  reading.remember(validatorsOf(answer));
}

function readFeed(body: Uint8Array, url: string): AnyFeed {
  try {
    return parseFeed(Buffer.from(body).toString());
  } catch (cause) {
    throw new SourceFault("not_a_feed", `${url} is neither RSS nor Atom.`, { cause });
  }
}

function entriesOf(parsed: AnyFeed): Entry[] {
  if (parsed.format === "atom")
    return (parsed.feed.entries ?? []).map((entry) => ({
      id: entry.id,
      title: entry.title?.value,
      html: entry.content?.value ?? entry.summary?.value,
      url: (entry.links?.find(({ rel }) => rel === undefined || rel === "alternate") ?? entry.links?.[0])?.href,
      published: entry.updated ?? entry.published,
    }));
  if (parsed.format === "json")
    return (parsed.feed.items ?? []).map((entry) => ({
      id: entry.id,
      title: entry.title,
      html: entry.content_html ?? entry.content_text,
      url: entry.url,
      published: entry.date_modified ?? entry.date_published,
    }));
  return (parsed.feed.items ?? []).map((entry) => ({
    id: "guid" in entry ? entry.guid?.value : undefined,
    title: entry.title,
    html: entry.content?.encoded ?? entry.description,
    url: entry.link,
    published: "pubDate" in entry ? entry.pubDate : entry.dc?.dates?.[0],
  }));
}

function itemOf(item: string, { title, html, url, published }: Entry): SourceItem {
  const bytes = Buffer.from(html ?? title ?? "");
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([title, html, url]))
    .digest("hex");
  const contents = {
    kind: "file",
    title: title?.slice(0, 500) ?? null,
    file_name: null,
    media_type: /<[a-z!]/i.test(html ?? "") ? "text/html" : "text/plain",
    bytes,
    url: url ?? null,
    metadata: { ...(url === undefined ? {} : { url }), ...(published === undefined ? {} : { published }) },
  } as const;
  return { item, fingerprint, size: bytes.length, read: async () => ({ fingerprint, contents }) };
}

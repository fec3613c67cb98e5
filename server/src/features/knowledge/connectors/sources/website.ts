import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type SourceAnswer, SourceFault } from "../../ports.ts";
import type { WebsiteSource } from "../source-schemas.ts";
import { answerFault, get, redirectOf, type Validators, validatorsOf } from "./http.ts";
import { plainAddress, readBody, readPage } from "./page.ts";
import { createRobots } from "./robots.ts";
import { readSitemap } from "./sitemap.ts";
import { isSelected, type ReadItem, type SourceItem, type SourceReading } from "./source.ts";

interface PageNote extends Validators {
  readonly links: readonly string[];
}

interface Place {
  readonly url: string;
  readonly depth: number;
}

interface Visit {
  readonly item: SourceItem | null;
  readonly links: readonly string[];
  readonly same: readonly string[];
}

const MOST_ADDRESSES = 100_000;
const nothing: Visit = { item: null, links: [], same: [] };
const office = ["wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation"].map(
  (kind) => `vnd.openxmlformats-officedocument.${kind}`,
);
const taken = new Set(
  ["pdf", "json", "jsonl", "x-ndjson", "epub+zip"].concat(office).map((type) => `application/${type}`),
);
const isTaken = (type: string): boolean => type.startsWith("text/") || taken.has(type);
const isPage = (type: string): boolean => type === "text/html" || type === "application/xhtml+xml";

/** One request at a time. */
export async function* listPages(source: WebsiteSource, reading: SourceReading): AsyncGenerator<SourceItem> {
  const crawl = createCrawl(source, reading);
  await crawl.begin();
  const most = source.most_items ?? 1000;
  let items = 0;
  for (let place = crawl.next(); place !== undefined; place = crawl.next()) {
    const visit = await crawl.visit(place);
    if (visit.item !== null) {
      if (++items > most) return reading.partial(`The website has more than ${most} pages.`);
      yield visit.item;
    }
    for (const url of visit.same) crawl.add({ url, depth: place.depth });
    if (source.url !== undefined) for (const url of visit.links) crawl.add({ url, depth: place.depth + 1 });
  }
}

function createCrawl(source: WebsiteSource, reading: SourceReading) {
  const start = plainAddress(source.url ?? source.sitemap ?? "") ?? "";
  const origins = new Set([start, ...(source.origins ?? [])].map((url) => new URL(url).origin));
  const allowed = (origin: string): boolean => origins.has(origin);
  const robots = createRobots(reading, allowed);
  const deepest = source.most_depth ?? 10;
  const open: Place[] = [];
  const seen = new Set<string>();

  const add = ({ url, depth }: Place): void => {
    if (seen.size >= MOST_ADDRESSES) reading.partial(`The website has more than ${MOST_ADDRESSES} addresses.`);
    if (seen.size >= MOST_ADDRESSES || depth > deepest || seen.has(url) || !allowed(new URL(url).origin)) return;
    if (url !== start && !isSelected(pathOf(url), source)) return;
    seen.add(url);
    open.push({ url, depth });
  };

  const politely = createPace(source, reading, robots);
  return {
    add,
    next: (): Place | undefined => open.shift(),
    async begin(): Promise<void> {
      if (source.url !== undefined) add({ url: start, depth: 0 });
      if (source.sitemap !== undefined)
        for (const url of await readSitemap(reading, source.sitemap, allowed)) add({ url, depth: 0 });
      else for (const address of await robots.sitemaps(start)) await addListed(reading, address, allowed, add);
    },
    async visit({ url }: Place): Promise<Visit> {
      if (!(await robots.allows(url))) return startRefused(url, start, source);
      const known = (await reading.known([url])).get(url);
      const note = (known?.detail ?? { links: [] }) as PageNote;
      let answer: SourceAnswer;
      try {
        answer = await politely(url, known ? note : {});
      } catch (error) {
        if (!(error instanceof SourceFault) || url === start) throw error;
        return unread(reading, url, error);
      }
      if (answer.status === 304 && known)
        return {
          item: itemOf(url, 0, { fingerprint: known.fingerprint, detail: note, contents: null }),
          links: note.links,
          same: [],
        };
      const next = redirectOf(answer, url);
      if (next !== null && url === start && !allowed(new URL(next).origin))
        throw new SourceFault(
          "redirected",
          `${url} redirects to ${new URL(next).origin}. Begin there, or add it to \`origins\`.`,
        );
      if (next !== null) return { ...nothing, same: [plainAddress(next) ?? url] };
      if (answer.status === 200) return visited(url, answer);
      if (url === start && source.url !== undefined) throw answerFault(answer, url);
      if (answer.status === 404 || answer.status === 410) return nothing;
      return unread(reading, url, answerFault(answer, url));
    },
  };
}

function createPace(source: WebsiteSource, reading: SourceReading, robots: ReturnType<typeof createRobots>) {
  let last = Number.NEGATIVE_INFINITY;
  return async (url: string, known: Validators): Promise<SourceAnswer> => {
    const seconds = Math.max(source.delay_seconds ?? 0.2, await robots.delay(url));
    await delay(Math.max(0, last + seconds * 1000 - performance.now()), undefined, { signal: reading.signal });
    try {
      return await get(reading, url, known);
    } finally {
      last = performance.now();
    }
  };
}

const pathOf = (url: string): string => new URL(url).pathname.slice(1);

/** Best effort: an unreadable sitemap only leaves pages unseen. */
async function addListed(
  reading: SourceReading,
  address: string,
  allowed: (origin: string) => boolean,
  add: (place: Place) => void,
): Promise<void> {
  const at = plainAddress(address);
  if (at === null || !allowed(new URL(at).origin)) return;
  try {
    for (const url of await readSitemap(reading, at, allowed)) add({ url, depth: 0 });
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    reading.partial(`The sitemap ${at} could not be read: ${error.detail}`);
  }
}

function startRefused(url: string, start: string, source: WebsiteSource): Visit {
  if (url !== start || source.url === undefined) return nothing;
  throw new SourceFault("robots_refuse", `The robots.txt of ${new URL(url).origin} does not let the start be read.`);
}

/** Its links are unknown. */
function unread(reading: SourceReading, url: string, fault: SourceFault): Visit {
  reading.partial("Pages that could not be read may link to others.");
  const read = (): Promise<ReadItem> => Promise.reject(fault);
  return { ...nothing, item: { item: url, fingerprint: null, size: 0, read } };
}

const itemOf = (item: string, size: number, read: ReadItem): SourceItem => ({
  item,
  fingerprint: null,
  size,
  read: async () => read,
});

function visited(url: string, answer: SourceAnswer): Visit {
  const { type, bytes } = readBody(answer);
  const page = isPage(type) ? readPage(Buffer.from(bytes).toString(), url, answer.headers["x-robots-tag"]) : null;
  const links = page?.links ?? [];
  if (page === null && !isTaken(type)) return nothing;
  if (page?.noindex) return { ...nothing, links };
  if (page?.canonical && page.canonical !== url && new URL(page.canonical).origin === new URL(url).origin)
    return { ...nothing, links, same: [page.canonical] };
  const file = decodeName(pathOf(url).split("/").at(-1) ?? "");
  const contents = {
    kind: "file",
    title: page?.title ?? null,
    file_name: file === "" ? null : file,
    media_type: type,
    bytes,
    url,
    metadata: { url },
  } as const;
  const fingerprint = createHash("sha256").update(bytes).digest("hex");
  const detail: PageNote = { ...validatorsOf(answer), links };
  return { item: itemOf(url, bytes.length, { fingerprint, detail, contents }), links, same: [] };
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

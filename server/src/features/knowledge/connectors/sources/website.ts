import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type SourceAnswer, SourceFault } from "../../ports.ts";
import type { WebsiteSource } from "../source-schemas.ts";
import { answerFault, get, redirectOf, type Validators, validatorsOf } from "./http.ts";
import { plainAddress, readBody, readPage } from "./page.ts";
import { createRobots } from "./robots.ts";
import { isSelected } from "./selection.ts";
import { readSitemap } from "./sitemap.ts";
import type { Looking, ReadItem, SourceItem } from "./source.ts";

/** What is noted of a page for the next look. */
interface PageNote extends Validators {
  readonly links: readonly string[];
}

interface Place {
  readonly url: string;
  readonly depth: number;
}

/** What visiting an address came to: an item, and where it leads on. */
interface Visit {
  readonly item: SourceItem | null;
  readonly links: readonly string[];
  /** Other addresses of the same page. */
  readonly same: readonly string[];
}

/** Addresses that are kept in mind in one sync. */
const MOST_ADDRESSES = 100_000;
const nothing: Visit = { item: null, links: [], same: [] };
/** Types of files that are taken besides pages. */
const taken =
  /^(text\/|application\/(pdf|json|jsonl|x-ndjson|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)$)/;
const isPage = (type: string): boolean => type === "text/html" || type === "application/xhtml+xml";

/** The pages of a website, one request at a time: those of its sitemap, and those that links lead to. */
export async function* listPages(source: WebsiteSource, looking: Looking): AsyncGenerator<SourceItem> {
  const crawl = createCrawl(source, looking);
  await crawl.begin();
  const most = source.most_items ?? 1000;
  let items = 0;
  for (let place = crawl.next(); place !== undefined; place = crawl.next()) {
    const visit = await crawl.visit(place);
    if (visit.item !== null) {
      if (++items > most) return looking.partial(`The website has more than ${most} pages.`);
      yield visit.item;
    }
    for (const url of visit.same) crawl.add({ url, depth: place.depth });
    if (source.url !== undefined) for (const url of visit.links) crawl.add({ url, depth: place.depth + 1 });
  }
}

function createCrawl(source: WebsiteSource, looking: Looking) {
  const start = plainAddress(source.url ?? source.sitemap ?? "") ?? "";
  const origins = new Set([start, ...(source.origins ?? [])].map((url) => new URL(url).origin));
  const allowed = (origin: string): boolean => origins.has(origin);
  const robots = createRobots(looking, allowed);
  const deepest = source.most_depth ?? 10;
  const open: Place[] = [];
  const seen = new Set<string>();

  const add = ({ url, depth }: Place): void => {
    if (seen.size >= MOST_ADDRESSES) looking.partial(`The website has more than ${MOST_ADDRESSES} addresses.`);
    if (seen.size >= MOST_ADDRESSES || depth > deepest || seen.has(url) || !allowed(new URL(url).origin)) return;
    if (url !== start && !isSelected(pathOf(url), source)) return;
    seen.add(url);
    open.push({ url, depth });
  };

  const politely = createPace(source, looking, robots);
  return {
    add,
    next: (): Place | undefined => open.shift(),
    async begin(): Promise<void> {
      if (source.url !== undefined) add({ url: start, depth: 0 });
      if (source.sitemap !== undefined)
        for (const url of await readSitemap(looking, source.sitemap, allowed)) add({ url, depth: 0 });
      else for (const address of await robots.sitemaps(start)) await addListed(looking, address, allowed, add);
    },
    async visit({ url }: Place): Promise<Visit> {
      if (!(await robots.allows(url))) return startRefused(url, start, source);
      const known = (await looking.known([url])).get(url);
      const note = (known?.detail ?? { links: [] }) as PageNote;
      let answer: SourceAnswer;
      try {
        answer = await politely(url, known ? note : {});
      } catch (error) {
        if (!(error instanceof SourceFault) || url === start) throw error;
        return unread(looking, url, error);
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
      return unread(looking, url, answerFault(answer, url));
    },
  };
}

/** Asks for one page after another, with the pause that the source or robots.txt wants. */
function createPace(source: WebsiteSource, looking: Looking, robots: ReturnType<typeof createRobots>) {
  let last = Number.NEGATIVE_INFINITY;
  return async (url: string, known: Validators): Promise<SourceAnswer> => {
    const seconds = Math.max(source.delay_seconds ?? 0.2, await robots.delay(url));
    await delay(Math.max(0, last + seconds * 1000 - performance.now()), undefined, { signal: looking.signal });
    try {
      return await get(looking, url, known);
    } finally {
      last = performance.now();
    }
  };
}

const pathOf = (url: string): string => new URL(url).pathname.slice(1);

/** Sitemaps that robots.txt names are a help: one that cannot be read only leaves pages unseen. */
async function addListed(
  looking: Looking,
  address: string,
  allowed: (origin: string) => boolean,
  add: (place: Place) => void,
): Promise<void> {
  const at = plainAddress(address);
  if (at === null || !allowed(new URL(at).origin)) return;
  try {
    for (const url of await readSitemap(looking, at, allowed)) add({ url, depth: 0 });
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    looking.partial(`The sitemap ${at} could not be read: ${error.detail}`);
  }
}

function startRefused(url: string, start: string, source: WebsiteSource): Visit {
  if (url !== start || source.url === undefined) return nothing;
  throw new SourceFault("robots_refuse", `The robots.txt of ${new URL(url).origin} does not let the start be read.`);
}

/** A page that is there and cannot be read: its links are unknown. */
function unread(looking: Looking, url: string, fault: SourceFault): Visit {
  looking.partial("Pages that could not be read may link to others.");
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
  if (page === null && !taken.test(type)) return nothing;
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

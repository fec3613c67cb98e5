import { gunzipSync } from "node:zlib";
import { XMLParser } from "fast-xml-parser";
import { SourceFault } from "../../ports.ts";
import { answerFault, getAt } from "./http.ts";
import { plainAddress } from "./page.ts";
import type { SourceReading } from "./source.ts";

/** Bytes of a sitemap, unpacked (sitemaps.org), and sitemaps of one index that are read. */
const MOST = { bytes: 50 * 1_048_576, sitemaps: 500 };

const xml = new XMLParser({ parseTagValue: false, isArray: (name) => name === "url" || name === "sitemap" });

interface Parsed {
  readonly urlset?: { readonly url?: readonly { readonly loc?: unknown }[] };
  readonly sitemapindex?: { readonly sitemap?: readonly { readonly loc?: unknown }[] };
}

/** Follows an index. Throws SourceFault. */
export async function readSitemap(
  reading: SourceReading,
  address: string,
  allowed: (origin: string) => boolean,
): Promise<string[]> {
  const pages = new Set<string>();
  const open = [address];
  const seen = new Set(open);
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const { urlset, sitemapindex } = await readOne(reading, at, allowed);
    for (const page of locations(urlset?.url)) pages.add(page);
    for (const further of locations(sitemapindex?.sitemap)) {
      if (seen.has(further) || !allowed(new URL(further).origin)) continue;
      if (seen.size >= MOST.sitemaps) {
        reading.partial(`${address} names more than ${MOST.sitemaps} sitemaps.`);
        break;
      }
      seen.add(further);
      open.push(further);
    }
  }
  return [...pages];
}

const locations = (entries: readonly { readonly loc?: unknown }[] | undefined): string[] =>
  (entries ?? []).flatMap(({ loc }) => (typeof loc === "string" ? (plainAddress(loc.trim()) ?? []) : []));

async function readOne(reading: SourceReading, address: string, allowed: (origin: string) => boolean): Promise<Parsed> {
  const answer = await getAt(reading, address, allowed);
  if (answer.status !== 200) throw answerFault(answer, address);
  const parsed = parse(answer.body);
  if (parsed?.urlset === undefined && parsed?.sitemapindex === undefined)
    throw new SourceFault("not_a_sitemap", `${address} is no sitemap.`);
  return parsed;
}

function parse(body: Uint8Array): Parsed | undefined {
  try {
    const packed = body[0] === 0x1f && body[1] === 0x8b;
    const bytes = packed ? gunzipSync(body, { maxOutputLength: MOST.bytes }) : Buffer.from(body);
    return xml.parse(bytes.toString()) as Parsed;
  } catch {
    return undefined;
  }
}

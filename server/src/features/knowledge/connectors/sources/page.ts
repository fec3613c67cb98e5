import { Parser } from "htmlparser2";
import type { SourceAnswer } from "../../ports.ts";

export interface Page {
  readonly title: string | null;
  /** Absolute, without fragments, unique. */
  readonly links: readonly string[];
  readonly canonical: string | null;
  readonly noindex: boolean;
}

const MOST_LINKS = 5_000;

/** With what the page says to robots. */
export function readPage(html: string, address: string, robotsHeader = ""): Page {
  let base = address;
  let title = "";
  let inTitle = false;
  let canonical: string | null = null;
  let robots = robotsHeader.toLowerCase();
  const links = new Set<string>();
  const parser = new Parser({
    onopentag(name, { href, rel = "", name: meta = "", content = "" }) {
      if (name === "title" && title === "") inTitle = true;
      else if (name === "base" && href !== undefined) base = resolve(href, address) ?? base;
      else if (name === "link" && rel.toLowerCase() === "canonical" && href) canonical ??= resolve(href, base);
      else if (name === "meta" && /^(robots|aos-knowledge)$/i.test(meta)) robots += `,${content.toLowerCase()}`;
      else if (name === "a" && href && !/\bnofollow\b/i.test(rel) && links.size < MOST_LINKS) {
        const link = resolve(href, base);
        if (link !== null) links.add(link);
      }
    },
    ontext(text) {
      if (inTitle) title += text;
    },
    onclosetag(name) {
      if (name === "title") inTitle = false;
    },
  });
  parser.end(html);
  const says = (word: string): boolean => new RegExp(`(^|[,\\s:])(${word}|none)($|[,\\s])`).test(robots);
  return {
    title: title.replaceAll(/\s+/g, " ").trim().slice(0, 500) || null,
    links: says("nofollow") ? [] : [...links],
    canonical,
    noindex: says("noindex"),
  };
}

function resolve(href: string, base: string): string | null {
  const url = URL.parse(href.trim(), base);
  return url === null ? null : plainAddress(url.href);
}

/** Without fragment and credentials; null: neither http nor https. */
export function plainAddress(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.href.length > 2000) return null;
  url.hash = "";
  return url.href;
}

/** In UTF-8 where the answer declares another encoding. */
export function readBody({ headers, body }: SourceAnswer): { type: string; bytes: Uint8Array } {
  const [type = "", ...rest] = (headers["content-type"] ?? "").split(";").map((part) => part.trim());
  const charset = rest
    .find((part) => /^charset=/i.test(part))
    ?.slice("charset=".length)
    .replaceAll('"', "")
    .toLowerCase();
  const media = type.toLowerCase();
  if (charset === undefined || charset === "utf-8" || !media.startsWith("text/")) return { type: media, bytes: body };
  try {
    return { type: media, bytes: Buffer.from(new TextDecoder(charset).decode(body)) };
  } catch {
    return { type: media, bytes: body }; // an encoding that nobody knows
  }
}

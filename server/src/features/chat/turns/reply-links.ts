// Addresses in a run of characters without white space, as readers' programs would find them.

/** A character between runs: white space, and the punctuation of scripts that are written without it. */
export const delimiters = /^[\s\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+/u;

export interface UrlFound {
  readonly start: number;
  readonly hostEnd: number;
  /** In lower case; null: none can be read. */
  readonly host: string | null;
  /** It stands in `[text](…)`. */
  readonly destination: boolean;
  /** As it is written, up to the end of the run. */
  readonly address: string;
}

const label = "[\\p{L}\\p{N}_-]{1,63}";
const starts = [
  // [text](address
  "(?<destination>(?<=\\]\\((?:<|(?!<)))[^)>]+)",
  // An address of any scheme, also of one with its slashes left out or turned around.
  "(?<![\\p{L}\\p{N}])(?:[a-z][a-z0-9+.-]{0,30}:[/\\\\]{2}|(?:https?|wss?|ftps?|file|blob|javascript|vbscript|mailto|tel|sms)\\\\?:(?=[^\\s])|data:[a-z]+/)",
  "[a-z][a-z0-9+.-]{0,30}:[/\\\\]{2}",
  // One of the scheme of the page.
  "[/\\\\]{2,}(?=[^\\s/\\\\]*[.:%@\\\\])",
  // One without a scheme.
  `www\\.(?=[\\p{L}\\p{N}])`,
  `(?:${label}\\.)+(?:\\p{L}{2,24}|xn--[a-z0-9-]{1,59})(?=(?::\\d{1,5})?[/?#])`,
];
const urlStart = new RegExp(starts.join("|"), "iu");

export function findUrl(run: string): UrlFound | undefined {
  const match = urlStart.exec(run);
  if (!match) return undefined;
  const { index: start, groups } = match;
  const destination = groups?.destination !== undefined || /\]\(<?$/.test(run.slice(0, start));
  const address = groups?.destination ?? run.slice(start);
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]*[^/\\?#\s<>"]*/iu.exec(address)?.[0] ?? "";
  const written = authority.replace(/[^\p{L}\p{N}/\\]+$/u, "");
  const hostEnd = start + written.length;
  // Programs that end an address elsewhere than we do would read another host in it.
  const isUnsure =
    address[authority.length] === "\\" || /^[^/?#]*(?:@|\.[\p{L}\p{N}_-])/u.test(address.slice(authority.length));
  return { start, hostEnd, host: isUnsure ? null : hostOf(written), destination, address };
}

/** Null: none that can be read. */
function hostOf(address: string): string | null {
  const mail = /^mailto:[^@]*@([^?]+)$/i.exec(address)?.[1];
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(address) ?? [];
  if (mail === undefined && scheme && !/^https?$/i.test(scheme)) return null;
  const written = mail ?? address.replace(/^(?:https?:)?[/\\]*/i, "");
  if (!/[.:]/.test(written) && !/^localhost$/i.test(written)) return null;
  try {
    return new URL(`https://${written}`).hostname.replace(/\.$/, "");
  } catch {
    return null;
  }
}

/** Whether an address leads to the page's own host, whatever a reader's program makes of its characters. */
export const isRelative = (address: string): boolean =>
  /^(?:[#?/]?[\p{L}\p{N}_~=%.,+-]|[#/?]$)[\p{L}\p{N}_~=%.,+/?#&-]*$/u.test(address) && !address.includes("//");

/** The last two labels, since those before could carry data. Empty: unknown. */
export function hostShown(host: string | null): string {
  if (host === null || !/^[a-z0-9.-]+$/.test(host)) return "";
  return host.split(".").slice(-2).join(".").slice(0, 60);
}

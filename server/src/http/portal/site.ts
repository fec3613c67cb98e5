import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { builtFolder, ensureBuilt } from "./build.ts";

/** Other forms of a file that a build leaves beside it, in the order in which they are preferred. */
const codings = [
  { ending: ".br", encoding: "br" },
  { ending: ".gz", encoding: "gzip" },
] as const;
type Encoding = (typeof codings)[number]["encoding"] | null;

/** One form of a file: its bytes, how they are coded, and the strong tag of exactly these. */
export interface Form {
  readonly content: Buffer;
  readonly encoding: Encoding;
  readonly etag: string;
}

/** A file of the portal, as it is and as the build compressed it. */
export interface SiteFile {
  readonly type: string;
  /** Its name changes with its content: it may be kept for ever. */
  readonly immutable: boolean;
  /** The one that is not coded stands last, and is always there. */
  readonly forms: readonly Form[];
}

/** The portal's files in memory, by their path under the service. */
export type Site = ReadonlyMap<string, SiteFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

export interface SiteOptions {
  /** Where the built files are. */
  readonly folder: string;
  /** Makes sure that they are, and are as new as what they are made from. */
  readonly ensure: () => Promise<void>;
}

/** The portal's files, built where they are missing or older than their sources. Asked for once; a failure is tried again by the next who asks. */
export class PortalSite {
  readonly #options: SiteOptions;
  #site: Promise<Site> | undefined;

  constructor(options: SiteOptions = { folder: builtFolder, ensure: ensureBuilt }) {
    this.#options = options;
  }

  load(): Promise<Site> {
    this.#site ??= this.#read().catch((error: unknown) => {
      this.#site = undefined;
      throw error;
    });
    return this.#site;
  }

  async #read(): Promise<Site> {
    const { folder, ensure } = this.#options;
    await ensure();
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile() && path.extname(entry.name) in types);
    return new Map(
      await Promise.all(files.map(({ parentPath, name }) => readOne(folder, path.join(parentPath, name)))),
    );
  }
}

async function readOne(folder: string, file: string): Promise<[string, SiteFile]> {
  const address = `/${path.relative(folder, file).split(path.sep).join("/")}`;
  const coded = await Promise.all(
    codings.map(({ ending, encoding }) => readForm(file + ending, encoding).catch(() => null)),
  );
  const forms = [...coded.filter((form) => form !== null), await readForm(file, null)];
  return [
    address,
    { type: types[path.extname(file)] as string, immutable: /^\/assets\/.+-[\w-]{8}\.\w+$/.test(address), forms },
  ];
}

async function readForm(file: string, encoding: Encoding): Promise<Form> {
  const content = await readFile(file);
  return { content, encoding, etag: `"${hash("sha256", content, "base64url").slice(0, 22)}"` };
}

/** The smallest form that a caller takes, by its `Accept-Encoding`. */
export function formFor({ forms }: SiteFile, accepted: string | undefined): Form {
  return forms.find(({ encoding }) => encoding === null || accepts(accepted ?? "", encoding)) as Form;
}

/** Whether a header names a coding and does not refuse it (RFC 9110, section 12.5.3). One that only `*` allows is not used. */
function accepts(header: string, coding: string): boolean {
  return header.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

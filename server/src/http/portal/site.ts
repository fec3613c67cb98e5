import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { build, builtFolder, isBuilt } from "./build.ts";

export type Encoding = "br" | "gzip" | "identity";

/** A file of the portal, as it is and as the build compressed it. */
export interface SiteFile {
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content: it may be kept for ever. */
  readonly immutable: boolean;
  readonly content: ReadonlyMap<Encoding, Buffer>;
}

/** The portal's files in memory, by their path under the service. */
export type Site = ReadonlyMap<string, SiteFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const packed: readonly (readonly [ending: string, encoding: Encoding])[] = [["", "identity"], [".br", "br"], [".gz", "gzip"]]; // biome-ignore format: a table

/** The portal's files, built where they are missing or older than their sources. Asked for once; a failure is tried anew by the next who asks. */
export class PortalSite {
  #site: Promise<Site> | undefined;

  load(): Promise<Site> {
    this.#site ??= this.#read().catch((error: unknown) => {
      this.#site = undefined;
      throw error;
    });
    return this.#site;
  }

  async #read(): Promise<Site> {
    if (!(await isBuilt())) await build();
    const entries = await readdir(builtFolder, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile() && path.extname(entry.name) in types);
    return new Map(await Promise.all(files.map(({ parentPath, name }) => readOne(path.join(parentPath, name)))));
  }
}

async function readOne(file: string): Promise<[string, SiteFile]> {
  const content = new Map<Encoding, Buffer>();
  for (const [ending, encoding] of packed) {
    const bytes = await readFile(file + ending).catch(() => null);
    if (bytes !== null) content.set(encoding, bytes);
  }
  const digest = createHash("sha256")
    .update(content.get("identity") as Buffer)
    .digest("base64url");
  const address = `/${path.relative(builtFolder, file).split(path.sep).join("/")}`;
  return [
    address,
    { type: types[path.extname(file)] as string, etag: `"${digest.slice(0, 22)}"`, immutable: address.startsWith("/assets/"), content },
  ];
}

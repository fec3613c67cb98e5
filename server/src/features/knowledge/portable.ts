import { readBaseRow } from "./base-store.ts";
import { readContents } from "./document-store.ts";
import { findBase, type Seeing } from "./store.ts";

/** A base as another installation can take it. */
export interface PortableBase {
  readonly name: string;
  readonly description: string;
  readonly language: string;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
}

/** Documents that are read at a time. */
const atOnce = 200;

/**
 * A base of the environment with the documents that everybody who sees it may read, at most `most` and one more; undefined where the caller sees no such base.
 * What is for some readers alone stays here: whoever gets the base elsewhere is none of them.
 */
export async function readPortableBase(ctx: Seeing, name: string, most: number): Promise<PortableBase | undefined> {
  const head = await findBase(ctx, name);
  const base = head && (await readBaseRow(ctx, head.id));
  if (!base) return undefined;
  const documents: Readonly<Record<string, unknown>>[] = [];
  for (let after = ""; documents.length <= most; ) {
    const rows = await readContents(ctx, base.id, after, atOnce);
    const open = rows.filter(({ readers }) => readers === null);
    documents.push(...open.map(portableDocument).filter((one) => "text" in one || "fields" in one));
    const last = rows.at(-1);
    if (rows.length < atOnce || !last) break;
    after = last.id;
  }
  documents.sort((a, b) => (String(a.external_id ?? "") < String(b.external_id ?? "") ? -1 : 1));
  return { name: base.name, description: base.description, language: base.language, documents };
}

type Contents = Awaited<ReturnType<typeof readContents>>[number];

/** Text that was read from a file goes as text. */
function portableDocument({ external_id, title, text, fields, metadata }: Contents): Readonly<Record<string, unknown>> {
  return {
    ...(external_id !== null && { external_id }),
    ...(title !== "" && { title }),
    ...(text !== null && text !== "" && { text }),
    ...(fields !== null && { fields }),
    ...(Object.keys(metadata as object).length > 0 && { metadata }),
  };
}

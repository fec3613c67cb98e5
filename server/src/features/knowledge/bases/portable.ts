import { readContents } from "../documents/store.ts";
import { findBase, type Seeing } from "./lookup-store.ts";

export interface PortableBase {
  readonly name: string;
  readonly description: string;
  readonly language: string;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
}

const atOnce = 200;

/** Without restricted documents: whoever gets the base elsewhere is not among their readers. One more than `most`, where there are more. */
export async function readPortableBase(ctx: Seeing, name: string, most: number): Promise<PortableBase | undefined> {
  const base = await findBase(ctx, name);
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
  return { name: base.name, description: base.description, language: base.next_language ?? base.language, documents };
}

type Contents = Awaited<ReturnType<typeof readContents>>[number];

function portableDocument({ external_id, title, text, fields, metadata }: Contents): Readonly<Record<string, unknown>> {
  return {
    ...(external_id !== null && { external_id }),
    ...(title !== "" && { title }),
    ...(text !== null && text !== "" && { text }),
    ...(fields !== null && { fields }),
    ...(Object.keys(metadata as object).length > 0 && { metadata }),
  };
}

import path from "node:path";
import { DocumentFault } from "../fault.ts";
import { decoded, markedCharset } from "./encoding.ts";
import { chapterLabels, type Item, partOf } from "./epub-contents.ts";
import { tellBlocks } from "./html-blocks.ts";
import { type Element, elements, htmlTree, isSkipped } from "./html-tree.ts";
import type { Output, Source } from "./output.ts";
import { firstNamed, named, type XmlElement, xmlTree } from "./xml.ts";
import { unzipped } from "./zip.ts";

/** Texts and what orders them; images, fonts and styles stay packed. */
const wanted = /^(META-INF\/(container|encryption)\.xml|.*\.(opf|ncx|xhtml|html|htm|xml))$/i;

/** The chapters of a book in the order of its spine, without its cover and tables of contents. */
export async function readEpub({ bytes, limits }: Source, output: Output): Promise<void> {
  const { files } = await unzipped(bytes, (name) => wanted.test(name), limits);
  refuseEncrypted(files.get("META-INF/encryption.xml"));
  const container = treeOf(files, "META-INF/container.xml");
  const root = container && firstNamed(container, "rootfile")?.attributes["full-path"];
  const book = treeOf(files, root);
  if (root === undefined || book === undefined) throw damaged();
  const metadata = firstNamed(book, "metadata");
  output.title(metadata && firstNamed(metadata, "title")?.text);
  const items = itemsOf(book, path.posix.dirname(root));
  const labels = chapterLabels([...items.values()], files);
  const left = apartFromText(book, path.posix.dirname(root));
  for (const { attributes } of named(book, "itemref")) {
    const item = items.get(attributes.idref ?? "");
    const file = files.get(item?.part ?? "");
    if (item === undefined || file === undefined || item.isNavigation || left.has(item.part)) continue;
    if (attributes.linear !== "no") tellChapter(file, labels.get(item.part), output);
  }
}

function itemsOf(book: XmlElement, folder: string): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const { attributes } of named(book, "item")) {
    const { id = "", href = "", properties = "", "media-type": mediaType = "" } = attributes;
    const part = partOf(folder, href);
    if (part !== null) items.set(id, { part, mediaType, isNavigation: /(^|\s)nav(\s|$)/.test(properties) });
  }
  return items;
}

/** Pages that the book itself calls its cover or its table of contents. */
function apartFromText(book: XmlElement, folder: string): ReadonlySet<string | null> {
  const references = [...named(book, "reference")].filter(({ attributes }) =>
    /^(cover|toc)$/i.test(attributes.type ?? ""),
  );
  return new Set(references.map(({ attributes }) => partOf(folder, attributes.href ?? "")));
}

function tellChapter(file: Buffer, label: string | undefined, output: Output): void {
  const { body } = htmlTree(withEndTags(decoded(file, markedCharset(file) ?? xmlCharset(file))));
  const isHeaded = [...elements(body, (one) => !isSkipped(one))].some(isHeading);
  if (!isHeaded && label !== undefined) output.block("heading", label, { level: 1 });
  tellBlocks(body, output, { around: false });
}

const xmlCharset = (file: Buffer): string | null =>
  /^<\?xml[^>]*?encoding=["']([\w-]+)/.exec(file.toString("latin1", 0, 200))?.[1] ?? null;

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName);

const empty =
  /<(?!(?:br|hr|img|input|link|meta|col|area|base|embed|source|track|wbr)\b)([a-z][\w:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/>/gi;

/** Elements without contents, which XHTML closes at once, with an end tag, as HTML wants it: else what follows an empty title would be its text. */
const withEndTags = (text: string): string => text.replace(empty, "<$1$2></$1>");

function treeOf(files: ReadonlyMap<string, Buffer>, part: string | undefined): XmlElement | undefined {
  const file = files.get(part ?? "");
  return file && xmlTree(file);
}

/** Fonts may be obfuscated; texts that are encrypted are sold for one reader. */
function refuseEncrypted(file: Buffer | undefined): void {
  const references = file === undefined ? [] : [...named(xmlTree(file), "CipherReference")];
  if (references.some(({ attributes }) => /\.x?html?$/i.test(attributes.URI ?? "")))
    throw new DocumentFault("encrypted", "Its texts are encrypted. Send a copy without copy protection.");
}

const damaged = (): DocumentFault =>
  new DocumentFault("damaged", "It is no complete EPUB. Open it in its program, save it again, and send that.");

import path from "node:path";
import { firstNamed, named, type XmlElement, xmlTree } from "./xml.ts";

export interface Item {
  readonly part: string;
  readonly isNavigation: boolean;
  readonly mediaType: string;
}

/** Null: not a path. */
export function partOf(folder: string, href: string): string | null {
  try {
    return path.posix.join(folder, decodeURIComponent(href.replace(/#.*$/s, "")));
  } catch {
    return null;
  }
}

/** What the tables of contents call each file, for chapters without a heading: the first entry of a file counts. */
export function chapterLabels(items: readonly Item[], files: ReadonlyMap<string, Buffer>): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { part, isNavigation, mediaType } of items) {
    const file = files.get(part);
    if (file === undefined || !(isNavigation || mediaType === "application/x-dtbncx+xml")) continue;
    for (const [href, label] of isNavigation ? linksOf(xmlTree(file)) : pointsOf(xmlTree(file))) {
      const target = partOf(path.posix.dirname(part), href);
      if (target !== null && label !== "" && !labels.has(target)) labels.set(target, label);
    }
  }
  return labels;
}

/** The links of a navigation document. */
function* linksOf(tree: XmlElement): Generator<[href: string, label: string]> {
  for (const link of named(tree, "a")) yield [link.attributes.href ?? "", labelOf(link)];
}

/** The points of an NCX, which are in one another. */
function* pointsOf(tree: XmlElement): Generator<[href: string, label: string]> {
  for (const { children } of named(tree, "navMap")) {
    const waiting = children.toReversed();
    for (let point = waiting.pop(); point !== undefined; point = waiting.pop()) {
      const label = firstNamed(point, "navLabel");
      const href = point.children.find(({ name }) => name === "content")?.attributes.src;
      if (point.name === "navPoint" && href !== undefined) yield [href, label === undefined ? "" : labelOf(label)];
      waiting.push(...point.children.filter(({ name }) => name === "navPoint").toReversed());
    }
  }
}

const labelOf = (element: XmlElement): string => textIn(element).replaceAll(/\s+/g, " ").trim();

const textIn = ({ text, children }: XmlElement): string => text + children.map(textIn).join("");

import { type DefaultTreeAdapterTypes, parse } from "parse5";

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

/** The document's element, its head and body. Scripts do not run. */
export function htmlTree(html: string): { head: Element; body: Element } {
  const document = parse(html, { scriptingEnabled: false });
  const root = document.childNodes.find((node) => node.nodeName === "html") as Element;
  const named = (name: string): Element | undefined =>
    root.childNodes.find((node) => node.nodeName === name) as Element;
  const body = named("body") ?? root;
  return { head: named("head") ?? root, body };
}

export const isElement = (node: Node): node is Element => "tagName" in node;
export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === "#text";
export const attribute = (element: Element, name: string): string | null =>
  element.attrs.find((one) => one.name === name)?.value ?? null;

/** The elements of a tree in its order, without those inside of one that `inside` refuses. Needs no stack, however deep the tree is. */
export function* elements(root: Element, inside: (element: Element) => boolean = () => true): Generator<Element> {
  const waiting: Element[] = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    yield element;
    if (!inside(element)) continue;
    for (let at = element.childNodes.length - 1; at >= 0; at--) {
      const child = element.childNodes[at] as Node;
      if (isElement(child)) waiting.push(child);
    }
  }
}

const never = new Set(
  "script style noscript template svg math iframe object embed canvas audio video map head title meta link button select option input textarea dialog nav".split(
    " ",
  ),
);
const notRead = new Set(["navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog", "alert"]);

/** Whether nobody reads an element as a part of the document: scripts, controls, navigation, what is hidden. */
export function isSkipped(element: Element): boolean {
  if (never.has(element.tagName)) return true;
  return element.attrs.some(
    ({ name, value }) =>
      name === "hidden" ||
      (name === "aria-hidden" && value === "true") ||
      (name === "role" && notRead.has(value)) ||
      (name === "style" && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(value)),
  );
}

const aroundNames =
  /(^|[\s_-])(nav|navbar|navigation|menu|breadcrumbs?|sidebar|cookies?|consent|footer|skip|share|social|pagination|toc)([\s_-]|$)/i;

/** Whether an element stands around the main content by its name, and is little more than links. */
export function isAround(element: Element): boolean {
  if (element.tagName === "aside") return true;
  const named = element.attrs.some(({ name, value }) => (name === "class" || name === "id") && aroundNames.test(value));
  return named && linkDensity(element) > 0.5;
}

function linkDensity(root: Element): number {
  let [all, linked] = [0, 0];
  for (const element of elements(root)) {
    const inLink = isInLink(element, root);
    for (const node of element.childNodes)
      if (isText(node)) {
        const { length } = node.value.trim();
        all += length;
        if (inLink) linked += length;
      }
  }
  return all === 0 ? 1 : linked / all;
}

function isInLink(element: Element, root: Element): boolean {
  let node: Element | null = element;
  for (let steps = 0; node !== null && steps < 10; steps++) {
    if (node.tagName === "a") return true;
    node = node === root ? null : (node.parentNode as Element | null);
  }
  return false;
}

/** The element with the main content: `main`, or the one article, or the body. */
export function mainOf(body: Element): Element {
  let main: Element | null = null;
  const articles: Element[] = [];
  for (const element of elements(body, (one) => one === body || !isSkipped(one))) {
    if (isSkipped(element) && element !== body) continue;
    if (element.tagName === "main" || attribute(element, "role") === "main") main ??= element;
    if (element.tagName === "article") articles.push(element);
  }
  if (main !== null && hasText(main)) return main;
  const [article, ...more] = articles;
  return article !== undefined && more.length === 0 && hasText(article) ? article : body;
}

/** Whether there is more than a few words. */
function hasText(root: Element): boolean {
  let length = 0;
  for (const element of elements(root, (one) => !isSkipped(one))) {
    if (isSkipped(element)) continue;
    for (const node of element.childNodes) if (isText(node)) length += node.value.trim().length;
    if (length > 100) return true;
  }
  return false;
}

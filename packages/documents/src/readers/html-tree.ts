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
const notRead = new Set(
  "navigation banner contentinfo complementary search menu menubar toolbar dialog alertdialog alert doc-toc doc-pagelist".split(
    " ",
  ),
);

/** Whether nobody reads an element as a part of the document: scripts, controls, navigation, what is hidden. */
export function isSkipped(element: Element): boolean {
  if (never.has(element.tagName) || isPermalink(element)) return true;
  return element.attrs.some(
    ({ name, value }) =>
      name === "hidden" ||
      (name === "aria-hidden" && value === "true") ||
      (name === "role" && notRead.has(value)) ||
      (name === "style" && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(value)),
  );
}

const aroundNames =
  /(^|[\s_-])(nav|navbar|navigation|menu|breadcrumbs?|sidebar|topbar|toolbar|masthead|cookies?|consent|footer|skip|share|social|pagination|pager|prev|next|related|feedback|newsletter|subscribe|toc)([\s_-]|$)/i;
const consentNames =
  /(^|[\s_-])((cookie|consent|gdpr)[\s_-]?(banner|notice|bar|popup|modal|dialog|message|overlay|prompt|wrapper)|onetrust|cc-window|cybotcookiebot|usercentrics|didomi)/i;
const footerNames = /(^|[\s_-])(footer|copyright|colophon)([\s_-]|$)/i;
/** Text of a banner that asks for consent, and of a footer without many links, in code units at most. */
const LONGEST_NOTICE = 3000;

/** Whether an element stands around the main content: asides, footers, banners, and what is named so and is little more than links. `inside`: of the main content or an article, where asides and footers may be parts of it. */
export function isAround(element: Element, inside: boolean): boolean {
  const { tagName } = element;
  if (tagName === "aside" || tagName === "footer") return !inside || linkDensity(element) > 0.3;
  if (tagName === "a") return isSkipLink(element);
  const isNamed = (names: RegExp): boolean =>
    element.attrs.some(({ name, value }) => (name === "class" || name === "id") && names.test(value));
  if (isNamed(consentNames) && textLength(element) < LONGEST_NOTICE) return true;
  if (!inside && isNamed(footerNames) && textLength(element) < LONGEST_NOTICE) return true;
  return isNamed(aroundNames) && linkDensity(element) > 0.5;
}

const skips =
  /^(skip|jump) (to|navigation|past|over)\b|^(direkt )?zum (haupt)?inhalt|^(aller|passer) au contenu|^(ir|saltar) al contenido|^(vai|salta) al contenuto|本文へ|跳[到至过轉转]/i;

/** A link past the navigation, which stands on every page of a site. */
function isSkipLink(link: Element): boolean {
  if (!attribute(link, "href")?.startsWith("#")) return false;
  const text = link.childNodes.map((node) => (isText(node) ? node.value : "")).join("");
  return text.length < 100 && skips.test(text.trim());
}

/** Whether a link is the mark by which a heading is linked to. */
function isPermalink(element: Element): boolean {
  const [node, ...more] = element.childNodes;
  if (element.tagName !== "a" || more.length > 0 || !attribute(element, "href")?.includes("#")) return false;
  return node !== undefined && isText(node) && /^[\s\u200b]*[¶#§🔗∞][\s\u200b]*$/u.test(node.value);
}

/** Whether the header of a page has more than its title: links to other pages, a form. */
export const isMasthead = (header: Element): boolean =>
  [...elements(header)].some(({ tagName }) => /^(nav|form|button|input)$/.test(tagName)) || linkDensity(header) > 0.5;

function textLength(root: Element): number {
  let length = 0;
  for (const { childNodes } of elements(root))
    for (const node of childNodes) if (isText(node)) length += node.value.length;
  return length;
}

export function linkDensity(root: Element): number {
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

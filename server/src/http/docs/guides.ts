import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The Markdown pages of the repository that `/docs` shows as well. */
export interface Guide {
  /** Where it is read: `/docs/guide/first-task`. */
  readonly path: string;
  /** Where it lies, relative to `docs/`. */
  readonly file: string;
  readonly title: string;
  /** Its text without the title. */
  readonly markdown: string;
}

const folder = fileURLToPath(new URL("../../../../docs/", import.meta.url));

/** Folders below `docs/`, and the part of the address that stands for each; `/docs/operations` is taken by the operations of the interface. */
const places: Readonly<Record<string, string>> = { guide: "guide", operations: "running", decisions: "decisions" };

/** The order in which the guide is read. What is not named here comes after, by name. */
const order: readonly string[] = [
  "guide/first-task.md",
  "guide/first-agent.md",
  "guide/approvals.md",
  "guide/webhooks.md",
  "guide/a-program.md",
  "guide/policies.md",
  "guide/knowledge.md",
  "guide/agents-at-work.md",
  "guide/workflows.md",
  "guide/missions.md",
  "guide/chat.md",
  "guide/chat-clients.md",
  "guide/chat-widget.md",
  "guide/chat-channels.md",
  "guide/evaluations.md",
  "guide/canary.md",
  "guide/analytics.md",
  "guide/marketplace.md",
  "guide/to-production.md",
  "guide/proving-what-happened.md",
  "guide/command-line.md",
  "operations/install.md",
  "operations/production.md",
  "operations/scale-out.md",
  "operations/backup-and-restore.md",
  "operations/upgrade.md",
];

/** All guides, run books and decisions, in the order of the navigation. */
export function readGuides(): Guide[] {
  const files = [...Object.keys(places), "reference"]
    .flatMap((place) => markdownIn(place))
    .filter((file) => !isOwnPage(file));
  const rank = (file: string): number => (order.includes(file) ? order.indexOf(file) : order.length);
  return files.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).map(readGuide);
}

const markdownIn = (place: string): string[] =>
  readdirSync(path.join(folder, place))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${place}/${name}`);

function readGuide(file: string): Guide {
  const text = readFileSync(path.join(folder, file), "utf8");
  const [, title = file, markdown = ""] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  return { path: guidePath(file), file, title, markdown };
}

/** The address of a page that lies in `docs/` under this name. */
export function guidePath(file: string): string {
  const [place = "", name = ""] = file.split("/");
  return `/docs/${places[place] ?? place}/${name.replace(/\.md$/, "")}`;
}

/**
 * Where a link of a page leads when the page is read under `/docs`. Pages of the repository have their addresses there; the generated reference has pages of
 * its own.
 *
 * @param from - the page that holds the link, relative to `docs/`
 */
export function linkOf(from: string, href: string): string {
  if (/^[a-z]+:/.test(href) || href.startsWith("/") || href.startsWith("#")) return href;
  const [target = "", anchor] = href.split("#");
  const file = path.posix.join(path.posix.dirname(from), target);
  const [, name = ""] = file.split("/");
  const address = isOwnPage(file) ? (references[name] ?? "/docs") : guidePath(file);
  return anchor === undefined ? address : `${address}#${anchor}`;
}

/** Pages of the generated reference that are shown as they are; the others have pages of their own. */
const shownReferences: readonly string[] = ["reference/agent-file.md"];
const isOwnPage = (file: string): boolean => file.startsWith("reference/") && !shownReferences.includes(file);
const references: Readonly<Record<string, string>> = { "events.md": "/docs/events", "problems.md": "/docs/problems" };

import { unescapeHtml } from "./html.ts";
import { operationPath } from "./layout.ts";
import type { DocsModel } from "./model.ts";

// What programs read of the pages: the words of each page for the search, and the map of them for language models.

/** The words of every page in lower case, by its path, as JSON: what the search of the pages looks in. */
export function searchIndex(pages: ReadonlyMap<string, string>): string {
  return JSON.stringify(Object.fromEntries([...pages].map(([path, page]) => [path, textOf(page).toLowerCase()])));
}

/** The text of a page's content, without its navigation. Our own pages escape everything else. */
function textOf(page: string): string {
  const content = page.slice(page.indexOf("<main"), page.indexOf("</main>"));
  return unescapeHtml(content.replaceAll("<wbr>", "").replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The map of the documentation for language models (llmstxt.org): guides as Markdown, then every operation. */
export function llmsText({ guides, groups, appUrl }: DocsModel): string {
  const links = (folder: string): string[] =>
    guides.filter(({ file }) => file.startsWith(folder)).map(({ title, path }) => `- [${title}](${appUrl}${path}.md)`);
  const operations = groups.flatMap(({ operations: list }) =>
    list.map(({ id, method, path, summary }) => `- [${method} ${path}](${appUrl}${operationPath(id)}): ${summary}`),
  );
  return [
    "# Agent Operations Service",
    "",
    "> Put software agents to work on business tasks over a REST interface. Every call passes permissions, evaluation gate, compliance and audit; every task carries a trust score and a reference that can be proved offline.",
    "",
    `The whole interface in one file: [OpenAPI 3.1](${appUrl}/openapi.json), also [as YAML](${appUrl}/openapi.yaml).`,
    "",
    "## Guide",
    "",
    ...links("guide/"),
    "",
    "## Reference",
    "",
    ...links("reference/"),
    "",
    "## Running it",
    "",
    ...links("operations/"),
    "",
    "## Operations",
    "",
    ...operations,
    "",
  ].join("\n");
}

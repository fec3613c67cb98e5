import type { GitSource } from "../source-schemas.ts";

export interface GitPlace {
  readonly path: string;
  /** A branch, a tag or a commit, as a person writes it. */
  readonly ref: string;
  readonly commit: string;
}

/** Hosts whose addresses of files are known, below the repository's own. */
const known: Readonly<Record<string, string>> = {
  "github.com": "/blob/{ref}/{path}",
  "gitlab.com": "/-/blob/{ref}/{path}",
  "bitbucket.org": "/src/{ref}/{path}",
  "codeberg.org": "/src/commit/{commit}/{path}",
};

/** Null: where files are on the web is not known. */
export function linkTemplate({ url, link }: GitSource): string | null {
  if (link !== undefined) return link;
  const { origin, host, pathname } = new URL(url);
  const rest = known[host];
  return rest === undefined ? null : `${origin}${pathname.replace(/\/+$/, "").replace(/\.git$/, "")}${rest}`;
}

export const linkOf = (template: string, place: GitPlace): string =>
  template.replaceAll(/\{(path|ref|commit)\}/g, (_, name: keyof GitPlace) =>
    place[name].split("/").map(encodeURIComponent).join("/"),
  );

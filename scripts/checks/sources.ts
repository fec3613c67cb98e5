import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/** A file of the repository. */
export interface Source {
  /** Relative to the repository, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** A rule that a file breaks. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** Every text file of the repository that git knows or would take, of these kinds. */
export function readSources(root: string, kinds: readonly string[]): Source[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const files = listed.split("\0").filter((file) => kinds.includes(path.extname(file)));
  return files.flatMap((file) => {
    const text = readIfThere(path.join(root, file));
    return text === undefined ? [] : [{ file, text }];
  });
}

/** A file that was deleted but not yet committed is still listed. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The line of a place in a text, from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** Tests, and what only they use. */
export function isTest(file: string): boolean {
  return /\.(test|fixture)\.ts$|\/fixtures?\.ts$|\/testing(\/|\.ts$)|^server\/(test|bench)\//.test(file);
}

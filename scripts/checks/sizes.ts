import type { Finding, Source } from "./sources.ts";

/** The most lines of a file; a file that wants more holds two things. */
export const limits = { source: 500, test: 600 } as const;

/** TypeScript files that are too long; generated ones are as long as what they are made from. */
export function sizeFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => /\.tsx?$/.test(file) && !file.includes("/generated/"))
    .flatMap(({ file, text }) => {
      const lines = text.split("\n").length - 1;
      const most = file.endsWith(".test.ts") ? limits.test : limits.source;
      return lines < most ? [] : [{ file, line: most, what: `has ${lines} lines; fewer than ${most} are allowed` }];
    });
}

const TITLE =
  /^[ \t]*(?:it|test)(?:\.\w+)*(?:\.each(?:<[^>]*>)?\([\s\S]*?\))?\(\s*(?:[\w.]+ in \w+ \? )?(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/gm;

/** Titles of tests that are no sentences: a sentence has several words, and says what is, not what should be. A title may consist of what its table gives. */
export function titleFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => file.endsWith(".test.ts"))
    .flatMap(({ file, text }) =>
      titlesOf(text).flatMap(({ title, line }) => {
        const why = faultOf(title);
        return why === null ? [] : [{ file, line, what: `the title "${title}" ${why}` }];
      }),
    );
}

/** The titles of the tests in a file. */
export function titlesOf(text: string): { title: string; line: number }[] {
  return [...text.matchAll(TITLE)].map((match) => ({
    title: match[2] as string,
    line: text.slice(0, match.index).split("\n").length,
  }));
}

function faultOf(title: string): string | null {
  if (/^(should|test that|it )\b/i.test(title)) return "says what should be; say what is";
  return title.trim().split(/\s+/).length > 1 || /%[sj]/.test(title) ? null : "is no sentence";
}

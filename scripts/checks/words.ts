import { type Finding, isTest, lineAt, type Source } from "./sources.ts";

/** A pattern that must not occur, with the files it does not concern and the exceptions that are known. */
export interface WordRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly what: string;
  /** Which files it is about. */
  readonly about: (file: string) => boolean;
  /** Files that break it, each for a reason that stands beside it. A list may only shrink: an exception that is not needed is a finding. */
  readonly exceptions: Readonly<Record<string, string>>;
}

const isCode = (file: string): boolean => /^(server\/src|cli\/src|proof\/src)\/.*\.ts$/.test(file) && !isTest(file);
const isTypeScript = (file: string): boolean => /\.tsx?$/.test(file);

export const wordRules: readonly WordRule[] = [
  {
    name: "environment",
    pattern: /\bprocess\.env\b/g,
    what: "reads the environment; what it needs comes from the configuration",
    about: (file) =>
      (isCode(file) || (/^sdk\/src\/.*\.ts$/.test(file) && !isTest(file))) &&
      !/^server\/src\/(main|config)\.ts$|\/commands\//.test(file),
    exceptions: {
      "server/src/db/embedded/account.ts": "PATH and nothing else, for a program of the system",
      "server/src/outbound/names.ts":
        "how many threads the process has: a variable of Node's, no setting of the service",
    },
  },
  {
    name: "time",
    pattern: /\bDate\.now\(|\bnew Date\(\)/g,
    what: "asks the machine for the time; it comes with the context or a Clock",
    about: (file) => isCode(file) && !/^server\/src\/(main|kernel\/clock)\.ts$/.test(file),
    exceptions: {
      "server/src/db/embedded/server-process.ts": "waits for a program of the system to start",
      "server/src/db/embedded/leftover.ts": "waits for a program of the system to end",
    },
  },
  {
    name: "chance",
    pattern: /\bMath\.random\(/g,
    what: "draws numbers nobody can repeat; randomness comes in from outside",
    about: isCode,
    exceptions: {},
  },
  {
    name: "contexts",
    pattern:
      /:\s*(?:Call|Read|Write|Append)Context\s*=|\b(?:as|satisfies)\s+(?:unknown\s+as\s+)?(?:Call|Read|Write|Append)Context\b/g,
    what: "makes a context; only the pipeline does",
    about: (file) => isCode(file) && !file.startsWith("server/src/pipeline/"),
    exceptions: {},
  },
  {
    name: "unfinished",
    // Written apart, so that this file does not break its own rule.
    pattern: new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"].join("|")})\\b`, "g"),
    what: "is unfinished by its own word",
    about: (file) => !/^(package-lock\.json|LICENSE)$/.test(file),
    exceptions: {},
  },
  {
    name: "left out",
    pattern: /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo|fails)\b/g,
    what: "leaves tests out",
    about: isTypeScript,
    exceptions: {
      "scripts/test.slow.test.ts": "writes test files with left-out tests, to see that they are counted as such",
    },
  },
  {
    name: "silenced",
    pattern: new RegExp(`@ts-${"ignore"}|@ts-${"nocheck"}|@ts-${"expect-error"}`, "g"),
    what: "silences the type checker",
    about: isTypeScript,
    exceptions: {
      "server/src/db/scoped.test.ts": "holds that a statement without its scope does not compile",
    },
  },
];

/** Where a rule is broken, and the exceptions that it no longer needs. */
export function wordFindings(rule: WordRule, sources: readonly Source[]): Finding[] {
  const broken = sources
    .filter(({ file }) => rule.about(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(rule.pattern)].map((match) => ({
        file,
        line: lineAt(text, match.index),
        what: `\`${match[0]}\` ${rule.what}`,
      })),
    );
  const unneeded = Object.keys(rule.exceptions).filter((file) => !broken.some((finding) => finding.file === file));
  return [
    ...broken.filter(({ file }) => !(file in rule.exceptions)),
    ...unneeded.map((file) => ({
      file,
      line: 1,
      what: `is no longer an exception to the rule "${rule.name}": take it off the list`,
    })),
  ];
}

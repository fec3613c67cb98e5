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

const isCode = (file: string): boolean =>
  /^(server\/src|cli\/src|packages\/[a-z-]+\/src)\/.*\.ts$/.test(file) && !isTest(file);
const isTypeScript = (file: string): boolean => /\.tsx?$/.test(file);
/** What people read: pages of the documentation, and the comments and texts of sources. */
const isProse = (file: string): boolean =>
  /^(?:docs\/(?:guide|operations|reference)\/.*\.md|(?:server|cli|portal|sdk)\/src\/.*\.tsx?|packages\/(?!bundle-scan\/)[\w-]+\/src\/.*\.ts|scripts\/.*\.ts)$/.test(
    file,
  ) &&
  !isTest(file) &&
  !/\.test\.tsx$|^scripts\/(?:faults\/|checks\/words\.ts$)/.test(file);

export const wordRules: readonly WordRule[] = [
  {
    name: "literal spreads",
    pattern: /^[ \t]*\.\.\.(?:\{ .* \}|\[.*\]),$/gm,
    what: "spreads a literal so that the formatter keeps its members on one line; write them as members",
    about: isTypeScript,
    exceptions: {},
  },
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
    name: "plain words",
    pattern:
      /\b(?:[Uu]nless|is|are|was|were|be|been|being) told\b|\btold apart\b|\b[Aa]new\b|\b(?:is|are|be|was|were|being|not) waited for\b|\b(?:door|doors) (?:of|to|for)\b|\bno more(?=[.;:]| until\b| once\b)/g,
    what: "is unclear; say plainly what happens: by default, again, notified, reported, no longer",
    about: isProse,
    exceptions: {},
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
    name: "actors without a key",
    pattern: /\b(?:keyId|key_id): null\b/g,
    what: "forgets the key: whoever issued it is accountable for what comes of this (decision 0064); take an Actor",
    about: (file) => isCode(file) && file.startsWith("server/src/features/"),
    exceptions: {
      "server/src/features/admin/keys/facts.ts": "authentication itself: a session has no key, and keeps its issuers",
      "server/src/features/workflows/hooks/proof.ts":
        "authentication itself: a hook's senders are its secret's deciders",
      "server/src/features/chat/channels/slack/proof.ts": "authentication itself: a channel acts by its own actor",
      "server/src/features/chat/handoffs/operations/transfer-conversation.ts":
        "whose a conversation is; each of its turns acts by the actor of its message",
      "server/src/features/knowledge/search/vectors/operations/embed-chunks.ts": "what a budget is charged with",
      "server/src/features/tasks/runs/operations/try-model.ts": "what a budget is charged with",
      "server/src/features/tasks/runs/operations/try-tool.ts": "what a budget is charged with",
      "server/src/features/analytics/alerts/sweep.ts": "reads figures; nothing acts by it",
      "server/src/features/analytics/reports/make.ts": "reads figures; nothing acts by it",
    },
  },
  {
    name: "actors cast",
    pattern: /\bas (?:unknown as )?(?:Stored)?Actor\b/g,
    what: "makes an actor; only kernel/actor.ts does (decision 0064)",
    about: (file) => isCode(file) && file !== "server/src/kernel/actor.ts",
    exceptions: {},
  },
  {
    name: "actors resolved",
    pattern: /\bresolvedAs\b/g,
    what: "makes an actor without a look at its owner and key; call resolveActor (decision 0064)",
    about: (file) => isCode(file) && file !== "server/src/kernel/actor.ts",
    exceptions: { "server/src/features/admin/accountability/actors.ts": "resolveActor, which looks" },
  },
  {
    name: "actors that undo",
    pattern: /\bundoingActor\b/g,
    what: "makes an actor without a look at its owner and key; call resolveActor (decision 0064)",
    about: (file) => isCode(file) && file !== "server/src/kernel/actor.ts",
    exceptions: {
      "server/src/features/workflows/steps/operations/start-step.ts":
        "undoes what a run did, whatever has become of its owner",
    },
  },
  {
    name: "actors put together",
    pattern: /\bstoredActor\(\s*\{/g,
    what: "puts an actor together from ids; store `storable(actor)` and read that (decision 0064)",
    about: (file) => isCode(file) && file !== "server/src/kernel/actor.ts",
    exceptions: {
      "server/src/features/tasks/runs/operations/start-task.ts":
        "a task keeps its actor as principal, key_id and deciders",
    },
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

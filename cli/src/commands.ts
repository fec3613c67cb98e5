/** What a command's module exports: takes the arguments after the command's words, answers the exit code (none counts as 0). */
export interface CommandModule {
  run(args: readonly string[]): Promise<number | undefined> | number | undefined;
}

/** One command of `aos`. */
export interface Command {
  readonly words: readonly string[];
  readonly usage: string;
  readonly summary: string;
  /** Whether the command answers `--help` itself, with more than usage and summary. */
  readonly ownHelp?: true;
  /** Loads the code only when the command is called. */
  readonly load: () => Promise<CommandModule>;
}

/** Every command, in the order in which `aos help` shows them. */
export const COMMANDS: readonly Command[] = [
  {
    words: ["start"],
    usage: "start",
    summary: "Start the service; settings come from the environment",
    load: () => import("../../server/src/main.ts"),
  },
  {
    words: ["config"],
    usage: "config [--json]",
    summary: "Show every setting with the value in force",
    load: () => import("../../server/src/commands/config.ts"),
  },
  {
    words: ["keys", "create"],
    usage: "keys create [options]",
    summary: "Make an API key on this host, without one",
    ownHelp: true,
    load: () => import("../../server/src/commands/keys-create.ts"),
  },
  {
    words: ["agents", "apply"],
    usage: "agents apply -f <file>",
    summary: "Make agents what their files say; with --note as a version",
    ownHelp: true,
    load: () => import("./commands/agents-apply.ts"),
  },
  {
    words: ["agents", "diff"],
    usage: "agents diff -f <file>",
    summary: "Show how a draft would change by its file",
    ownHelp: true,
    load: () => import("./commands/agents-diff.ts"),
  },
  {
    words: ["audit", "verify"],
    usage: "audit verify <file>",
    summary: "Verify a proof or an export of the audit log, offline",
    ownHelp: true,
    load: () => import("./commands/audit-verify.ts"),
  },
];

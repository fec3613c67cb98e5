import type { Flag } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

/** What a command's module exports: takes the arguments after the command's words, answers the exit code (none counts as 0). */
export interface CommandModule {
  run(args: readonly string[], terminal?: Terminal): Promise<number | undefined> | number | undefined;
  /** Its options, for completion. */
  readonly flags?: readonly Flag[];
}

/** One command of `aos` that is more than a call. */
export interface Command {
  readonly words: readonly string[];
  readonly usage: string;
  readonly summary: string;
  /** Where `aos help` shows it. */
  readonly area: Area;
  /** The operation whose command it is, so that no other is made for it. */
  readonly operation?: string;
  /** Whether the command answers `--help` itself, with more than usage and summary. */
  readonly ownHelp?: true;
  /** Loads the code only when the command is called. */
  readonly load: () => Promise<CommandModule>;
}

export type Area = "On this host" | "Sign in" | "Work" | "Agents" | "Proof" | "Webhooks" | "More";

/** A command of the service itself: it takes the terminal of the process. */
const onHost = ({ run }: { run(args: readonly string[]): Promise<number> | number }): CommandModule => ({
  run: (args) => run(args),
});

/** Every command that is written by hand, in the order in which `aos help` shows them. Each operation of the service has one besides. */
export const COMMANDS: readonly Command[] = [
  {
    words: ["start"],
    usage: "start",
    summary: "Start the service; settings come from the environment",
    area: "On this host",
    load: async () => onHost(await import("../../server/src/main.ts")),
  },
  {
    words: ["config"],
    usage: "config [--json]",
    summary: "Show every setting with the value in force",
    area: "On this host",
    load: async () => onHost(await import("../../server/src/commands/config.ts")),
  },
  {
    words: ["link"],
    usage: "link [options]",
    summary: "Print a link that signs in to the portal, once",
    area: "On this host",
    ownHelp: true,
    load: async () => onHost(await import("../../server/src/commands/link.ts")),
  },
  {
    words: ["keys", "create"],
    usage: "keys create [options]",
    summary: "Make an API key on this host, without one",
    area: "On this host",
    ownHelp: true,
    load: async () => onHost(await import("../../server/src/commands/keys-create.ts")),
  },
  {
    words: ["audit", "adopt"],
    usage: 'audit adopt --reason "…"',
    summary: "Close an audit log that is no longer signed, and open another",
    area: "On this host",
    ownHelp: true,
    load: async () => onHost(await import("../../server/src/commands/audit-adopt.ts")),
  },
  {
    words: ["doctor"],
    usage: "doctor",
    summary: "Look for what is wrong, and say what to do",
    area: "On this host",
    ownHelp: true,
    load: () => import("./commands/doctor.ts"),
  },
  {
    words: ["login"],
    usage: "login [options]",
    summary: "Sign in with a key, which is kept for this user",
    area: "Sign in",
    ownHelp: true,
    load: () => import("./commands/login.ts"),
  },
  {
    words: ["logout"],
    usage: "logout",
    summary: "Forget the key",
    area: "Sign in",
    ownHelp: true,
    load: () => import("./commands/logout.ts"),
  },
  {
    words: ["whoami"],
    usage: "whoami",
    summary: "Show whose key is used, where, and what it may",
    area: "Sign in",
    ownHelp: true,
    load: () => import("./commands/whoami.ts"),
  },
  {
    words: ["tasks", "dispatch"],
    usage: "tasks dispatch <agent> <task>",
    summary: "Give an agent a task; with --wait until it has ended",
    area: "Work",
    ownHelp: true,
    load: () => import("./commands/tasks-dispatch.ts"),
  },
  {
    words: ["tasks", "watch"],
    usage: "tasks watch <task>",
    summary: "Show what happens to a task as it happens",
    area: "Work",
    ownHelp: true,
    load: () => import("./commands/tasks-watch.ts"),
  },
  {
    words: ["approvals", "approve"],
    usage: "approvals approve <approval>",
    summary: "Look at what is asked, then approve it",
    area: "Work",
    operation: "approvals.approve",
    ownHelp: true,
    load: () => import("./commands/approvals-approve.ts"),
  },
  {
    words: ["approvals", "reject"],
    usage: "approvals reject <approval>",
    summary: "Look at what is asked, then reject it",
    area: "Work",
    operation: "approvals.reject",
    ownHelp: true,
    load: () => import("./commands/approvals-reject.ts"),
  },
  {
    words: ["agents", "apply"],
    usage: "agents apply -f <file>",
    summary: "Make agents what their files say; with --note as a version",
    area: "Agents",
    ownHelp: true,
    load: () => import("./commands/agents-apply.ts"),
  },
  {
    words: ["agents", "diff"],
    usage: "agents diff -f <file>",
    summary: "Show how a draft would change by its file",
    area: "Agents",
    ownHelp: true,
    load: () => import("./commands/agents-diff.ts"),
  },
  {
    words: ["agents", "promote"],
    usage: "agents promote <agent> --to <environment>",
    summary: "Bring a version to staging or production, and deploy it there",
    area: "Agents",
    ownHelp: true,
    load: () => import("./commands/agents-promote.ts"),
  },
  {
    words: ["audit", "export"],
    usage: "audit export [<export>]",
    summary: "Write the audit log into a file, with its signed manifest",
    area: "Proof",
    ownHelp: true,
    load: () => import("./commands/audit-export.ts"),
  },
  {
    words: ["audit", "verify"],
    usage: "audit verify <file>",
    summary: "Verify a proof or an export of the audit log, offline",
    area: "Proof",
    ownHelp: true,
    load: () => import("./commands/audit-verify.ts"),
  },
  {
    words: ["webhooks", "listen"],
    usage: "webhooks listen --forward-to <url>",
    summary: "Bring events to a program on this machine, signed",
    area: "Webhooks",
    ownHelp: true,
    load: () => import("./commands/webhooks-listen.ts"),
  },
  {
    words: ["trigger"],
    usage: "trigger <event>",
    summary: "Send a sample of an event to your program",
    area: "Webhooks",
    ownHelp: true,
    load: () => import("./commands/trigger.ts"),
  },
  {
    words: ["api"],
    usage: "api <method> <path>",
    summary: "Call any address of the service",
    area: "More",
    ownHelp: true,
    load: () => import("./commands/api.ts"),
  },
  {
    words: ["open"],
    usage: "open [<id>]",
    summary: "Open the portal, or the page of a thing, in a browser",
    area: "More",
    ownHelp: true,
    load: () => import("./commands/open.ts"),
  },
  {
    words: ["completion"],
    usage: "completion bash|zsh|fish",
    summary: "Print what makes a shell complete commands",
    area: "More",
    ownHelp: true,
    load: () => import("./commands/completion.ts"),
  },
];

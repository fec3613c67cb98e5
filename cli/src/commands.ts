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

export type Area =
  | "On this host"
  | "Sign in"
  | "Work"
  | "Agents"
  | "Workflows"
  | "Knowledge"
  | "Marketplace"
  | "Proof"
  | "Webhooks"
  | "More";

/** A command of the service itself: it takes the terminal of the process. */
const onHost = ({ run }: { run(args: readonly string[]): Promise<number> | number }): CommandModule => ({
  run: (args) => run(args),
});

/** Every command that is written by hand, in the order in which `aos help` shows them. Each operation of the service has one besides. */
export const COMMANDS: readonly Command[] = [
  {
    words: ["start"],
    usage: "start",
    summary: "Start the service, configured by environment variables",
    area: "On this host",
    load: async () => onHost(await import("../../server/src/main.ts")),
  },
  {
    words: ["config"],
    usage: "config [--json]",
    summary: "Show all settings with their current values",
    area: "On this host",
    load: async () => onHost(await import("../../server/src/commands/config.ts")),
  },
  {
    words: ["link"],
    usage: "link [options]",
    summary: "Print a one-time sign-in link to the portal",
    area: "On this host",
    ownHelp: true,
    load: async () => onHost(await import("../../server/src/commands/link.ts")),
  },
  {
    words: ["keys", "create"],
    usage: "keys create [options]",
    summary: "Create an API key on this host",
    area: "On this host",
    ownHelp: true,
    load: async () => onHost(await import("../../server/src/commands/keys-create.ts")),
  },
  {
    words: ["audit", "adopt"],
    usage: 'audit adopt --reason "…"',
    summary: "Close a stopped audit log and open a new one",
    area: "On this host",
    ownHelp: true,
    load: async () => onHost(await import("../../server/src/commands/audit-adopt.ts")),
  },
  {
    words: ["doctor"],
    usage: "doctor",
    summary: "Check this machine, the service and the key",
    area: "On this host",
    ownHelp: true,
    load: () => import("./commands/doctor.ts"),
  },
  {
    words: ["login"],
    usage: "login [options]",
    summary: "Sign in with a key and save it",
    area: "Sign in",
    ownHelp: true,
    load: () => import("./commands/login.ts"),
  },
  {
    words: ["logout"],
    usage: "logout",
    summary: "Remove the saved key",
    area: "Sign in",
    ownHelp: true,
    load: () => import("./commands/logout.ts"),
  },
  {
    words: ["whoami"],
    usage: "whoami",
    summary: "Show the key in use and its permissions",
    area: "Sign in",
    ownHelp: true,
    load: () => import("./commands/whoami.ts"),
  },
  {
    words: ["tasks", "dispatch"],
    usage: "tasks dispatch <agent> <task>",
    summary: "Dispatch a task to an agent",
    area: "Work",
    ownHelp: true,
    load: () => import("./commands/tasks-dispatch.ts"),
  },
  {
    words: ["tasks", "watch"],
    usage: "tasks watch <task>",
    summary: "Follow a task's events",
    area: "Work",
    ownHelp: true,
    load: () => import("./commands/tasks-watch.ts"),
  },
  {
    words: ["approvals", "approve"],
    usage: "approvals approve <approval>",
    summary: "Review and approve an action",
    area: "Work",
    operation: "approvals.approve",
    ownHelp: true,
    load: () => import("./commands/approvals-approve.ts"),
  },
  {
    words: ["approvals", "reject"],
    usage: "approvals reject <approval>",
    summary: "Review and reject an action",
    area: "Work",
    operation: "approvals.reject",
    ownHelp: true,
    load: () => import("./commands/approvals-reject.ts"),
  },
  {
    words: ["agents", "apply"],
    usage: "agents apply -f <file>",
    summary: "Create or update agents from files",
    area: "Agents",
    ownHelp: true,
    load: () => import("./commands/agents-apply.ts"),
  },
  {
    words: ["agents", "diff"],
    usage: "agents diff -f <file>",
    summary: "Compare drafts with their files",
    area: "Agents",
    ownHelp: true,
    load: () => import("./commands/agents-diff.ts"),
  },
  {
    words: ["agents", "promote"],
    usage: "agents promote <agent> --to <environment>",
    summary: "Promote a version to staging or production",
    area: "Agents",
    ownHelp: true,
    load: () => import("./commands/agents-promote.ts"),
  },
  {
    words: ["agents", "deploy"],
    usage: "agents deploy <agent> --version <number> [--canary <percent>]",
    summary: "Deploy a version, whole or as a canary",
    area: "Agents",
    ownHelp: true,
    load: () => import("./commands/agents-deploy.ts"),
  },
  {
    words: ["agents", "canary", "promote"],
    usage: 'agents canary promote <agent> --reason "…"',
    summary: "Have a canary's version go live",
    area: "Agents",
    ownHelp: true,
    load: async () => (await import("./canary-command.ts")).canaryCommand("promote"),
  },
  {
    words: ["agents", "canary", "abort"],
    usage: 'agents canary abort <agent> --reason "…"',
    summary: "Stop a canary",
    area: "Agents",
    ownHelp: true,
    load: async () => (await import("./canary-command.ts")).canaryCommand("abort"),
  },
  {
    words: ["chat", "talk"],
    usage: "chat talk <agent> [message]",
    summary: "Talk with an agent",
    area: "Work",
    ownHelp: true,
    load: () => import("./commands/chat-talk.ts"),
  },
  {
    words: ["workflows", "apply"],
    usage: "workflows apply -f <file>",
    summary: "Create or update workflows from files",
    area: "Workflows",
    ownHelp: true,
    load: () => import("./commands/workflows-apply.ts"),
  },
  {
    words: ["workflows", "diff"],
    usage: "workflows diff -f <file>",
    summary: "Compare drafts with their files",
    area: "Workflows",
    ownHelp: true,
    load: () => import("./commands/workflows-diff.ts"),
  },
  {
    words: ["workflows", "run"],
    usage: "workflows run <workflow>",
    summary: "Run a workflow",
    area: "Workflows",
    ownHelp: true,
    load: () => import("./commands/workflows-run.ts"),
  },
  {
    words: ["workflows", "watch"],
    usage: "workflows watch <workflow> <run>",
    summary: "Follow a run's steps",
    area: "Workflows",
    ownHelp: true,
    load: () => import("./commands/workflows-watch.ts"),
  },
  {
    words: ["knowledge", "add-document"],
    usage: "knowledge add-document <base> --file <file>",
    summary: "Add files or a folder to a knowledge base",
    area: "Knowledge",
    ownHelp: true,
    load: () => import("./commands/knowledge-add-document.ts"),
  },
  {
    words: ["knowledge", "search"],
    usage: 'knowledge search "<question>"',
    summary: "Search knowledge, with citations",
    area: "Knowledge",
    operation: "knowledge.search",
    ownHelp: true,
    load: () => import("./commands/knowledge-search.ts"),
  },
  {
    words: ["install"],
    usage: "install <listing> [--set-up]",
    summary: "Install a listing after showing what it asks for",
    area: "Marketplace",
    ownHelp: true,
    load: () => import("./commands/install.ts"),
  },
  {
    words: ["marketplace", "set-up"],
    usage: "marketplace set-up <install>",
    summary: "Train, measure and deploy what was installed",
    area: "Marketplace",
    ownHelp: true,
    load: () => import("./commands/marketplace-set-up.ts"),
  },
  {
    words: ["marketplace", "update"],
    usage: "marketplace update <install>",
    summary: "Take a newer version after showing the difference",
    area: "Marketplace",
    ownHelp: true,
    load: () => import("./commands/marketplace-update.ts"),
  },
  {
    words: ["marketplace", "download"],
    usage: "marketplace download <listing>",
    summary: "Write a listing's signed file",
    area: "Marketplace",
    ownHelp: true,
    load: () => import("./commands/marketplace-download.ts"),
  },
  {
    words: ["marketplace", "import"],
    usage: "marketplace import <file>",
    summary: "Submit a file of another installation",
    area: "Marketplace",
    ownHelp: true,
    load: () => import("./commands/marketplace-import.ts"),
  },
  {
    words: ["marketplace", "approve"],
    usage: 'marketplace approve <listing> --reason "…"',
    summary: "Review and approve a version",
    area: "Marketplace",
    ownHelp: true,
    load: () => import("./commands/marketplace-approve.ts"),
  },
  {
    words: ["marketplace", "recall"],
    usage: 'marketplace recall <listing> --reason "…"',
    summary: "Stop what is installed of a listing, everywhere",
    area: "Marketplace",
    ownHelp: true,
    load: () => import("./commands/marketplace-recall.ts"),
  },
  {
    words: ["audit", "export"],
    usage: "audit export [<export>]",
    summary: "Export the audit log with its signed manifest",
    area: "Proof",
    ownHelp: true,
    load: () => import("./commands/audit-export.ts"),
  },
  {
    words: ["audit", "verify"],
    usage: "audit verify <file>",
    summary: "Verify a proof or an export offline",
    area: "Proof",
    ownHelp: true,
    load: () => import("./commands/audit-verify.ts"),
  },
  {
    words: ["webhooks", "listen"],
    usage: "webhooks listen --forward-to <url>",
    summary: "Forward events to a program on this machine",
    area: "Webhooks",
    ownHelp: true,
    load: () => import("./commands/webhooks-listen.ts"),
  },
  {
    words: ["trigger"],
    usage: "trigger <event>",
    summary: "Send a sample event to your program",
    area: "Webhooks",
    ownHelp: true,
    load: () => import("./commands/trigger.ts"),
  },
  {
    words: ["api"],
    usage: "api <method> <path>",
    summary: "Call any path of the API",
    area: "More",
    ownHelp: true,
    load: () => import("./commands/api.ts"),
  },
  {
    words: ["open"],
    usage: "open [<id>]",
    summary: "Open the portal in a browser",
    area: "More",
    ownHelp: true,
    load: () => import("./commands/open.ts"),
  },
  {
    words: ["completion"],
    usage: "completion bash|zsh|fish",
    summary: "Print a shell completion script",
    area: "More",
    ownHelp: true,
    load: () => import("./commands/completion.ts"),
  },
];

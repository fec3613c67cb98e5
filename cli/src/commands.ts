import type { AosCommand } from "./command.ts";

export interface HandCommand {
  readonly words: readonly string[];
  /** `tasks watch <task>`. */
  readonly usage: string;
  readonly summary: string;
  readonly load: (command: AosCommand) => Promise<unknown>;
}

type Load = () => Promise<{ default: (command: AosCommand) => AosCommand }>;
type LoadHost = () => Promise<{ run(args: readonly string[]): Promise<number> | number }>;

const wordsOf = (usage: string): readonly string[] => usage.split(" ").filter((word) => /^[a-z]/.test(word));

const command = (usage: string, summary: string, load: Load): HandCommand => ({
  words: wordsOf(usage),
  usage,
  summary,
  load: async (one) => (await load()).default(one),
});

/** A command of the service itself, which reads its arguments. `help` is also its own where it has options besides `--json`. */
const host = (usage: string, summary: string, load: LoadHost, help: "own" | "ours" = "own"): HandCommand => ({
  words: wordsOf(usage),
  usage,
  summary,
  load: async (one) => {
    if (help === "own") one.helpOption(false);
    return one.description(`${summary}.`).handOver((await load()).run);
  },
});

/** The commands that are written by hand, by the title under which `aos help` shows them. Each operation of the service has one besides. */
export const areas: Readonly<Record<string, readonly HandCommand[]>> = {
  "On this host": [
    host(
      "start",
      "Start the service, configured by environment variables",
      () => import("../../server/src/main.ts"),
      "ours",
    ),
    host(
      "config",
      "Show all settings with their current values",
      () => import("../../server/src/commands/config.ts"),
      "ours",
    ),
    host("link", "Print a one-time sign-in link to the portal", () => import("../../server/src/commands/link.ts")),
    host("keys create", "Create an API key on this host", () => import("../../server/src/commands/keys-create.ts")),
    host(
      "audit adopt",
      "Close a stopped audit log and open a new one",
      () => import("../../server/src/commands/audit-adopt.ts"),
    ),
    command("doctor", "Check this machine, the service and the key", () => import("./commands/doctor.ts")),
  ],
  "Sign in": [
    command("login", "Sign in with a key and save it", () => import("./commands/login.ts")),
    command("logout", "Remove the saved key", () => import("./commands/logout.ts")),
    command("whoami", "Show the key in use and its permissions", () => import("./commands/whoami.ts")),
  ],
  Work: [
    command(
      "tasks dispatch <agent> [skill]",
      "Dispatch a task to an agent",
      () => import("./commands/tasks-dispatch.ts"),
    ),
    command("tasks watch <task>", "Follow a task's events", () => import("./commands/tasks-watch.ts")),
    command(
      "approvals approve <approval>",
      "Review and approve an action",
      () => import("./commands/approvals-decide.ts"),
    ),
    command(
      "approvals reject <approval>",
      "Review and reject an action",
      () => import("./commands/approvals-decide.ts"),
    ),
    command("chat talk <agent> [message]", "Talk with an agent", () => import("./commands/chat-talk.ts")),
  ],
  Agents: [
    command("agents apply", "Create or update agents from files", () => import("./commands/agents-apply.ts")),
    command("agents diff", "Compare drafts with their files", () => import("./commands/definitions-diff.ts")),
    command(
      "agents promote <agent>",
      "Promote a version to staging or production",
      () => import("./commands/agents-promote.ts"),
    ),
    command(
      "agents deploy <agent>",
      "Deploy a version, whole or as a canary",
      () => import("./commands/agents-deploy.ts"),
    ),
    command(
      "agents canary promote <agent>",
      "Have a canary's version go live",
      () => import("./commands/agents-canary.ts"),
    ),
    command("agents canary abort <agent>", "Stop a canary", () => import("./commands/agents-canary.ts")),
  ],
  Workflows: [
    command("workflows apply", "Create or update workflows from files", () => import("./commands/workflows-apply.ts")),
    command("workflows diff", "Compare drafts with their files", () => import("./commands/definitions-diff.ts")),
    command("workflows run <workflow>", "Run a workflow", () => import("./commands/workflows-run.ts")),
    command("workflows watch <workflow> <run>", "Follow a run's steps", () => import("./commands/workflows-watch.ts")),
  ],
  Knowledge: [
    command(
      "knowledge add-document <base>",
      "Add files or a folder to a knowledge base",
      () => import("./commands/knowledge-add-document.ts"),
    ),
    command(
      "knowledge search <question>",
      "Search knowledge, with citations",
      () => import("./commands/knowledge-search.ts"),
    ),
  ],
  Marketplace: [
    command(
      "install <listing>",
      "Install a listing after showing what it asks for",
      () => import("./commands/install.ts"),
    ),
    command(
      "marketplace set-up <install>",
      "Train, measure and deploy what was installed",
      () => import("./commands/marketplace-set-up.ts"),
    ),
    command(
      "marketplace update <install>",
      "Take a newer version after showing the difference",
      () => import("./commands/marketplace-update.ts"),
    ),
    command(
      "marketplace download <listing>",
      "Write a listing's signed file",
      () => import("./commands/marketplace-download.ts"),
    ),
    command(
      "marketplace import <file>",
      "Submit a file of another installation",
      () => import("./commands/marketplace-import.ts"),
    ),
    command(
      "marketplace approve <listing>",
      "Review and approve a version",
      () => import("./commands/marketplace-approve.ts"),
    ),
    command(
      "marketplace recall <listing>",
      "Stop what is installed of a listing, everywhere",
      () => import("./commands/marketplace-recall.ts"),
    ),
  ],
  Proof: [
    command(
      "audit export [export]",
      "Export the audit log with its signed manifest",
      () => import("./commands/audit-export.ts"),
    ),
    command("audit verify <file>", "Verify a proof or an export offline", () => import("./commands/audit-verify.ts")),
  ],
  Webhooks: [
    command(
      "webhooks listen",
      "Forward events to a program on this machine",
      () => import("./commands/webhooks-listen.ts"),
    ),
    command("trigger <event>", "Send a sample event to your program", () => import("./commands/trigger.ts")),
  ],
  More: [
    command("api <method> [path]", "Call any path of the API", () => import("./commands/api.ts")),
    command("open [id]", "Open the portal in a browser", () => import("./commands/open.ts")),
    command("completion <shell>", "Print a shell completion script", () => import("./commands/completion.ts")),
  ],
};

export const COMMANDS: readonly HandCommand[] = Object.values(areas).flat();

/** The command by hand with the most words that begins the arguments. */
export const handCommand = (args: readonly string[]): HandCommand | undefined =>
  COMMANDS.filter(({ words }) => words.every((word, index) => args[index] === word)).sort(
    (a, b) => b.words.length - a.words.length,
  )[0];

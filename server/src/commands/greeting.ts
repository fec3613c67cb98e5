import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { styleText } from "node:util";
import type { Config } from "../config/config.ts";

export interface Greeting {
  readonly config: Config;
  /** The portal with a link that signs in to it, where one was made; null in a process that serves none. */
  readonly portal: { readonly url: string; readonly link: string | null } | null;
  readonly adminKeyFile: string;
  /** Whether this start made the installation. */
  readonly first: boolean;
  readonly seconds: number;
  /** Whether a person reads it on a terminal. Anything else may be kept and read by others, so no secret is printed there. */
  readonly terminal: boolean;
  readonly colour: boolean;
}

/** What a start prints: where the service is, the key to use it with, and one call that works. */
export function greeting({ config, portal, adminKeyFile, first, seconds, terminal, colour }: Greeting): string {
  const bold = (text: string): string => (colour ? styleText("bold", text, { validateStream: false }) : text);
  const dim = (text: string): string => (colour ? styleText("dim", text, { validateStream: false }) : text);
  const lines = [``, `${bold("Agent Operations Service")} ${dim(`ready in ${seconds.toFixed(1)} s`)}`, ``];
  if (config.role === "worker") return `${[...lines, "  A worker: it serves no API."].join("\n")}\n\n`;
  const address = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
  if (portal) lines.push(...toPortal(portal));
  lines.push(`  API          ${address}`, `  Guide        ${address}/docs`, `  Description  ${address}/openapi.json`);
  if (existsSync(adminKeyFile))
    lines.push(...withKey(address, adminKeyFile, { first, terminal, sample: config.sample, appUrl: config.appUrl }));
  else
    lines.push(``, `  A key for a call comes from:  ${command()} keys create --environment development --role admin`);
  return `${lines.join("\n")}\n\n`;
}

/** How the command line is called from where the service was started: in the repository, and where it is installed into a folder, it is on no path. */
function command(): string {
  if (existsSync(path.resolve("bin/aos"))) return "bin/aos";
  return existsSync(path.resolve("node_modules/.bin/aos")) ? "npx aos" : "aos";
}

function toPortal({ url, link }: NonNullable<Greeting["portal"]>): string[] {
  if (link === null) return [`  Portal       ${url}`, `               a link that signs you in:  ${command()} link`];
  return [
    `  Portal       ${link}`,
    `               signs you in once, within 15 minutes; another link:  ${command()} link`,
  ];
}

function withKey(
  address: string,
  adminKeyFile: string,
  { first, terminal, sample, appUrl }: { first: boolean; terminal: boolean; sample: boolean; appUrl: string },
): string[] {
  const file = path.relative(process.cwd(), adminKeyFile) || adminKeyFile;
  const shown = file.startsWith("..") ? adminKeyFile : file;
  const kept = `kept in ${shown}: admin of development`;
  const lines = [`  Key          ${first ? "made just now, " : ""}${kept}`];
  if (first && terminal)
    lines[0] = `  Key          ${readFileSync(adminKeyFile, "utf8").trim()}\n               made just now, ${kept}`;
  const call = sample
    ? [
        `  curl -sS ${address}/v1/agents/sales/tasks \\`,
        `    -H "Authorization: Bearer $(cat ${shown})" -H "Content-Type: application/json" \\`,
        `    -d '{"task": "qualify_lead", "lead_id": "ld_1001", "require_approval": true}'`,
      ]
    : [`  curl -sS ${address}/v1/admin/whoami -H "Authorization: Bearer $(cat ${shown})"`];
  const next = sample ? [``, `  Its answer names a task: open ${appUrl}/approvals/<task_id> and decide.`] : [];
  return [...lines, ``, `  A first call:`, ``, ...call, ...next];
}

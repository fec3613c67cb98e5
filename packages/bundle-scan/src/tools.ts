import { BlockList, isIP } from "node:net";
import { namesCredential } from "@aos/data-classes";
import { latinLook } from "./confusables.ts";
import type { Findings } from "./findings.ts";
import type { RuleId } from "./rules.ts";
import { visible } from "./snippet.ts";
import type { Structure } from "./source.ts";

type Loose = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const token = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Finds tools that can do more than they should, and skills without limits. */
export function findInTools({ path, value, place }: Structure, findings: Findings): void {
  const add = (rule: RuleId, pointer: string, what: string, shown: string): void =>
    findings.add({ rule, path, ...place(pointer), what, snippet: visible(shown.slice(0, 120)) });
  const isAgent = isObject(value);
  const tools = isAgent ? listOf(value.tools) : listOf(value);
  for (const [index, tool] of tools.entries())
    if (isObject(tool)) new ToolCheck(tool, `${isAgent ? "/tools" : ""}/${index}`, add).check();
  if (!isAgent) return;
  const isPaid =
    isObject(value.model) && typeof value.model.provider === "string" && value.model.provider !== "builtin";
  for (const [index, skill] of listOf(value.skills).entries())
    if (isObject(skill)) checkLimits(skill, `/skills/${index}`, isPaid, add);
}

type Add = (rule: RuleId, pointer: string, what: string, shown: string) => void;

const [MOST_STEPS, MOST_SECONDS, MOST_COST] = [200, 14_400, 100];

function checkLimits(skill: Loose, pointer: string, isPaid: boolean, add: Add): void {
  const name = String(skill.name ?? "");
  const limits = isObject(skill.limits) ? skill.limits : {};
  const isBounded = limits.cost_usd !== undefined || limits.tokens !== undefined;
  if (isPaid && !(isBounded && limits.steps !== undefined))
    add("agent.no-limits", pointer, "A skill of a paid model has no limit of steps, or none of cost or tokens.", name);
  if (Number(limits.steps) > MOST_STEPS || Number(limits.seconds) > MOST_SECONDS || Number(limits.cost_usd) > MOST_COST)
    add(
      "agent.wide-limits",
      `${pointer}/limits`,
      `The limits go beyond ${MOST_STEPS} steps, ${MOST_SECONDS} seconds or ${MOST_COST} dollars.`,
      name,
    );
}

const FREE =
  /(?:^|_)(?:urls?|uri|endpoint|webhook|host(?:name)?|server|sql|cypher|graphql|commands?|cmd|shell|bash|powershell|script|code|eval|expression|path|file_?path|filename|directory|folder|headers?|raw|payload|args|where|where_clause|filter_expression)$/i;
const WRITES = new Set(["PUT", "PATCH", "DELETE"]);

class ToolCheck {
  private readonly tool: Loose;
  private readonly pointer: string;
  private readonly add: Add;

  constructor(tool: Loose, pointer: string, add: Add) {
    this.tool = tool;
    this.pointer = pointer;
    this.add = add;
  }

  check(): void {
    const { tool, pointer } = this;
    const { kind, name, effect } = tool;
    if (typeof name === "string" && /\P{ASCII}/u.test(name))
      this.add(
        "text.confusable",
        `${pointer}/name`,
        `The name of a tool has letters beyond a to z; it looks like “${latinLook(name)}”.`,
        name,
      );
    if (kind !== "http" && kind !== "mcp") return;
    if (effect === "write" && !(isObject(tool.impact) && Object.keys(tool.impact).length > 0))
      this.say("tool.write-without-impact", "", "A tool that writes says nothing of what it could do.");
    this.arguments();
    if (kind === "http") this.http();
    if (kind === "mcp") this.mcp();
  }

  private say(rule: RuleId, below: string, what: string): void {
    this.add(rule, this.pointer + below, what, String(this.tool.name ?? ""));
  }

  private http(): void {
    const request = isObject(this.tool.request) ? this.tool.request : {};
    const method = String(request.method ?? "").toUpperCase();
    if (typeof request.url === "string") this.address(request.url, "/request/url");
    if (isObject(this.tool.openapi) && typeof this.tool.openapi.url === "string")
      this.address(this.tool.openapi.url, "/openapi/url");
    if (this.tool.effect === "read" && WRITES.has(method))
      this.say("tool.effect-read", "/effect", `A tool that says it reads uses ${method}, which changes things.`);
    if (this.tool.effect === "read" && method === "POST")
      this.say("tool.effect-read", "/effect", "A tool that says it reads uses POST, which may change things.");
    for (const part of ["headers", "query"] as const) this.credentials(request[part], `/request/${part}`);
  }

  private credentials(values: unknown, below: string): void {
    for (const [name, value] of Object.entries(isObject(values) ? values : {})) {
      const isLiteral = typeof value === "string" && value !== "" && !/^\{[^{}]+\}$/.test(value);
      if (isLiteral && namesCredential(name))
        this.add(
          "secret.header",
          `${this.pointer}${below}/${token(name)}`,
          "A tool carries a credential of its own.",
          `${name}: …[${value.length} characters]`,
        );
    }
  }

  private mcp(): void {
    const { server, tool } = this.tool;
    if (typeof server === "string") this.address(server, "/server");
    if (typeof tool !== "string" || tool === "" || tool.includes("*") || tool.includes("{"))
      this.say("tool.mcp-no-tool", "", "A tool of an MCP server does not name the server's tool.");
  }

  private arguments(): void {
    const schema = this.tool.arguments;
    const properties = isObject(schema) ? schema.properties : undefined;
    if (!isObject(properties)) {
      if (this.tool.openapi === undefined && !this.takesNothing(schema))
        this.say("tool.no-arguments", isObject(schema) ? "/arguments" : "", "The arguments of a tool have no schema.");
      return;
    }
    for (const [name, one] of Object.entries(properties)) {
      const isText = isObject(one) && (one.type === "string" || one.type === undefined || one.type === "object");
      const isBound =
        isObject(one) &&
        (one.enum !== undefined || one.const !== undefined || isNarrow(one.pattern) || isObject(one.properties));
      if (isText && !isBound && FREE.test(name))
        this.say(
          "tool.free-form",
          `/arguments/properties/${token(name)}`,
          `The argument \`${visible(name.slice(0, 60))}\` of a tool takes any text.`,
        );
    }
  }

  /** A closed object without members, and a request without a placeholder, take no arguments. */
  private takesNothing(schema: unknown): boolean {
    if (isObject(schema)) return schema.additionalProperties === false;
    return this.tool.kind === "http" && !textsOf(this.tool.request).some((text) => /\{[^{}]{1,100}\}/.test(text));
  }

  private address(address: string, below: string): void {
    const behind = /^[a-z][a-z0-9+.-]{0,20}:\/\/([^/?#]{0,300})/i.exec(address)?.[1];
    const authority = behind ?? address.slice(0, 300).split(/[/?#]/, 1)[0]!;
    if (/[{}]/.test(authority)) {
      this.say("tool.host-placeholder", below, "The host of a tool comes from an argument.");
      return;
    }
    const url = URL.parse(address.replace(/\{[^{}]{1,100}\}/g, "x"));
    if (url === null) return;
    const host = visible(url.hostname);
    if (isPrivateHost(url.hostname))
      this.say("tool.private-address", below, `A tool calls ${host}, which lies inside a network.`);
    else if (url.protocol !== "https:")
      this.say("tool.plain-http", below, `A tool calls ${host} by ${url.protocol.slice(0, -1)}.`);
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const isNarrow = (pattern: unknown): boolean =>
  typeof pattern === "string" && !/^\^?(?:\.[*+]|\[\^?\S\][*+]|\(\?:?\.\*\))?\$?$/.test(pattern);

const inside = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  inside.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
  ["64:ff9b::", 96],
] as const)
  inside.addSubnet(network, bits, "ipv6");

const INSIDE_NAMES =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|localdomain|svc|cluster)$|^metadata(?:\.|$)|^host\.docker\.|(?:^|\.)(?:nip|sslip)\.io$|(?:^|\.)(?:localtest\.me|lvh\.me)$/i;

/** Whether a host, as URLs write it, is a loopback, private, link-local or metadata address, or a name of such. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  const version = isIP(host);
  if (version === 0) return INSIDE_NAMES.test(host) || !host.includes(".");
  if (version === 4) return inside.check(host, "ipv4");
  return inside.check(host, "ipv6") || /^::ffff:/i.test(host);
}

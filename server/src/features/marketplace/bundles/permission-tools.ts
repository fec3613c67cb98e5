import type { ToolDefinition } from "../../agents/schemas.ts";
import type { ListingPermission } from "../schema-words.ts";

export type Level = ListingPermission["level"];

const levels: readonly Level[] = ["low", "elevated", "high"];

/** `low` for none. */
export const highest = (some: readonly Level[]): Level =>
  levels[Math.max(0, ...some.map((level) => levels.indexOf(level)))] as Level;

/** A publisher's text as one line, without invisible characters and those that change its direction. */
export const plain = (text: string): string => text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();

/** `a, b and c`. */
export function listed(names: readonly string[]): string {
  const some = names.map(plain);
  return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} and ${some.at(-1)}`;
}

/** Unique, in an order that does not depend on theirs. */
export const sortedNames = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** Without empty members. */
export const said = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));

/** Groups by keys, such as hosts of tools. */
export function grouped<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): [key: string, items: T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) for (const key of keysOf(item)) groups.set(key, [...(groups.get(key) ?? []), item]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Something that sends data to an address. */
export interface Reaching {
  /** The tool's name, or `the model`. */
  readonly name: string;
  readonly address: string | null;
  readonly connection: string | null;
  readonly level: Level;
}

const readingMethods = ["GET", "HEAD"];

/** A tool that claims to read but does not use a reading method counts as a write, as when it is called. */
function writes(tool: ToolDefinition): boolean {
  if (tool.effect === "write") return true;
  return tool.kind === "http" && tool.request !== undefined && !readingMethods.includes(tool.request.method);
}

const urlOf = (tool: ToolDefinition): string | null => {
  if (tool.kind === "mcp") return tool.server;
  return tool.kind === "http" ? (tool.request?.url ?? tool.openapi?.url ?? null) : null;
};

/** Method and server are in a description elsewhere, which may change. */
const isDescribed = (tool: ToolDefinition): boolean => tool.kind === "http" && tool.request === undefined;

/** How much care a tool deserves that sends something. */
const sendingLevel = (tool: ToolDefinition): Level => (writes(tool) || isDescribed(tool) ? "high" : "elevated");

/** The whole text if it is no address. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : plain(url));

/** Undefined if it sends nothing. */
export function reachOfTool(tool: ToolDefinition): Reaching | undefined {
  const url = urlOf(tool);
  if (url === null || tool.kind === "record" || tool.kind === "search") return undefined;
  const level = sendingLevel(tool);
  return { name: tool.name, address: originOf(url), connection: tool.connection ?? null, level };
}

/** `skills`: those that may call it. */
export function toolPermission(tool: ToolDefinition, skills: readonly string[]): ListingPermission {
  const level = urlOf(tool) === null ? "low" : sendingLevel(tool);
  return {
    id: `tool:${tool.name}`,
    kind: "tool",
    level,
    text: `${whatItDoes(tool)} (${tool.name})${atWorst(tool)}.`,
    value: { ...toolValue(tool), effect: writes(tool) ? "write" : "read", ...(skills.length > 0 && { skills }) },
  };
}

function whatItDoes(tool: ToolDefinition): string {
  switch (tool.kind) {
    case "record":
      return `Looks records up in the knowledge base ${plain(tool.base)}`;
    case "search":
      return tool.bases
        ? `Searches the knowledge ${tool.bases.length === 1 ? "base" : "bases"} ${listed(sortedNames(tool.bases))}`
        : "Searches the agent's knowledge bases";
    case "mcp": {
      const effect = writes(tool) ? ", which may change things" : ", which by its own word only reads";
      return `Calls ${plain(tool.tool ?? tool.name)} of the MCP server ${originOf(tool.server)}${effect}`;
    }
    default: {
      if (isDescribed(tool)) {
        const effect = writes(tool) ? "that change things" : "that by their own word only read";
        return `Sends requests ${effect}, to whichever server the description at ${originOf(urlOf(tool) ?? "")} names`;
      }
      const effect = writes(tool) ? "that change things" : "that only read";
      return `Sends requests ${effect} to ${originOf(urlOf(tool) ?? "")}`;
    }
  }
}

function atWorst({ impact = {} }: ToolDefinition): string {
  const { money = 0, reversible = true } = impact;
  const words = [
    ...(money > 0 ? [`with up to ${money.toLocaleString("en-US")} US dollars at stake`] : []),
    ...(reversible ? [] : ["and it cannot be undone"]),
  ];
  return words.map((word) => `, ${word}`).join("");
}

function toolValue(tool: ToolDefinition): Record<string, unknown> {
  const { name, kind, impact, cost_usd } = tool;
  const common = { tool: name, kind, impact, cost_usd };
  switch (tool.kind) {
    case "record":
      return said({ ...common, base: tool.base });
    case "search":
      return said({ ...common, bases: tool.bases && sortedNames(tool.bases) });
    case "mcp":
      return said({ ...common, server: tool.server, server_tool: tool.tool, connection: tool.connection });
    default:
      return said({
        ...common,
        method: tool.request?.method,
        url: urlOf(tool),
        connection: tool.connection,
        operation: tool.request ? undefined : tool.openapi?.operation,
      });
  }
}

export function reachPermissions(reaching: readonly Reaching[]): ListingPermission[] {
  const addresses = grouped(reaching, ({ address }) => (address === null ? [] : [address]));
  const connections = grouped(reaching, ({ connection }) => (connection === null ? [] : [connection]));
  return [
    ...addresses.map(([address, users]): ListingPermission => {
      const names = sortedNames(users.map(({ name }) => name));
      const open = address.startsWith("http:") ? ", unencrypted" : "";
      return {
        id: `address:${address}`,
        kind: "address",
        level: open ? "high" : highest(users.map(({ level }) => level)),
        text: `Sends data to ${address}${open} (${listed(names)}).`,
        value: { address, for: names },
      };
    }),
    ...connections.map(([connection, users]): ListingPermission => {
      const names = sortedNames(users.map(({ name }) => name));
      return {
        id: `connection:${connection}`,
        kind: "connection",
        level: "elevated",
        text: `Uses the credentials of your connection ${connection} (${listed(names)}).`,
        value: { connection, for: names },
      };
    }),
  ];
}

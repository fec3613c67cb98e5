import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { contents } from "../../server/src/kernel/decides.ts";

/** What somebody asked for that cannot be done, in words that say what would. */
export class Misunderstood extends Error {}

/** What is decided about a stage: an answer, or why it does not apply. */
export type Decision = { readonly value: string } | { readonly exempt: string };

export interface WantedOperation {
  readonly id: string;
  readonly group: string;
  /** The name of the export: the id behind its dot. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Names in braces. */
  readonly parameters: readonly string[];
  readonly summary: string;
  readonly permission: Decision;
  readonly gate: Decision;
  /** Names of `contents`, separated by commas. */
  readonly decides: Decision;
  readonly action: Decision;
  /** What the group is about, where it is new; null where it is there. */
  readonly about: string | null;
  /** Where it goes, below `server/src/features`: the folder of its resource, or the slice itself. */
  readonly folder: string;
}

export interface Surroundings {
  readonly root: string;
  /** Operations that there are. */
  readonly known: readonly { readonly id: string; readonly method?: string; readonly path?: string }[];
}

const contentName = Object.keys(contents).join("|");
const contentNames = new RegExp(`^(${contentName})(,(${contentName}))*$`);
const contentShape = `<${contentName}> of kernel/decides.ts, several separated by commas,`;
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Reads the command line. Throws Misunderstood, with the remedy, for what is missing, malformed or taken. */
export function readArguments(args: readonly string[], { root, known }: Surroundings): WantedOperation {
  const { positionals, values } = parse(args);
  const [id = "", method = "", address = ""] = positionals;
  if (positionals.length !== 3)
    throw new Misunderstood("Say id, method and path: tasks.readTaskTrust GET /v1/tasks/{task}/trust");
  const [, group, name] = /^([a-z]+)\.([a-z][A-Za-z]+)$/.exec(id) ?? [];
  if (!group || !name)
    throw new Misunderstood(`${id} is no id: it is <group>.<verb and noun>, such as tasks.readTaskTrust.`);
  const verb = methods.find((one) => one === method);
  if (!verb) throw new Misunderstood(`${method} is no method: use one of ${methods.join(", ")}.`);
  if (!/^\/v1(\/([a-z][a-z-]*|\{[a-z][a-z_]*\}))+$/.test(address))
    throw new Misunderstood(
      `${address} is no path: it starts with /v1 and has lowercase words and {names} between slashes.`,
    );
  const shape = (one: string | undefined): string | undefined => one?.replaceAll(/\{\w+\}/g, "{}");
  const twin = known.find((one) => one.id === id || (one.method === method && shape(one.path) === shape(address)));
  if (twin) throw new Misunderstood(`${twin.id} has this ${twin.id === id ? "id" : "address"} already.`);
  return {
    id,
    group,
    name,
    method: verb,
    path: address,
    parameters: [...address.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string),
    summary: values.summary ?? summaryOf(name),
    permission: decision("permission", values.permission, /^[a-z]+:[a-z]+$/, "<group:verb>"),
    gate: method === "GET" ? { exempt: "reads" } : decision("gate", values.gate, /^(?!)/, null),
    decides: method === "GET" ? { exempt: "reads" } : decision("decides", values.decides, contentNames, contentShape),
    action: decision("action", values.action, /^[a-z_]+\.[a-z_]+$/, "<thing.verb>"),
    about: aboutGroup(root, group, values.about),
    folder: folderOf(root, group, values.in),
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { permission: text, gate: text, decides: text, action: text, about: text, summary: text, in: text },
    });
  } catch (error) {
    throw new Misunderstood((error as Error).message);
  }
}

/** A resource of the group, or of another slice that has operations of the group, such as `schedules` those of `agents`. */
function folderOf(root: string, group: string, given: string | undefined): string {
  const features = path.join(root, "server/src/features");
  const folders = readdirSync(features, { recursive: true, encoding: "utf8" })
    .filter((name) => path.basename(name) === "operations")
    .map(path.dirname);
  const own = folders.filter((folder) => folder.startsWith(`${group}/`)).map((folder) => path.relative(group, folder));
  const names = own.length > 0 ? own.sort().join(", ") : "none yet";
  if (given === undefined) {
    if (own.length === 0 || folders.includes(group)) return group;
    throw new Misunderstood(`Say the resource by --in: ${names}; or --in new:<name> for a new one.`);
  }
  const added = /^new:([a-z]+(?:-[a-z]+)*)$/.exec(given)?.[1];
  if (added !== undefined) return `${group}/${added}`;
  const found = [`${group}/${given}`, given].find((folder) => folders.includes(folder));
  if (found !== undefined) return found;
  throw new Misunderstood(
    `--in ${given} is no resource. Those of ${group}: ${names}. One of another slice: its folder below server/src/features. A new one: --in new:<name>.`,
  );
}

/** Every stage is decided by whoever adds an operation: there is no default. */
function decision(name: string, given: string | undefined, form: RegExp, shape: string | null): Decision {
  const ways = [...(shape === null ? [] : [shape]), '"exempt:<why it does not apply>"'].join(" or ");
  if (given === undefined) throw new Misunderstood(`Decide --${name}: ${ways}.`);
  const why = /^exempt:\s*(\S.{4,})$/.exec(given)?.[1];
  if (why !== undefined) return { exempt: why };
  if (form.test(given)) return { value: given };
  throw new Misunderstood(`--${name} is ${ways}, not ${given}.`);
}

/** Null where the group is there already. */
function aboutGroup(root: string, group: string, given: string | undefined): string | null {
  if (existsSync(path.join(root, "server/src/features", group, "slice.ts"))) return null;
  if (given === undefined || given.trim() === "")
    throw new Misunderstood(
      `There is no group ${group} in server/src/features. To add it, say what it is about: --about "Notes that people leave on tasks."`,
    );
  return given.trim();
}

/** `readTaskTrust` is "Read task trust". */
function summaryOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

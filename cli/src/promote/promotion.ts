import type { Access } from "../access.ts";
import type { Sending, Service } from "../http.ts";
import { quoted } from "../operations/example.ts";
import { type Problem, problemOf, remedyOf } from "../problems.ts";
import type { Terminal } from "../terminal.ts";
import type { Report } from "./report.ts";

export interface Promotion {
  readonly agent: string;
  readonly version: number;
  readonly note: string | undefined;
  readonly source: Side;
  readonly target: Side;
  /** Reports what would change without changing it. */
  readonly dryRun: boolean;
  readonly report: Report;
  readonly terminal: Terminal;
}

export interface Side {
  readonly environment: string;
  readonly permissions: readonly string[];
  readonly service: Service;
}

/** What a definition says that has to be there before its version works. */
export interface Definition {
  readonly model: { readonly connection?: string };
  readonly knowledge?: readonly string[];
  readonly skills: readonly { readonly name: string }[];
  readonly tools: readonly {
    readonly name: string;
    readonly kind: string;
    readonly base?: string;
    readonly bases?: readonly string[];
    readonly connection?: string;
  }[];
}

/** An answer of the service that ends a promotion. */
export class Refused extends Error {
  readonly problem: Problem;
  readonly service: Service;
  constructor(problem: Problem, service: Service) {
    super(problem.detail);
    this.problem = problem;
    this.service = service;
  }
  /** What to do about it, as far as it is known. */
  get remedy(): readonly string[] {
    const remedy = remedyOf(this.problem, this.service.access.profile);
    return remedy === null ? [] : [remedy];
  }
}

export async function ask<T>({ service }: Side, method: string, path: string, sending: Sending = {}): Promise<T> {
  const reply = await service.call(method, path, sending);
  const problem = problemOf(reply);
  if (problem !== null) throw new Refused(problem, service);
  return reply.body as T;
}

export async function askAll<T>(side: Side, path: string): Promise<readonly T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const more: string = `limit=100${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: { data: readonly T[]; next_cursor: string | null } = await ask(
      side,
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}${more}`,
    );
    items.push(...page.data);
    cursor = page.next_cursor;
  }
  return items;
}

/** A command line that acts with the key of one side. */
export const commandWith = ({ service }: Side, ...words: readonly string[]): string =>
  ["aos", ...keyOptions(service.access), ...words.map(quoted)].join(" ");

function keyOptions({ source, file, profile }: Access): readonly string[] {
  if (source === "profile" && profile !== "default") return ["--profile", quoted(profile)];
  return source === "key file" && file !== null ? ["--key-file", quoted(file)] : [];
}

export const may = ({ permissions }: Side, permission: string): boolean => permissions.includes(permission);

import { type Level, type RuleId, rules } from "./rules.ts";

/** One place in a bundle that somebody should look at before installing. */
export interface Finding {
  readonly rule: RuleId;
  readonly level: Level;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** What was found, why it matters and what to do. */
  readonly message: string;
  /** What stands around it, invisible characters written out, secrets and personal data masked. */
  readonly snippet: string;
}

/** What is left of the work that texts cause: every unit and word that a rule reads is counted, so that a test can hold it linear. */
export class Work {
  steps = 0;
}

/** At most so many findings of one rule in one file: whoever reads them has understood by then. */
export const MOST_PER_RULE = 20;

/** Collects findings, each place once per rule. */
export class Findings {
  private readonly found: Finding[] = [];
  private readonly seen = new Set<string>();
  private readonly counts = new Map<string, number>();

  add(finding: Omit<Finding, "level" | "message"> & { level?: Level; what: string }): void {
    const { what, ...rest } = finding;
    const key = `${rest.rule}\n${rest.path}\n${rest.line}\n${rest.column}`;
    const count = this.count(rest.rule, rest.path);
    if (this.seen.has(key) || count >= MOST_PER_RULE) return;
    this.seen.add(key);
    this.counts.set(`${rest.rule}\n${rest.path}`, count + 1);
    const { level, why, remedy } = rules[rest.rule];
    this.found.push({ ...rest, level: rest.level ?? level, message: `${what} ${why} ${remedy}` });
  }

  isFull(rule: RuleId, path: string): boolean {
    return this.count(rule, path) >= MOST_PER_RULE;
  }

  hasOn(rule: RuleId, path: string, line: number): boolean {
    return this.found.some((one) => one.rule === rule && one.path === path && one.line === line);
  }

  /** By path, line, column and rule. */
  sorted(): Finding[] {
    return this.found.toSorted(
      (a, b) => compare(a.path, b.path) || a.line - b.line || a.column - b.column || compare(a.rule, b.rule),
    );
  }

  private count(rule: RuleId, path: string): number {
    return this.counts.get(`${rule}\n${path}`) ?? 0;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

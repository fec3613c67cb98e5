import type { Group, Ledger } from "./torture-ledger.ts";

/** What went wrong, and in which group. */
export interface Finding {
  readonly group: Group | "processes";
  readonly kind: "lost" | "doubled" | "stuck" | "fault" | "alarm";
  readonly what: string;
}

/** Findings that are told of each group and kind. */
const most = 8;

/** The calls and the findings of each group, as a table, and the first findings of each in words. */
export function reportLines(ledger: Ledger, findings: readonly Finding[]): string[] {
  const names = [...new Set([...ledger.entries.map(({ group }) => group), ...ledger.reads.map(({ group }) => group)])];
  const rows = [...names.sort(), "processes" as const].map((group) => {
    const entries = ledger.entries.filter((entry) => entry.group === group);
    const of = (test: (status: number | undefined) => boolean): number =>
      entries.filter(({ answer }) => test(answer?.status)).length;
    const found = (kind: Finding["kind"]): number =>
      findings.filter((one) => one.group === group && one.kind === kind).length;
    return {
      group,
      acknowledged: of((status) => status !== undefined && status < 300),
      reads: ledger.reads.filter((read) => read.group === group).length,
      refused: of((status) => status !== undefined && status >= 300),
      unknown: of((status) => status === undefined),
      lost: found("lost"),
      doubled: found("doubled"),
      stuck: found("stuck"),
      faults: found("fault"),
      alarms: found("alarm"),
    };
  });
  const columns = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[];
  const line = (cells: readonly unknown[]): string =>
    cells.map((cell, n) => (n === 0 ? String(cell).padEnd(13) : String(cell).padStart(13))).join("");
  const total = columns.map((column, n) => (n === 0 ? "all" : rows.reduce((sum, row) => sum + Number(row[column]), 0)));
  const table = [line(columns), ...rows.map((row) => line(columns.map((column) => row[column]))), line(total)];
  return [...table, ...refusalLines(ledger), ...findingLines(findings)];
}

function refusalLines({ refusals }: Ledger): string[] {
  if (refusals.size === 0) return [];
  return ["", "Refused:", ...[...refusals].sort((a, b) => b[1] - a[1]).map(([what, n]) => `  ${n} × ${what}`)];
}

function findingLines(findings: readonly Finding[]): string[] {
  const lines: string[] = [];
  for (const [title, own] of Map.groupBy(findings, ({ group, kind }) => `${group}, ${kind}`)) {
    lines.push("", `${title}: ${own.length}`, ...own.slice(0, most).map(({ what }) => `  ${what.slice(0, 1_500)}`));
    if (own.length > most) lines.push(`  and ${own.length - most} more`);
  }
  return lines;
}

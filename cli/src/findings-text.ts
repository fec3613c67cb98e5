import { printable } from "./terminal.ts";

export interface Finding {
  readonly severity: "error" | "warning";
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly line?: number;
  readonly column?: number;
}

export const findingsIn = (body: unknown): readonly Finding[] =>
  (body as { readonly findings?: readonly Finding[] } | null)?.findings ?? [];

/** The warnings in an answer to a deployment, as findings about the whole file. */
export const warningsIn = (body: unknown): readonly Finding[] =>
  ((body as { readonly warnings?: readonly Pick<Finding, "code" | "detail">[] } | null)?.warnings ?? []).map(
    (warning) => ({ severity: "warning", pointer: "", ...warning }),
  );

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === "error");

/** Findings as editors jump by them: `file:line:column: severity: message`. */
export function findingLines(file: string, findings: readonly Finding[]): string[] {
  return findings.map(({ severity, pointer, code, detail, line, column }) => {
    const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
    return printable(`${place}: ${severity}: ${pointer === "" ? "" : `${pointer} `}${detail} (${code})`);
  });
}

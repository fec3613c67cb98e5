import { settledCatches } from "./outcomes-settled.ts";
import { type Finding, lineAt, type Source } from "./sources.ts";

// An error of the infrastructure is never an outcome (docs/decisions/0069). What catches an error in a machine says which errors it takes.

/** Where work is done later than a call: what catches errors there could write one down as the work's outcome. */
const machines = /^server\/src\/(?:features|runtime|delivery|wiring|jobs)\/(?!.*(?:\.test|\.fixture)\.ts$).*\.ts$/;
/** It throws on what is no refusal of a call. */
const narrowing = /\bbusinessFailure\(|\brefusedBy\(error\)|\bendHindered\b/;
/** A kind of error by its type; `Error` itself is every error. */
const named =
  /instanceof (?!Error\b)\w+|\bis\(error, |\bis(?:Over|OfTexts|Transient)\(|\brefusalOf\(error\)|\bmodelFailure\(error\)/;
/** It throws on what it was given, now or when the others are done. */
const thrownOn = /\bthrow (?!new\b|refuse\()|\.push\((?:error|one)\)/;
/** It says that there was an error, and nothing comes of it. */
const reported = /^(?:\(?\w*(?:: \w+)?\)? =>\s+)?(?:this\.#)?(?:\w+\.)*(?:report|log\.error)\b[^;]*;?,?$/;

export interface Caught {
  readonly file: string;
  readonly line: number;
  /** The line up to it. */
  readonly head: string;
  /** Whether what it guards waits for anything. Nothing else than waiting meets the infrastructure. */
  readonly waits: boolean;
  readonly body: string;
}

/** Every `catch` clause and `.catch(…)` of the machines, with what it does. Goes by the layout that the formatter makes. */
export function caughtIn(sources: readonly Source[]): Caught[] {
  return sources
    .filter(({ file }) => machines.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^( *).*?(?:\} catch(?: \(\w+\))? \{|\.catch\()/gm)].map(({ index, 0: head, 1: indent }) => {
        const from = index + head.length;
        const end = head.endsWith("{") ? text.indexOf(`\n${indent}}`, from) : endOfCall(text, from);
        const guarded = head.endsWith("{") ? text.slice(text.lastIndexOf(`\n${indent}try {`, index), index) : "await";
        const waits = /\bawait\b/.test(guarded);
        return { file, line: lineAt(text, from), head, waits, body: text.slice(from, end).trim() };
      }),
    );
}

/** Where the parenthesis closes that was opened before `from`. */
function endOfCall(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") open++;
    if (text[at] === ")" && --open === 0) return at;
  }
  return text.length;
}

/** Whether no outcome can come of an error that it does not know by its type. */
function isSafe({ head, waits, body }: Caught): boolean {
  if (!waits || narrowing.test(body) || reported.test(body)) return true;
  if (body === "() => undefined") return /\bvoid /.test(head) || !/[=(] *await |return | = /.test(head);
  if (/^(?:.*=> \{\s*)?throw /.test(body)) return true;
  const last = body.split(/\n/).findLast((line) => /\w/.test(line)) ?? "";
  return /^ *throw /.test(last) || /\.push\(error\)/.test(body) || (named.test(body) && thrownOn.test(body));
}

/** Catches that take errors of any kind, and entries of the list of exceptions that fit none. */
export function outcomeFindings(
  sources: readonly Source[],
  settled: Readonly<Record<string, readonly string[]>> = settledCatches,
): Finding[] {
  const open = Map.groupBy(
    caughtIn(sources).filter((one) => !isSafe(one)),
    ({ file }) => file,
  );
  const findings: Finding[] = [];
  for (const [file, catches] of open) {
    const reasons = settled[file] ?? [];
    for (const { line } of catches.slice(reasons.length))
      findings.push({
        file,
        line,
        what: "takes every error: narrow it by type or by businessFailure() and throw on the rest, or say in scripts/checks/outcomes-settled.ts why it may (decision 0069)",
      });
  }
  for (const [file, reasons] of Object.entries(settled)) {
    const found = open.get(file)?.length ?? 0;
    if (found < reasons.length)
      findings.push({
        file: "scripts/checks/outcomes-settled.ts",
        line: 1,
        what: `lists ${reasons.length} catches of ${file}, which has ${found}: remove what is gone`,
      });
  }
  return findings;
}

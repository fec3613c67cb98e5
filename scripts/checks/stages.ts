import { importsOf } from "./imports.ts";
import { type Finding, lineAt, type Source } from "./sources.ts";

const folder = "server/src/pipeline/";
const declared = `${folder}stages.ts`;

/** The files of the stages in the order of `run.ts`, each with the last value of a call that it may name. */
const stages: readonly (readonly [file: string, last: string])[] = [
  ["context.ts", "Authenticated"],
  ["authenticate.ts", "Admitted"],
  ["limits.ts", "Admitted"],
  ["narrowing.ts", "Validated"],
  ["authorize.ts", "Authorized"],
  ["input.ts", "Validated"],
  ["evaluation-gate.ts", "Gated"],
  ["compliance.ts", "Governed"],
  ["govern.ts", "Governed"],
  ["reserve.ts", "Governed"],
  ["effect.ts", "Handled"],
  ["settle.ts", "Settled"],
];

/** Members of a call's values that can change, and stages that import a later one or name its values (docs/decisions/0045). */
export function stageFindings(sources: readonly Source[]): Finding[] {
  const values = sources.find(({ file }) => file === declared);
  if (!values) return [{ file: declared, line: 1, what: "is missing: it declares the values of a call" }];
  const names = [...values.text.matchAll(/^export interface (\w+)/gm)].map((match) => match[1] as string);
  const mutable = [...values.text.matchAll(/^ {2}(?!readonly )(\w+)\??:/gm)].map(({ index, 1: member }) => ({
    file: declared,
    line: lineAt(values.text, index + 1),
    what: `${member} can change; make it readonly`,
  }));
  return [...mutable, ...stages.flatMap(([file, last], at) => outOfOrder(sources, file, at, names, last))];
}

function outOfOrder(
  sources: readonly Source[],
  name: string,
  at: number,
  names: readonly string[],
  last: string,
): Finding[] {
  const file = folder + name;
  const source = sources.find((one) => one.file === file);
  if (!source || !names.includes(last))
    return [{ file, line: 1, what: "is missing: scripts/checks/stages.ts names it" }];
  const laterFiles = stages.slice(at + 1).map(([later]) => folder + later);
  const laterValues = names.slice(names.indexOf(last) + 1).filter((value) => value !== "Replayed");
  return importsOf(source).flatMap(({ target, names: imported, line }) => {
    if (laterFiles.includes(target)) return [{ file, line, what: `imports a later stage, ${target}` }];
    const used = target === declared ? laterValues.filter((value) => new RegExp(`\\b${value}\\b`).test(imported)) : [];
    return used.map((value) => ({ file, line, what: `names ${value}, which a later stage decides` }));
  });
}

import { SourceFault } from "../../ports.ts";
import { compileGlobs, GlobRefused } from "./path-glob.ts";
import type { Selection } from "./source.ts";

const selections = new WeakMap<Selection, (place: string) => boolean>();

/** Whether a path, without a slash at its beginning, is asked for. Throws SourceFault where a pattern is not understood. */
export function isSelected(place: string, selection: Selection): boolean {
  let selects = selections.get(selection);
  if (!selects) {
    selects = compileSelection(selection);
    selections.set(selection, selects);
  }
  return selects(place);
}

function compileSelection({ include = [], exclude = [] }: Selection): (place: string) => boolean {
  const [included, excluded] = [compileList("include", include), compileList("exclude", exclude)];
  return (place) => (include.length === 0 || included(place)) && !excluded(place);
}

function compileList(name: string, patterns: readonly string[]): (place: string) => boolean {
  try {
    return compileGlobs(patterns);
  } catch (error) {
    if (!(error instanceof GlobRefused)) throw error;
    throw new SourceFault("pattern_refused", `A pattern in ${name} ${error.message}.`);
  }
}

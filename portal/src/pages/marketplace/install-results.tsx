import type { PartResult } from "../../api/installs.ts";
import { visible } from "../../lib/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { partWords } from "./words.ts";

/** What a reset or removal comes to, part by part: what becomes of each, or why it stays. */
export function PartResults({
  results,
  word,
}: {
  readonly results: readonly PartResult[];
  /** What becomes of a part whose call succeeds. */
  readonly word: (result: PartResult) => string;
}) {
  return (
    <ul aria-label="Parts" className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
      {results.map((result) => {
        const { kind, name, note, problem } = result;
        const [said, tone] = saidOf(result, word);
        return (
          <li key={`${kind} ${name}`} className="grid gap-1 bg-raised px-3 py-2">
            <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="min-w-0 wrap-anywhere">
                <span className="text-muted">{partWords[kind] ?? kind}</span>{" "}
                <span className="font-medium">{visible(name)}</span>
              </span>
              <Badge tone={tone}>{said}</Badge>
            </span>
            {problem === null ? null : <span className="text-muted">{visible(whyOf(problem))}</span>}
            {note === null ? null : <span className="text-muted">{visible(note)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function saidOf(result: PartResult, word: (result: PartResult) => string): readonly [word: string, tone: Tone] {
  if (result.problem !== null) return ["cannot be done", "warn"];
  if (result.action === "keep") return ["stays", "neutral"];
  return [word(result), "info"];
}

const whyOf = (problem: Readonly<Record<string, unknown>>): string =>
  String(problem.detail ?? problem.title ?? problem.code ?? "");

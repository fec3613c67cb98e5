import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { around, windowOf } from "./words.ts";

export interface SourceTextProps {
  readonly text: string;
  /** What is marked in it, in UTF-16 code units; null: nothing is. */
  readonly place: { readonly start: number; readonly end: number } | null;
  readonly label: string;
}

/** The text of a source, with one place of it marked and in sight. Of a very long one, the part around that place. */
export function SourceText({ text, place, label }: SourceTextProps) {
  const mark = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [extra, setExtra] = useState({ before: 0, after: 0 });
  const { start, end } = place ?? { start: 0, end: 0 };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is brought into sight, the same one stays where it is
  useEffect(() => {
    setExtra({ before: 0, after: 0 });
    if (box.current === null || mark.current === null) return;
    box.current.scrollTop += mark.current.getBoundingClientRect().top - box.current.getBoundingClientRect().top - 96;
  }, [start, end]);
  const shown = windowOf(text, start, end);
  const from = Math.max(0, shown.from - extra.before);
  const to = Math.min(text.length, shown.to + extra.after);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of nothing but text, no fieldset
    <div
      ref={box}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      aria-label={label}
      className="max-h-[70vh] overflow-auto px-4 py-4 text-sm leading-relaxed sm:px-5"
    >
      {from > 0 ? (
        <Button size="small" onClick={() => setExtra({ ...extra, before: extra.before + around })}>
          Show what comes before
        </Button>
      ) : null}
      <div className="wrap-anywhere whitespace-pre-wrap">
        {text.slice(from, start)}
        {place === null ? null : (
          <mark ref={mark} className="rounded-xs bg-warn-soft text-ink underline decoration-warn/60 underline-offset-4">
            {text.slice(start, end)}
          </mark>
        )}
        {text.slice(end, to)}
      </div>
      {to < text.length ? (
        <Button size="small" onClick={() => setExtra({ ...extra, after: extra.after + around })}>
          Show what comes after
        </Button>
      ) : null}
    </div>
  );
}

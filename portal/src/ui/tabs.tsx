import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface Tab {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: () => ReactNode;
}

/** Parts of a page of which one is seen. Arrow keys go from one to the next. Keep `current` in the address, so that it can be sent to others. */
export function Tabs({
  tabs,
  current,
  onChange,
  label,
}: {
  tabs: readonly Tab[];
  current: string;
  onChange: (id: string) => void;
  label: string;
}) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    tabs.findIndex(({ id }) => id === current),
  );
  const turn = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: tabs.length - 1 - index }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (index + step + tabs.length) % tabs.length;
    onChange((tabs[next] as Tab).id);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={turn}
        className="flex flex-wrap gap-x-1 border-b border-line"
      >
        {tabs.map(({ id, title }, at) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={at === index}
            aria-controls={at === index ? `${base}-panel` : undefined}
            tabIndex={at === index ? 0 : -1}
            onClick={() => onChange(id)}
            className={clsx(
              "-mb-px border-b-2 px-3 py-2.5 text-sm font-medium whitespace-nowrap",
              at === index ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink",
            )}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${tabs[index]?.id}`} className="pt-5">
        {tabs[index]?.content()}
      </div>
    </div>
  );
}

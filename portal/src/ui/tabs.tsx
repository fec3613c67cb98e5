import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface Tab {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: () => ReactNode;
}

/** Several tabs behind one: it stands for whichever of them is current, else for the first. */
export interface TabGroup {
  readonly title: string;
  readonly tabs: readonly [Tab, ...Tab[]];
}

interface TabsProps {
  readonly tabs: readonly (Tab | TabGroup)[];
  readonly current: string;
  readonly onChange: (id: string) => void;
  readonly label: string;
  /** Within a tab: smaller, and without a line below. */
  readonly inner?: boolean;
}

/** Parts of a page of which one is seen. Arrow keys go from one to the next. Keep `current` in the address, so that it can be sent to others. */
export function Tabs({ tabs: given, current, onChange, label, inner = false }: TabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const tabs = given.map((one) => ("tabs" in one ? tabOf(one, current, onChange) : one));
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
        className={clsx("flex flex-wrap gap-x-1", inner ? "gap-y-1" : "border-b border-line")}
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
              "text-sm font-medium whitespace-nowrap pointer-coarse:min-h-11",
              inner ? "rounded-md px-3 py-1.5" : "-mb-px border-b-2 px-3 py-2.5",
              at !== index && "text-muted hover:text-ink",
              inner
                ? at === index && "bg-accent-soft text-accent"
                : at === index
                  ? "border-accent"
                  : "border-transparent",
            )}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${tabs[index]?.id}`}
        className={inner ? "pt-4" : "pt-5"}
      >
        {tabs[index]?.content()}
      </div>
    </div>
  );
}

function tabOf({ title, tabs }: TabGroup, current: string, onChange: (id: string) => void): Tab {
  const { id } = tabs.find((one) => one.id === current) ?? tabs[0];
  return {
    id,
    title,
    content: () => <Tabs inner label={title} tabs={tabs} current={id} onChange={onChange} />,
  };
}

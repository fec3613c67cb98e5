import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { type ReactNode, useEffect, useRef } from "react";
import type { WindowHead } from "../../api/figures.ts";
import type { WindowSearch } from "../../lib/window.ts";
import { spanText } from "../../lib/window-request.ts";
import { PageHead } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { viewGroups } from "./rooms.ts";
import type { View } from "./search.ts";
import { WindowPicker } from "./window-picker.tsx";

interface FrameProps {
  readonly title: ReactNode;
  readonly lead: ReactNode;
  readonly view: View | null;
  readonly window: WindowSearch;
  /** Left out where the page has no window of time. */
  readonly onWindow?: ((window: WindowSearch) => void) | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What stands around every view: the list of views, title and window. */
export function Frame({ title, lead, view, window, onWindow, actions, children }: FrameProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-x-8 gap-y-4 xl:grid-cols-[10.5rem_minmax(0,1fr)]">
      <ViewList view={view} window={window} />
      <div className="min-w-0">
        <PageHead title={title} lead={lead} actions={actions} />
        {onWindow ? <WindowPicker window={window} onChange={onWindow} /> : null}
        <div className="mt-4 grid grid-cols-1 gap-4">{children}</div>
      </div>
    </div>
  );
}

/** All views: a list at the side where there is room, else one line to scroll. The window goes along. */
function ViewList({ view, window }: { readonly view: View | null; readonly window: WindowSearch }) {
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view is another place in the strip
  useEffect(() => {
    strip.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [view]);
  return (
    <nav
      ref={strip}
      aria-label="Analytics"
      className="-mx-4 flex overflow-x-auto border-b border-line px-4 text-sm sm:-mx-6 sm:px-6 xl:sticky xl:top-20 xl:mx-0 xl:grid xl:gap-4 xl:border-b-0 xl:px-0"
    >
      {viewGroups.map(({ name, views }) => (
        <div key={name} className="contents xl:block">
          <p aria-hidden="true" className="hidden px-2.5 pb-1 text-xs font-medium text-muted xl:block">
            {name}
          </p>
          <ul aria-label={name} className="flex xl:grid">
            {views.map((one) => (
              <li key={one.view}>
                <Link
                  to="/analytics/$view"
                  params={{ view: one.view }}
                  search={windowOnly(window)}
                  aria-current={one.view === view ? "page" : undefined}
                  className={clsx(
                    "block border-b-2 px-2.5 py-2 whitespace-nowrap xl:rounded-md xl:border-b-0 xl:py-1.5 pointer-coarse:py-3",
                    one.view === view
                      ? "border-accent font-medium text-ink xl:bg-accent-soft xl:text-accent"
                      : "border-transparent text-muted hover:text-ink xl:hover:bg-sunken",
                  )}
                >
                  {one.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

export const windowOnly = ({ range, from, to, grain, zone, agent, skill, label }: WindowSearch): WindowSearch => ({
  range,
  from,
  to,
  grain,
  zone,
  agent,
  skill,
  label,
});

/** Which time the figures are about, up to when they reach, and whether it is over. */
export function HeadLine({ head }: { readonly head: WindowHead }) {
  return (
    <p className="text-sm text-muted">
      {spanText(head.from, head.to, head.time_zone)} ({head.time_zone}), compared with as long before. Figures as of{" "}
      <RelativeTime time={head.as_of} />.
      {head.complete ? "" : " The window is not over, or tasks of it are still open: figures may still change."}
    </p>
  );
}

import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useLiveEvents } from "../api/live.ts";
import { usePrefetched } from "../api/queries.ts";
import { sessionQuery } from "../api/session.ts";
import { handleKey, useShortcuts } from "../ui/shortcuts.ts";
import { Toasts } from "../ui/toast.tsx";
import { ConnectionNotice } from "./connection.tsx";
import { Help } from "./help.tsx";
import { Rail } from "./rail.tsx";
import { useRooms } from "./rooms.ts";
import { ThumbBar } from "./thumb-bar.tsx";
import { TopBar } from "./top-bar.tsx";

const Palette = lazy(() => import("./palette.tsx"));

/** What stands around every room. */
export function Shell() {
  const { data: session } = usePrefetched(sessionQuery);
  const [help, setHelp] = useState(false);
  const [palette, setPalette] = useState(false);
  useKeys({ onHelp: () => setHelp(true), onSearch: () => setPalette(true) });
  useFocusOnTitle();
  useLiveEvents();
  if (session === null) return null;
  return (
    <div className="flex min-h-dvh">
      <a
        href="#page-title"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Rail />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar session={session} onSearch={() => setPalette(true)} onHelp={() => setHelp(true)} />
        <ConnectionNotice />
        <main className="mx-auto w-full max-w-7xl flex-1 px-4 pt-6 pb-28 sm:px-6 lg:pb-12">
          <Outlet />
        </main>
      </div>
      <ThumbBar session={session} />
      <Help session={session} open={help} onClose={() => setHelp(false)} />
      {palette ? (
        <Suspense>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      ) : null}
      <Toasts />
    </div>
  );
}

function useKeys({ onHelp, onSearch }: { readonly onHelp: () => void; readonly onSearch: () => void }): void {
  const navigate = useNavigate();
  const rooms = useRooms();
  useShortcuts("Everywhere", [
    { keys: "?", label: "This help", run: onHelp },
    ...rooms.map(({ to, name, keys }) => ({ keys, label: name, run: () => void navigate({ to }) })),
  ]);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k" && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        search.current();
      } else handleKey(event);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/** After a change of page the title has the focus, so that those who do not see hear where they are; not after the first. */
function useFocusOnTitle(): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const first = useRef(true);
  useEffect(() => {
    if (path === undefined) return;
    if (first.current) first.current = false;
    else document.getElementById("page-title")?.focus({ preventScroll: true });
  }, [path]);
}

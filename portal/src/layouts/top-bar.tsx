import { useNavigate } from "@tanstack/react-router";
import { CircleHelp, LogOut, Monitor, Moon, Search, Sun } from "lucide-react";
import { type Session, signOut } from "../api/session.ts";
import { IconButton, Keys } from "../ui/button.tsx";
import { toastProblem } from "../ui/toast.tsx";
import { EnvironmentButton } from "./environment.tsx";
import { Mark } from "./rail.tsx";
import { setTheme, type Theme, useTheme } from "./theme.ts";

const nextTheme: Readonly<Record<Theme, readonly [next: Theme, icon: typeof Sun]>> = {
  system: ["light", Monitor],
  light: ["dark", Sun],
  dark: ["system", Moon],
};

function ThemeButton() {
  const theme = useTheme();
  const [next, Icon] = nextTheme[theme];
  return (
    <IconButton label={`Theme: ${theme}. Change to ${next}`} onClick={() => setTheme(next)}>
      <Icon className="size-4.5" aria-hidden="true" />
    </IconButton>
  );
}

export function TopBar({ session, onSearch, onHelp }: { session: Session; onSearch: () => void; onHelp: () => void }) {
  const navigate = useNavigate();
  const leave = (): void => void signOut().then(() => navigate({ to: "/sign-in", reloadDocument: true }), toastProblem);
  const command = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-canvas/95 px-4 backdrop-blur-sm sm:px-6">
      <span className="on-rail -ml-4 flex h-14 items-center bg-rail px-4 text-rail-ink sm:-ml-6 lg:hidden">
        <span className="max-sm:[&_span>span]:sr-only">
          <Mark />
        </span>
      </span>
      <button
        type="button"
        onClick={onSearch}
        className="mr-auto hidden h-9 w-72 items-center gap-2 rounded-md border border-line-strong/50 bg-surface px-3 text-sm text-muted hover:border-line-strong md:flex"
      >
        <Search className="size-4" aria-hidden="true" />
        <span className="flex-1 text-left">Go to…</span>
        <Keys keys={command} quiet />
      </button>
      <IconButton label="Go to…" className="ml-auto md:hidden" onClick={onSearch}>
        <Search className="size-4.5" aria-hidden="true" />
      </IconButton>
      <EnvironmentButton environment={session.environment} />
      <span className="hidden max-w-48 truncate text-sm sm:block" title={`${session.name}, ${session.role}`}>
        {session.name} <span className="text-muted">· {session.role}</span>
      </span>
      <ThemeButton />
      <IconButton label="Help and shortcuts" className="max-sm:hidden" onClick={onHelp}>
        <CircleHelp className="size-4.5" aria-hidden="true" />
      </IconButton>
      <IconButton label="Sign out" className="max-sm:hidden" onClick={leave}>
        <LogOut className="size-4.5" aria-hidden="true" />
      </IconButton>
    </header>
  );
}

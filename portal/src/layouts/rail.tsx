import { Link } from "@tanstack/react-router";
import { BookOpen } from "lucide-react";
import { useRooms } from "./rooms.ts";
import { useWaiting } from "./waiting.ts";

/** The mark: a score on its scale. */
export function Mark() {
  return (
    <span className="flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" className="size-7" aria-hidden="true">
        <path d="M3 23h26" stroke="#7fa497" strokeWidth="2" strokeLinecap="round" />
        <rect x="9" y="19.5" width="13" height="7" rx="3.5" fill="#f2b84b" />
        <path d="M16.5 5.5v21" stroke="#fdfcf7" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <span className="text-[0.95rem] leading-none font-semibold tracking-tight">Agent Operations</span>
    </span>
  );
}

/** How much waits for people in a room. */
export function WaitingCount({ count = 0 }: { readonly count: number | undefined }) {
  if (count === 0) return null;
  return (
    <span className="min-w-5 rounded-full bg-signal px-1.5 text-center text-xs leading-5 font-semibold text-on-signal">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

/** The rooms, one under the other: in the rail at the left, and in the drawer of a phone. */
export function RoomList({ onGo }: { readonly onGo?: () => void }) {
  const rooms = useRooms();
  const waiting = useWaiting();
  return (
    <ul className="grid gap-0.5">
      {rooms.map(({ to, name, icon: Icon, keys }) => (
        <li key={to}>
          <Link
            to={to}
            onClick={onGo}
            activeOptions={{ exact: to === "/" }}
            title={`${name} (${keys})`}
            className="flex h-10 items-center gap-3 rounded-md px-3 text-sm text-rail-muted transition-colors hover:bg-rail-active hover:text-rail-ink aria-[current=page]:bg-rail-active aria-[current=page]:font-medium aria-[current=page]:text-rail-ink"
          >
            <Icon className="size-4.5" aria-hidden="true" />
            <span className="flex-1">{name}</span>
            <WaitingCount count={waiting[to]} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function Rail() {
  return (
    <nav
      aria-label="Main navigation"
      className="on-rail sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r border-rail-line bg-rail text-rail-ink lg:flex"
    >
      <div className="flex h-14 items-center px-5">
        <Mark />
      </div>
      <div className="flex-1 overflow-auto px-3 py-3">
        <RoomList />
      </div>
      <div className="grid gap-1 border-t border-rail-line p-3 text-sm text-rail-muted">
        <a
          href="/docs"
          className="flex h-9 items-center gap-3 rounded-md px-3 hover:bg-rail-active hover:text-rail-ink"
        >
          <BookOpen className="size-4.5" aria-hidden="true" />
          Documentation
        </a>
      </div>
    </nav>
  );
}

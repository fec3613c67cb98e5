import { Link, useNavigate } from "@tanstack/react-router";
import { BookOpen, LogOut, Menu } from "lucide-react";
import { useState } from "react";
import { type Session, signOut } from "../api/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { toastProblem } from "../ui/toast.tsx";
import { RoomList, WaitingCount } from "./rail.tsx";
import { useRooms } from "./rooms.ts";
import { useWaiting } from "./waiting.ts";

const place =
  "relative flex min-w-0 flex-1 flex-col items-center gap-0.5 py-2 text-2xs text-rail-muted aria-[current=page]:text-rail-ink";

/** On narrow windows: the rooms that are used most, under the thumb; all others in a drawer. */
export function ThumbBar({ session }: { readonly session: Session }) {
  const [open, setOpen] = useState(false);
  const rooms = useRooms();
  const waiting = useWaiting();
  return (
    <nav
      aria-label="Main navigation"
      className="on-rail fixed inset-x-0 bottom-0 z-30 flex border-t border-rail-line bg-rail pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {rooms
        .filter(({ thumb }) => thumb)
        .map(({ to, name, icon: Icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === "/" }} className={place}>
            <Icon className="size-5" aria-hidden="true" />
            {name}
            <span className="absolute top-1 left-1/2 ml-2">
              <WaitingCount count={waiting[to]} />
            </span>
          </Link>
        ))}
      <button type="button" className={place} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Menu className="size-5" aria-hidden="true" />
        More
      </button>
      <Drawer session={session} open={open} onClose={() => setOpen(false)} />
    </nav>
  );
}

function Drawer({ session, open, onClose }: { session: Session; open: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const leave = (): void => void signOut().then(() => navigate({ to: "/sign-in", reloadDocument: true }), toastProblem);
  const row =
    "flex h-11 w-full items-center gap-3 rounded-md px-3 text-sm text-rail-muted hover:bg-rail-active hover:text-rail-ink";
  return (
    <Dialog drawer open={open} onClose={onClose} title="All pages">
      <div className="on-rail -mx-5 -my-4 grid gap-3 bg-rail p-4 text-rail-ink">
        <RoomList onGo={onClose} />
        <div className="border-t border-rail-line pt-3">
          <p className="px-3 pb-2 text-sm text-rail-muted">
            {session.name} · {session.role}
          </p>
          <a href="/docs" className={row}>
            <BookOpen className="size-4.5" aria-hidden="true" /> Documentation
          </a>
          <button type="button" className={row} onClick={leave}>
            <LogOut className="size-4.5" aria-hidden="true" /> Sign out
          </button>
        </div>
      </div>
    </Dialog>
  );
}

import { useState } from "react";
import type { Session } from "../api/session.ts";
import { Keys } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { setSingleKeys, singleKeysOn, useShortcutGroups } from "../ui/shortcuts.ts";
import { OtherEnvironments } from "./environment.tsx";

/** What the keys do here, and where to read more. */
export function Help({
  session,
  open,
  onClose,
}: {
  readonly session: Session;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const groups = useShortcutGroups();
  const [on, setOn] = useState(singleKeysOn);
  const turn = (next: boolean): void => {
    setSingleKeys(next);
    setOn(next);
  };
  return (
    <Dialog open={open} onClose={onClose} title="Help and shortcuts" wide>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {groups
          .filter(({ shortcuts }) => shortcuts.length > 0)
          .map(({ title, shortcuts }) => (
            <section key={title}>
              <h3 className="mb-2 text-sm font-semibold">{title}</h3>
              <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
                {shortcuts.map(({ keys, label }) => (
                  <div key={keys} className="contents">
                    <dt className="text-muted">{label}</dt>
                    <dd>
                      <Keys keys={keys} />
                      <span className="md:hidden">{keys}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <section className="mt-6 grid gap-2 border-t border-line pt-4">
        <h3 className="text-sm font-semibold">Environments</h3>
        <OtherEnvironments environment={session.environment} onGo={onClose} />
      </section>
      <div className="mt-6 grid gap-3 border-t border-line pt-4 text-sm">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={on}
            onChange={(event) => turn(event.target.checked)}
            className="size-4 accent-accent"
          />
          Enable single-key shortcuts
        </label>
        <p className="text-muted">
          Everything here is also available through the API and the command line:{" "}
          <a href="/docs" className="font-medium text-accent underline underline-offset-2">
            documentation
          </a>
          .
        </p>
      </div>
    </Dialog>
  );
}

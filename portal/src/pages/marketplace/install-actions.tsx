import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Install } from "../../api/installs.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { RemoveDialog } from "./install-remove.tsx";
import { ResetDialog } from "./install-reset.tsx";

/** What can be done with an install as a whole. */
export function InstallActions({ install }: { readonly install: Install }) {
  const [open, setOpen] = useState<"reset" | "remove" | null>(null);
  const close = (): void => setOpen(null);
  const held = install.recall !== null;
  return (
    <>
      {install.update === null ? null : (
        <Link to="." search={{ update: "yes" }} className={buttonClass("primary")}>
          Update to {install.update.version}
        </Link>
      )}
      {held ? null : <Button onClick={() => setOpen("reset")}>Reset…</Button>}
      <Button kind="refuse" onClick={() => setOpen("remove")}>
        Uninstall…
      </Button>
      {open === "reset" ? <ResetDialog install={install} onClose={close} /> : null}
      {open === "remove" ? <RemoveDialog install={install} onClose={close} /> : null}
    </>
  );
}

import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { CodeBlock } from "./code.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./states.tsx";

interface SecretProps {
  readonly title: string;
  /** Absent where the answer that carried it was lost. */
  readonly secret: string | undefined;
  readonly onClose: () => void;
  /** What it is for. */
  readonly children: ReactNode;
}

/** A secret that is never shown again, and what it is for. */
export function Secret({ title, secret, onClose, children }: SecretProps) {
  const [seen, setSeen] = useState(false);
  if (secret === undefined) {
    return (
      <Dialog open onClose={onClose} title={title} footer={<Button onClick={onClose}>Close</Button>}>
        <Notice tone="warn">
          The secret was created, but the connection broke before this page received it, and it cannot be shown again.
          Make a new one.
        </Notice>
      </Dialog>
    );
  }
  const close = (): void => {
    if (seen) onClose(); // closing by accident would lose it for ever
  };
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      footer={
        <Button kind="primary" disabled={!seen} onClick={close}>
          Done
        </Button>
      }
    >
      <div className="grid gap-4 text-sm">
        <Notice tone="warn">Copy it now: it cannot be shown again. A new one can be made at any time.</Notice>
        <CodeBlock code={secret} label="secret" wrap />
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={seen}
            onChange={(event) => setSeen(event.target.checked)}
            className="size-4 accent-accent"
          />
          I have saved it securely
        </label>
        {children}
      </div>
    </Dialog>
  );
}

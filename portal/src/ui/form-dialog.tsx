import { type FormEvent, type ReactNode, useId } from "react";
import type { Problem } from "../api/problem.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorState } from "./states.tsx";

interface FormDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly word: string;
  readonly kind?: "primary" | "danger";
  readonly change: { readonly isPending: boolean; readonly error: Problem | null };
  readonly onSubmit: (form: FormData) => void;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Whether it can be done now: what follows from it is known, and nothing speaks against it. */
  readonly ready?: boolean;
  /** Faults are shown at their fields, and only a problem without any as a whole. */
  readonly atFields?: boolean;
  readonly children: ReactNode;
}

/** A dialog that asks for a few values before something is done, and says why it was refused. */
export function FormDialog(props: FormDialogProps) {
  const { title, word, kind = "primary", change, onSubmit, onClose, children } = props;
  const { wide = false, ready = true, atFields = false } = props;
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  const footer = (
    <>
      <Button onClick={onClose}>Leave it</Button>
      <Button kind={kind} type="submit" form={id} busy={change.isPending} disabled={!ready}>
        {word}
      </Button>
    </>
  );
  const shown = change.error !== null && !(atFields && change.error.faults.length > 0);
  return (
    <Dialog open onClose={onClose} title={title} footer={footer} wide={wide}>
      <form id={id} onSubmit={submit} className="grid gap-4 text-sm">
        {children}
        {shown ? <ErrorState error={change.error} /> : null}
      </form>
    </Dialog>
  );
}

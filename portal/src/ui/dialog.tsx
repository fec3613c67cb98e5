import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "./button.tsx";

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the end. */
  readonly footer?: ReactNode;
  readonly wide?: boolean;
  /** At the left edge from top to bottom, as a drawer. */
  readonly drawer?: boolean;
}

/** Shows the dialog while it is open, and gives the focus back after. `shut`: how often the browser closed it by itself. */
function useShown(ref: RefObject<HTMLDialogElement | null>, open: boolean, shut: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what its owner keeps open is shown again after each time that the browser closed it
  useEffect(() => {
    const dialog = ref.current;
    if (!open || dialog === null) return;
    const before = document.activeElement as HTMLElement | null;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      dialog.close();
      // What was there may be gone by now; then the page's own title is as good a place as any.
      (before?.isConnected ? before : document.getElementById("page-title"))?.focus({ preventScroll: true });
    };
  }, [ref, open, shut]);
}

/** Closes on a press that begins and ends beside the dialog; not once something was written in it, which a stray press must not lose. */
function usePressBeside(ref: RefObject<HTMLDialogElement | null>, open: boolean, onClose: () => void) {
  const began = useRef(false);
  const written = useRef(false);
  useEffect(() => {
    if (open) written.current = false;
  }, [open]);
  return {
    onPointerDown: ({ target }: { target: EventTarget }): void => {
      began.current = target === ref.current;
    },
    onInput: ({ target }: { target: EventTarget }): void => {
      if (!(target as HTMLElement).matches("[type=checkbox], [type=radio]")) written.current = true;
    },
    onClick: ({ target }: { target: EventTarget }): void => {
      if (target === ref.current && began.current && !written.current) onClose();
    },
  };
}

/**
 * A dialog of the browser's own: it keeps the focus, closes on Escape and on a press beside it, and gives the focus back. What has `data-autofocus` has the
 * focus first.
 */
export function Dialog({ open, onClose, title, children, footer, wide = false, drawer = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [shut, setShut] = useState(0);
  useShown(ref, open, shut);
  const beside = usePressBeside(ref, open, onClose);
  const onClosed = (): void => {
    if (ref.current?.open !== false) return;
    onClose();
    setShut((times) => times + 1); // Escape pressed twice closes it without asking its owner
  };
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault(); // whether it closes is for its owner to say
        onClose();
      }}
      onClose={onClosed}
      {...beside}
      className={clsx(
        "border-line bg-raised text-ink shadow-float",
        drawer
          ? "mt-0 mb-0 ml-0 h-dvh max-h-none w-80 max-w-[85vw] border-r"
          : "w-[calc(100vw-2rem)] rounded-xl border max-sm:mb-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none",
        !drawer && (wide ? "sm:max-w-3xl" : "sm:max-w-lg"),
      )}
    >
      {open ? (
        <div className={clsx("flex flex-col", drawer ? "max-h-dvh" : "max-h-[calc(100dvh-2em-8px)]")}>
          <div className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
            <h2 id={id} className="font-semibold">
              {title}
            </h2>
            <IconButton label="Close" onClick={onClose}>
              <X className="size-4" aria-hidden="true" />
            </IconButton>
          </div>
          <div className="overflow-auto px-5 py-4">{children}</div>
          {footer ? (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>
          ) : null}
        </div>
      ) : null}
    </dialog>
  );
}

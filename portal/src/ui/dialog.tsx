import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
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

/**
 * A dialog of the browser's own: it keeps the focus, closes on Escape and on a press beside it, and gives the focus back. What has `data-autofocus` has the
 * focus first.
 */
export function Dialog({ open, onClose, title, children, footer, wide = false, drawer = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
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
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault(); // whether it closes is for its owner to say
        onClose();
      }}
      onClose={() => ref.current?.open === false && onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
      className={clsx(
        "border-line bg-raised text-ink shadow-float",
        drawer
          ? "mt-0 mb-0 ml-0 h-dvh max-h-none w-80 max-w-[85vw] border-r"
          : "w-[calc(100vw-2rem)] rounded-xl border max-sm:mb-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none",
        !drawer && (wide ? "sm:max-w-3xl" : "sm:max-w-lg"),
      )}
    >
      {open ? (
        <div className="flex max-h-[inherit] flex-col">
          <div className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
            <h2 id={id} className="font-semibold">
              {title}
            </h2>
            <IconButton label="Close" onClick={onClose}>
              <X className="size-4" aria-hidden="true" />
            </IconButton>
          </div>
          <div className="overflow-auto px-5 py-4">{children}</div>
          {footer ? <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div> : null}
        </div>
      ) : null}
    </dialog>
  );
}

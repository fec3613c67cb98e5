import { clsx } from "clsx";
import type { ButtonHTMLAttributes, ReactNode } from "react";

const kinds = {
  primary: "bg-accent text-on-accent border-transparent hover:bg-accent-strong",
  plain: "bg-surface text-ink border-line-strong/60 hover:border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  refuse: "bg-surface text-bad border-bad/60 hover:border-bad hover:bg-bad-soft",
  danger: "bg-bad-solid text-on-bad border-transparent hover:opacity-90",
};
const sizes = {
  small: "h-8 px-2.5 text-sm pointer-coarse:h-[44px]",
  normal: "h-9 px-3.5 text-sm pointer-coarse:h-[44px]",
  large: "h-[44px] px-5 text-base",
};

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: keyof typeof kinds;
  readonly size?: keyof typeof sizes;
  /** The work that it started goes on: it cannot be pressed again. */
  readonly busy?: boolean;
  readonly icon?: ReactNode;
  /** The key that does the same, shown on it where there is a keyboard. */
  readonly shortcut?: string;
}

export function buttonClass(kind: keyof typeof kinds = "plain", size: keyof typeof sizes = "normal"): string {
  return clsx(
    "inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-55",
    kinds[kind],
    sizes[size],
  );
}

export function Button({
  kind,
  size,
  busy = false,
  icon,
  shortcut,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={clsx(buttonClass(kind, size), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <Spinner /> : icon}
      {children}
      {shortcut ? <Keys keys={shortcut} quiet /> : null}
    </button>
  );
}

/** Only a picture, with a name for those who do not see it. */
export function IconButton({ label, children, className, ...rest }: ButtonProps & { readonly label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={clsx(
        "inline-flex size-9 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-[44px]",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}

/** Keys as caps: `g h` is one after the other. */
export function Keys({ keys, quiet = false }: { readonly keys: string; readonly quiet?: boolean }) {
  return (
    <span className="hidden gap-1 md:inline-flex" aria-hidden={quiet || undefined}>
      {keys.split(" ").map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded border border-current/30 px-1 text-center font-sans text-2xs leading-4.5 font-normal"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

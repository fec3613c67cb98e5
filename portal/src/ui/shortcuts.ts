import { useEffect, useRef, useSyncExternalStore } from "react";

/** Something that a key does: `j`, `Enter`, `?`, or two in turn: `g h`. */
export interface Shortcut {
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
}

interface Group {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

let groups: readonly Group[] = [];
let pending: { readonly key: string; readonly until: number } | null = null;
const watchers = new Set<() => void>();
const stored = "aos.single-keys";

function change(next: readonly Group[]): void {
  groups = next;
  for (const each of watchers) each();
}

/** Whether single keys act: people who speak their input, or whose fingers stray, turn them off. */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(stored) !== "off";
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(stored, on ? "on" : "off");
  } catch {
    // A browser that keeps nothing has them on.
  }
  change([...groups]);
}

/** Keys that act while this is shown; `?` lists them under `title`. The newest shown comes first. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const shape = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join("\n");
  useEffect(() => {
    const rows = shape === "" ? [] : shape.split("\n");
    const group: Group = {
      title,
      shortcuts: rows.map((row, index) => ({
        keys: row.split("\t")[0] as string,
        label: row.split("\t")[1] as string,
        run: () => latest.current[index]?.run(),
      })),
    };
    change([group, ...groups]);
    return () => change(groups.filter((each) => each !== group));
  }, [title, shape]);
}

/** All that act now, for the help. */
export function useShortcutGroups(): readonly Group[] {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => groups,
  );
}

/** Where letters are text, or a control does something with the key itself. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (!target?.matches) return false;
  if (
    target.matches(
      "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [contenteditable] *, [role=combobox]",
    )
  )
    return true;
  return event.key === "Enter" && target.closest("a[href], button, summary, [role=tab]") !== null;
}

/** Finds what a key does, and does it. Where a dialog is open, keys are its own. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTaken(event) || document.querySelector("dialog[open]") || !singleKeysOn()) return;
  const all = groups.flatMap(({ shortcuts }) => shortcuts);
  const sequence = pending && event.timeStamp < pending.until ? `${pending.key} ${event.key}` : event.key;
  pending = null;
  const found = all.find(({ keys }) => keys === sequence) ?? all.find(({ keys }) => keys === event.key);
  if (found) {
    event.preventDefault();
    found.run();
  } else if (all.some(({ keys }) => keys.startsWith(`${event.key} `))) {
    pending = { key: event.key, until: event.timeStamp + 1200 };
  }
}

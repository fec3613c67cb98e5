import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
const watchers = new Set<() => void>();

/** The chosen theme; `public/theme.js` has set it before the first paint. */
const chosen = (): Theme => (document.documentElement.dataset.theme as Theme | undefined) ?? "system";

export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("aos.theme");
    else localStorage.setItem("aos.theme", theme);
  } catch {
    // Kept until the page is left.
  }
  for (const each of watchers) each();
}

export function useTheme(): Theme {
  return useSyncExternalStore((changed) => {
    watchers.add(changed);
    return () => watchers.delete(changed);
  }, chosen);
}

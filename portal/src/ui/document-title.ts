import { useEffect } from "react";

/** What the window's title says while the page is shown. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = "Agent Operations";
    };
  }, [title]);
}

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { type Session, sessionQuery } from "../../api/session.ts";

/** Goes on to where one wanted to be once someone is signed in. */
export function useEntry(next?: string) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useCallback(
    async (session: Session | null) => {
      if (session === null) throw new Error("the service opened no session");
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await router.navigate({ href: next ?? "/", replace: true });
    },
    [queryClient, router, next],
  );
}

/** The token of a link stands behind the `#`, which no server and no log sees; it is taken out of the address at once. */
export function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

/** Called with each token that comes by the address: with the page, and where a link is pasted into the tab while it is open, which loads nothing again. */
export function useToken(onToken: (token: string) => void): void {
  useEffect(() => {
    const take = (): void => {
      const token = takeToken();
      if (token !== null) onToken(token);
    };
    take();
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, [onToken]);
}

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem.ts";

/** A session that ended is reported once, whichever call found out. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const watch = (error: unknown): void => {
    if (error instanceof Problem && error.status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        // What cannot work is not tried again; what may, soon. A lost connection goes on being tried by what asks in turns.
        retry: (count, error) => error instanceof Problem && error.retryable && error.status !== 0 && count < 2,
        retryDelay: (count) => 400 * 2 ** count,
        refetchOnWindowFocus: true,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

import type { QueryClient } from "@tanstack/react-query";

/** What loaders are given. */
export interface LoaderContext {
  readonly queryClient: QueryClient;
}

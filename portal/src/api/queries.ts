import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { type Answer, type GetInput, type GetPath, get } from "./client.ts";
import { paced } from "./live.ts";
import { asProblem, type Problem } from "./problem.ts";

/** How to read something: what `useQuery`, `prefetch` and `usePrefetched` take. */
export interface Read<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<T>;
  readonly staleTime?: number;
  /** No event tells of every change of it, such as of a draft's: so it is asked again as often while the stream is open. */
  readonly untold?: boolean;
}

/** The options of a read by its path: `read("/v1/tasks/{task}", { path: { task } })`. Its key is the path, then the input: so a whole path can be made stale. */
export function read<P extends GetPath>(path: P, input: GetInput<P>): Read<Answer<P>> {
  return { queryKey: [path, input], queryFn: ({ signal }) => get(path, input, signal) };
}

/** The same for what no event tells of. */
export const untold = <T>(read: Read<T>): Read<T> => ({ ...read, untold: true });

/** In a route's loader: what a page needs before it is shown, asked at once. A fault of one of them is the page's. */
export async function prefetch(queryClient: QueryClient, ...reads: readonly Read<unknown>[]): Promise<void> {
  await Promise.all(
    reads.map((options) => queryClient.ensureQueryData({ ...queryOptions(options), revalidateIfStale: true })),
  );
}

/** How often something is asked again while the page is seen, in ms, where no stream of events says when; `false`: not by itself. */
export interface Live<T> {
  readonly every?: number | false | ((data: T | undefined) => number | false);
  /** No event tells of it, such as of the attempts of deliveries: so it is asked again as often while the stream is open. */
  readonly untold?: boolean;
  /** It is asked only while this holds; always by default. */
  readonly when?: boolean;
}

/**
 * What a route's loader has fetched, kept fresh. Throws where the loader forgot it: then a page would show nothing and jump, and nobody would see why.
 */
export function usePrefetched<T>(
  options: Read<T>,
  live: Live<T> = {},
): { data: T; isStale: boolean; problem: Problem | null } {
  const result = useLive(options, live);
  if (result.data === undefined)
    throw new Error(`nothing was fetched for ${JSON.stringify(options.queryKey)}: name it in the route's loader`);
  return { data: result.data, isStale: result.isStale, problem: result.error ? asProblem(result.error) : null };
}

/** Reads something after the page is shown: with a skeleton until it is there. */
export function useLive<T>(
  options: Read<T>,
  { every = false, untold = options.untold ?? false, when = true }: Live<T> = {},
): UseQueryResult<T> {
  return useQuery({
    ...queryOptions(options),
    enabled: when,
    refetchInterval: (query) => {
      const pause = typeof every === "function" ? every(query.state.data as T | undefined) : every;
      return untold ? pause : paced(pause);
    },
  });
}

/** A change: runs, makes what it touches stale, and says its fault. `stale`: paths of reads to be asked again. */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, stale: readonly GetPath[] = []) {
  const queryClient = useQueryClient();
  return useMutation<Output, Problem, Input>({
    mutationFn: async (input) => {
      try {
        return await change(input);
      } catch (error) {
        throw asProblem(error);
      }
    },
    onSettled: () => Promise.all(stale.map((path) => queryClient.invalidateQueries({ queryKey: [path] }))),
  });
}

/** What is kept of reads: to put in what a change answered, and to have others asked again. */
export function useKept() {
  const queryClient = useQueryClient();
  return {
    put: <T>(options: Read<T>, value: T): void => void queryClient.setQueryData(options.queryKey, value),
    /** Asks one read again: now where it is shown, else when it is shown next. */
    again: (options: Read<unknown>): Promise<unknown> =>
      queryClient.invalidateQueries({ queryKey: options.queryKey, exact: true }),
    renew: (...paths: readonly GetPath[]): Promise<unknown> =>
      Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] }))),
  };
}

/** Makes reads stale, so that what is shown of them is asked again. */
export function useInvalidate(paths: readonly GetPath[]): () => void {
  const queryClient = useQueryClient();
  return useCallback(() => {
    for (const path of paths) void queryClient.invalidateQueries({ queryKey: [path] });
  }, [queryClient, paths]);
}

import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { ownRights } from "./api/rights.ts";
import { sessionQuery } from "./api/session.ts";
import { Shell } from "./layouts/shell.tsx";

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

/** All that needs a session. Without one: to the page that signs in, which comes back here. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session === null)
      throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
    return { session };
  },
  // Beside what the pages ask for. Where it fails, all is offered.
  loader: ({ context }) => context.queryClient.prefetchQuery(ownRights()),
});

/** What each room's route begins with. */
export const within = { getParentRoute: () => shell } as const;

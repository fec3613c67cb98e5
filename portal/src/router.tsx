import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { FaultPage, MissingPage, PendingPage } from "./layouts/fallbacks.tsx";
import { routeTree } from "./routes.tsx";

/** The router over all rooms. Data lives in the query client; a route only asks for it early. */
export function createPortalRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    // Nothing of a page is kept by the router once it is left: to come back is to ask its loader, which knows what the query client still has.
    defaultGcTime: 0,
    defaultPreloadGcTime: 0,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    defaultErrorComponent: FaultPage,
    defaultNotFoundComponent: MissingPage,
    defaultPendingComponent: PendingPage,
    scrollRestoration: true,
    // Addresses are read by people and written by events: `?status=failed,blocked`, no JSON.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "");
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
      return text === "" ? "" : `?${text}`;
    },
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}

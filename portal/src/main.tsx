import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "./api/problem.ts";
import { createQueryClient } from "./api/query-client.ts";
import { sessionQuery } from "./api/session.ts";
import { createPortalRouter } from "./router.tsx";
import "./styles.css";

const queryClient = createQueryClient(() => void signedOut());
const router = createPortalRouter(queryClient);

/** The session has ended: to the page that signs in, which leads back to where one was. */
async function signedOut(): Promise<void> {
  const { pathname, href } = router.state.location;
  if (pathname === "/sign-in") return;
  queryClient.setQueryData(sessionQuery.queryKey, null);
  await router.navigate({ to: "/sign-in", search: { next: href, ended: "1" } });
}

const root = createRoot(document.getElementById("portal") as HTMLElement, {
  // What the service refuses is shown on the page, and no mistake of the portal.
  onCaughtError: (error) => {
    if (!(error instanceof Problem)) console.error(error);
  },
});
root.render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

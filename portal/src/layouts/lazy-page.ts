import { lazyRouteComponent } from "@tanstack/react-router";
import { askWhetherBack, noteConnection } from "../api/connection.ts";
import { unreachable } from "../api/problem.ts";

/**
 * A page whose file comes with the first visit. Where it does not come and the service does not answer, that is a lost connection, from which the page recovers: to
 * load the whole document again, as the router does for a file that is gone after an upgrade, would leave the browser's own error page.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(() => lazyPart(importer), exportName);

/** Any other file that comes when it is needed. */
export async function lazyPart<T>(importer: () => Promise<T>): Promise<T> {
  try {
    return await importer();
  } catch (error) {
    if (await askWhetherBack()) throw error;
    noteConnection(false);
    throw unreachable(error);
  }
}

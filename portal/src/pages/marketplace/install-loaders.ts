import type { LoaderContext } from "../context.ts";
import type { InstallSearch, InstallsSearch, RecallsSearch, ReviewSearch } from "./install-search.ts";

export const loadInstalls = async (_context: LoaderContext, _search: InstallsSearch): Promise<void> => {};
export const loadInstall = async (
  _context: LoaderContext,
  _install: string,
  _search: InstallSearch,
): Promise<void> => {};
export const loadRecalls = async (_context: LoaderContext, _search: RecallsSearch): Promise<void> => {};
export const loadReview = async (_context: LoaderContext, _search: ReviewSearch): Promise<void> => {};

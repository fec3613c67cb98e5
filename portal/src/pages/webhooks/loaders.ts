import { textOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

export const listSearch = (search: Record<string, unknown>): { cursor?: string } => ({ cursor: textOf(search, "cursor") });
export const oneSearch = (search: Record<string, unknown>): { tab?: string } => ({ tab: textOf(search, "tab") });

export const loadList = async (_context: LoaderContext, _filter: ReturnType<typeof listSearch>): Promise<void> => {};
export const loadOne = async (_context: LoaderContext, _webhook: string): Promise<void> => {};

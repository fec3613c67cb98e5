import type { LoaderContext } from "../context.ts";
import type { CatalogueSearch, ListingSearch, PublishSearch } from "./search.ts";

export const loadCatalogue = async (_context: LoaderContext, _search: CatalogueSearch): Promise<void> => {};
export const loadListing = async (
  _context: LoaderContext,
  _listing: string,
  _search: ListingSearch,
): Promise<void> => {};
export const loadPublish = async (_context: LoaderContext, _search: PublishSearch): Promise<void> => {};

import { listBases, listChunks, listDocuments, readBase, readCitation, readDocument } from "../../api/knowledge.ts";
import { prefetch } from "../../api/queries.ts";
import type { LoaderContext } from "../context.ts";
import type { BaseSearch, BasesSearch } from "./search.ts";

/** What the pages show for an address. */
export const basesOf = ({ cursor }: BasesSearch) => listBases({ limit: 25, ...(cursor ? { cursor } : {}) });
/** Bases to choose from. */
export const allBases = () => listBases({ limit: 100 });
export const documentsOf = (base: string, { state, cursor, external_id }: BaseSearch) =>
  listDocuments(base, {
    limit: 25,
    ...(state ? { state: [state] } : {}),
    ...(cursor ? { cursor } : {}),
    ...(external_id ? { external_id } : {}),
  });

export const loadBases = ({ queryClient }: LoaderContext, search: BasesSearch) =>
  prefetch(queryClient, basesOf(search));
export const loadSearch = ({ queryClient }: LoaderContext) => prefetch(queryClient, allBases());
export const loadBase = ({ queryClient }: LoaderContext, base: string, search: BaseSearch) =>
  (search.tab ?? "documents") === "documents"
    ? prefetch(queryClient, readBase(base), documentsOf(base, search))
    : prefetch(queryClient, readBase(base));
export const loadDocument = (
  { queryClient }: LoaderContext,
  { base, document }: { readonly base: string; readonly document: string },
) => prefetch(queryClient, readBase(base), readDocument(base, document), listChunks(base, document));
export const loadCitation = ({ queryClient }: LoaderContext, citation: string) =>
  prefetch(queryClient, readCitation(citation));

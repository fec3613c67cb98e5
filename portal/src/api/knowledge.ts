import { wholeOf } from "../lib/pages.ts";
import { type Answer, type ChangeInput, type GetPath, type GetQuery, get, send } from "./client.ts";
import type * as K from "./knowledge-types.ts";
import { Problem } from "./problem.ts";
import { type Read, read, untold } from "./queries.ts";
import { upload } from "./upload.ts";

export type * from "./knowledge-types.ts";

/** Reads that changes make stale. */
const paths = (...list: readonly GetPath[]): readonly GetPath[] => list;
export const touched = {
  bases: paths("/v1/knowledge/bases", "/v1/knowledge/bases/{base}"),
  documents: paths(
    "/v1/knowledge/bases/{base}/documents",
    "/v1/knowledge/bases/{base}/documents/{document}",
    "/v1/knowledge/bases/{base}/stale",
    "/v1/knowledge/bases/{base}",
  ),
  chunks: paths(
    "/v1/knowledge/bases/{base}/documents/{document}/chunks",
    "/v1/knowledge/bases/{base}/documents/{document}",
  ),
  versions: paths(
    "/v1/knowledge/bases/{base}/documents/{document}",
    "/v1/knowledge/bases/{base}/documents/{document}/versions",
    "/v1/knowledge/bases/{base}/documents/{document}/chunks",
  ),
  connectors: paths("/v1/knowledge/bases/{base}/connectors", "/v1/knowledge/bases/{base}/syncs"),
};

export const listBases = (filter: GetQuery<"/v1/knowledge/bases">) =>
  untold(read("/v1/knowledge/bases", { query: filter }));
export const readBase = (base: string) => untold(read("/v1/knowledge/bases/{base}", { path: { base } }));
export const createBase = (body: K.NewBase) => send("post", "/v1/knowledge/bases", { body });
export const changeBase = ({ base, ...body }: { base: string } & K.BaseChange) =>
  send("patch", "/v1/knowledge/bases/{base}", { path: { base }, body });
/** Deletes a base; by force even while deployed agents use it. */
export const removeBase = ({ base, force }: { base: string; force: boolean }) =>
  send("delete", "/v1/knowledge/bases/{base}", {
    path: { base },
    query: force ? { force } : {},
  });

export const listDocuments = (base: string, filter: GetQuery<"/v1/knowledge/bases/{base}/documents">) =>
  untold(read("/v1/knowledge/bases/{base}/documents", { path: { base }, query: filter }));
export const readDocument = (base: string, document: string) =>
  untold(read("/v1/knowledge/bases/{base}/documents/{document}", { path: { base, document } }));
export const addDocument = ({
  base,
  ...body
}: { base: string } & NonNullable<ChangeInput<"post", "/v1/knowledge/bases/{base}/documents">["body"]>) =>
  send("post", "/v1/knowledge/bases/{base}/documents", { path: { base }, body });
export const removeDocument = (path: { base: string; document: string }) =>
  send("delete", "/v1/knowledge/bases/{base}/documents/{document}", { path });
export const reindexDocument = (path: { base: string; document: string }) =>
  send("post", "/v1/knowledge/bases/{base}/documents/{document}/reindex", { path });
/** Says that this version of a document still holds. */
export const reviewDocument = ({ version, ...path }: { base: string; document: string; version: number }) =>
  send("post", "/v1/knowledge/bases/{base}/documents/{document}/review", {
    path,
    headers: { "If-Match": `"${version}-json"` },
    body: {},
  });
export const setDocumentAccess = ({ readers, ...path }: { base: string; document: string; readers: string[] | null }) =>
  send("put", "/v1/knowledge/bases/{base}/documents/{document}/access", { path, body: { readers } });
/** All chunks of a document, as far as a page can show them. */
export const listChunks = (
  base: string,
  document: string,
): Read<Answer<"/v1/knowledge/bases/{base}/documents/{document}/chunks">> => ({
  queryKey: ["/v1/knowledge/bases/{base}/documents/{document}/chunks", { path: { base, document } }],
  queryFn: ({ signal }) =>
    wholeOf((from) =>
      get(
        "/v1/knowledge/bases/{base}/documents/{document}/chunks",
        { path: { base, document }, query: { limit: 100, ...from } },
        signal,
      ),
    ),
  untold: true,
});
export const changeChunk = ({
  base,
  document,
  chunk,
  ...body
}: {
  base: string;
  document: string;
  chunk: number;
  text?: string;
  disabled?: boolean;
}) =>
  send("patch", "/v1/knowledge/bases/{base}/documents/{document}/chunks/{chunk}", {
    path: { base, document, chunk: String(chunk) },
    body,
  });
export const listDocumentVersions = (base: string, document: string) =>
  untold(
    read("/v1/knowledge/bases/{base}/documents/{document}/versions", {
      path: { base, document },
      query: { limit: 50 },
    }),
  );
export const restoreDocument = ({ version, ...path }: { base: string; document: string; version: number }) =>
  send("post", "/v1/knowledge/bases/{base}/documents/{document}/restore", { path, body: { version } });

/** What a citation leads to; of a deleted document, the refusal that says when it was deleted. */
export type CitedOrGone =
  | { readonly cited: K.Citation; readonly gone: null }
  | { readonly cited: null; readonly gone: Problem };
export const readCitation = (citation: string): Read<CitedOrGone> => ({
  queryKey: ["/v1/knowledge/citations/{citation}", { path: { citation } }],
  queryFn: async ({ signal }) => {
    try {
      const cited = await get("/v1/knowledge/citations/{citation}", { path: { citation } }, signal);
      return { cited, gone: null };
    } catch (error) {
      if (error instanceof Problem && error.status === 410) return { cited: null, gone: error };
      throw error;
    }
  },
});
interface Question {
  readonly query: string;
  readonly bases: readonly string[];
  readonly as?: string | undefined;
}
/** Whose sight narrows a search: `agent:sales` or `sales`, `member:mbr_…` or `mbr_…`. */
function sightOf(text: string): { agent: string } | { member: string } {
  const [, kind, name = ""] = /^(?:(agent|member):)?(.*)$/.exec(text) ?? [];
  return kind === "member" || (kind === undefined && name.startsWith("mbr_")) ? { member: name } : { agent: name };
}
/** A search. It is a POST, and changes nothing but the list of gaps. */
export const searchKnowledge = ({ query, bases, as }: Question): Read<K.SearchAnswer> => ({
  queryKey: ["/v1/knowledge/search", { query, bases, as }],
  queryFn: () =>
    send("post", "/v1/knowledge/search", {
      body: { query, ...(bases.length > 0 ? { bases: [...bases] } : {}), ...(as ? { as: sightOf(as) } : {}) },
    }),
  staleTime: 60_000,
});
export const listGaps = (base: string, resolved: boolean) =>
  untold(read("/v1/knowledge/bases/{base}/gaps", { path: { base }, query: { limit: 50, resolved } }));
export const listStale = (base: string) =>
  untold(read("/v1/knowledge/bases/{base}/stale", { path: { base }, query: { limit: 50 } }));
export const testRetrieval = ({ base, questions }: { base: string; questions: K.TestQuestion[] }) =>
  send("post", "/v1/knowledge/bases/{base}/test", { path: { base }, body: { questions } });

export const listConnectors = (base: string) =>
  untold(read("/v1/knowledge/bases/{base}/connectors", { path: { base }, query: { limit: 50 } }));
export const createConnector = ({ base, ...body }: { base: string } & K.NewConnector) =>
  send("post", "/v1/knowledge/bases/{base}/connectors", { path: { base }, body });
export const changeConnector = ({
  base,
  connector,
  ...body
}: {
  base: string;
  connector: string;
  state: "active" | "paused";
}) => send("patch", "/v1/knowledge/bases/{base}/connectors/{connector}", { path: { base, connector }, body });
export const removeConnector = ({ documents, ...path }: { base: string; connector: string; documents: boolean }) =>
  send("delete", "/v1/knowledge/bases/{base}/connectors/{connector}", {
    path,
    query: documents ? {} : { keep_documents: true },
  });
export const startSync = ({ base, ...body }: { base: string; connector: string; confirm_removals?: boolean }) =>
  send("post", "/v1/knowledge/bases/{base}/sync", { path: { base }, body });
export const listSyncs = (base: string) =>
  untold(read("/v1/knowledge/bases/{base}/syncs", { path: { base }, query: { limit: 25 } }));
export const readSync = (base: string, sync: string) =>
  untold(read("/v1/knowledge/bases/{base}/syncs/{sync}", { path: { base, sync } }));

interface FileToAdd {
  readonly base: string;
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onSent: (share: number) => void;
}
export function addFile({ base, file, signal, onSent }: FileToAdd): Promise<K.Document & { outcome: string }> {
  const form = new FormData();
  form.append("file", file);
  return upload({ path: `/v1/knowledge/bases/${encodeURIComponent(base)}/documents`, form, signal, onSent });
}

import { wholeOf } from "../lib/pages.ts";
import { type GetPath, get as typedGet, send as typedSend } from "./client.ts";
import type * as K from "./knowledge-types.ts";
import { Problem } from "./problem.ts";
import { type Read, read as typedRead, untold } from "./queries.ts";
import { upload } from "./upload.ts";

export type * from "./knowledge-types.ts";

const read = <T>(path: string, input: object): Read<T> =>
  typedRead(path as GetPath, input as never) as unknown as Read<T>;
const get = <T>(path: string, input: object, signal: AbortSignal): Promise<T> =>
  typedGet(path as GetPath, input as never, signal) as unknown as Promise<T>;
const send = <T>(verb: "post" | "patch" | "put" | "delete", path: string, input: object): Promise<T> =>
  typedSend(verb as "post", path as never, input as never) as unknown as Promise<T>;

/** Reads that changes make stale. */
const paths = (...list: readonly string[]): readonly GetPath[] => list as readonly GetPath[];
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
    "/v1/knowledge/search",
  ),
  versions: paths(
    "/v1/knowledge/bases/{base}/documents/{document}",
    "/v1/knowledge/bases/{base}/documents/{document}/versions",
    "/v1/knowledge/bases/{base}/documents/{document}/chunks",
  ),
  connectors: paths("/v1/knowledge/bases/{base}/connectors", "/v1/knowledge/bases/{base}/syncs"),
};

type Filter = Readonly<Record<string, unknown>>;

export const listBases = (filter: Filter) => untold(read<K.Page<K.Base>>("/v1/knowledge/bases", { query: filter }));
export const readBase = (base: string) => untold(read<K.BaseDetails>("/v1/knowledge/bases/{base}", { path: { base } }));
export const createBase = (body: object) => send<K.Base>("post", "/v1/knowledge/bases", { body });
export const changeBase = ({ base, ...body }: { base: string } & K.BaseChange) =>
  send<K.Base & { reindex: "none" | "queued" }>("patch", "/v1/knowledge/bases/{base}", { path: { base }, body });
/** Deletes a base; by force even while deployed agents use it. */
export const removeBase = ({ base, force }: { base: string; force: boolean }) =>
  send<{ documents: number }>("delete", "/v1/knowledge/bases/{base}", {
    path: { base },
    query: force ? { force } : {},
  });

export const listDocuments = (base: string, filter: Filter) =>
  untold(read<K.Page<K.Document>>("/v1/knowledge/bases/{base}/documents", { path: { base }, query: filter }));
export const readDocument = (base: string, document: string) =>
  untold(read<K.DocumentDetails>("/v1/knowledge/bases/{base}/documents/{document}", { path: { base, document } }));
export const addDocument = ({ base, ...body }: { base: string } & Filter) =>
  send<K.Document & { outcome: string }>("post", "/v1/knowledge/bases/{base}/documents", { path: { base }, body });
export const removeDocument = (path: { base: string; document: string }) =>
  send<K.Deleted>("delete", "/v1/knowledge/bases/{base}/documents/{document}", { path });
export const reindexDocument = (path: { base: string; document: string }) =>
  send<K.Document>("post", "/v1/knowledge/bases/{base}/documents/{document}/reindex", { path });
/** Says that a document still holds. */
export const reviewDocument = (path: { base: string; document: string }) =>
  send<K.Document>("post", "/v1/knowledge/bases/{base}/documents/{document}/review", { path, body: {} });
export const setDocumentAccess = ({
  readers,
  ...path
}: {
  base: string;
  document: string;
  readers: readonly string[] | null;
}) => send<object>("put", "/v1/knowledge/bases/{base}/documents/{document}/access", { path, body: { readers } });
/** All chunks of a document, as far as a page can show them. */
export const listChunks = (base: string, document: string): Read<K.Page<K.Chunk>> => ({
  queryKey: ["/v1/knowledge/bases/{base}/documents/{document}/chunks", { path: { base, document } }],
  queryFn: ({ signal }) =>
    wholeOf((from) =>
      get<K.Page<K.Chunk>>(
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
  send<K.Chunk>("patch", "/v1/knowledge/bases/{base}/documents/{document}/chunks/{chunk}", {
    path: { base, document, chunk: String(chunk) },
    body,
  });
export const listDocumentVersions = (base: string, document: string) =>
  untold(
    read<K.Page<K.DocumentVersion>>("/v1/knowledge/bases/{base}/documents/{document}/versions", {
      path: { base, document },
      query: { limit: 50 },
    }),
  );
export const restoreDocument = ({ version, ...path }: { base: string; document: string; version: number }) =>
  send<K.Document>("post", "/v1/knowledge/bases/{base}/documents/{document}/restore", { path, body: { version } });

/** What a citation leads to; of a deleted document, the refusal that says when it was deleted. */
export type CitedOrGone =
  | { readonly cited: K.Citation; readonly gone: null }
  | { readonly cited: null; readonly gone: Problem };
export const readCitation = (citation: string): Read<CitedOrGone> => ({
  queryKey: ["/v1/knowledge/citations/{citation}", { path: { citation } }],
  queryFn: async ({ signal }) => {
    try {
      const cited = await get<K.Citation>("/v1/knowledge/citations/{citation}", { path: { citation } }, signal);
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
      body: { query, ...(bases.length > 0 ? { bases } : {}), ...(as ? { as: sightOf(as) } : {}) },
    }),
  staleTime: 60_000,
});
export const listGaps = (base: string) =>
  untold(read<K.Page<K.Gap>>("/v1/knowledge/bases/{base}/gaps", { path: { base }, query: { limit: 50 } }));
export const listStale = (base: string) =>
  untold(read<K.Page<K.Document>>("/v1/knowledge/bases/{base}/stale", { path: { base }, query: { limit: 50 } }));
export const testRetrieval = ({ base, questions }: { base: string; questions: readonly object[] }) =>
  send<K.TestResult>("post", "/v1/knowledge/bases/{base}/test", { path: { base }, body: { questions } });

export const listConnectors = (base: string) =>
  untold(read<K.Page<K.Connector>>("/v1/knowledge/bases/{base}/connectors", { path: { base }, query: { limit: 50 } }));
export const createConnector = ({ base, ...body }: { base: string } & K.NewConnector) =>
  send<K.Connector>("post", "/v1/knowledge/bases/{base}/connectors", { path: { base }, body });
export const changeConnector = ({
  base,
  connector,
  ...body
}: {
  base: string;
  connector: string;
  state: "active" | "paused";
}) =>
  send<K.Connector>("patch", "/v1/knowledge/bases/{base}/connectors/{connector}", { path: { base, connector }, body });
export const removeConnector = ({ documents, ...path }: { base: string; connector: string; documents: boolean }) =>
  send<object>("delete", "/v1/knowledge/bases/{base}/connectors/{connector}", {
    path,
    query: documents ? { documents: "delete" } : {},
  });
export const startSync = ({ base, ...body }: { base: string; connector: string; confirm_removals?: boolean }) =>
  send<{ syncs: readonly K.Sync[] }>("post", "/v1/knowledge/bases/{base}/sync", { path: { base }, body });
export const listSyncs = (base: string) =>
  untold(read<K.Page<K.Sync>>("/v1/knowledge/bases/{base}/syncs", { path: { base }, query: { limit: 25 } }));
export const readSync = (base: string, sync: string) =>
  untold(read<K.SyncReport>("/v1/knowledge/bases/{base}/syncs/{sync}", { path: { base, sync } }));

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

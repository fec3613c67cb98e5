import type { GitHttpRequest, GitHttpResponse, HttpClient } from "isomorphic-git";
import { SourceFault } from "../../ports.ts";
import type { GitSource } from "../source-schemas.ts";
import { answerFault, redirectOf, request } from "./http.ts";
import type { SourceReading } from "./source.ts";

const REFS = "/info/refs?service=git-upload-pack";
const megabyte = 1_048_576;
/** Milliseconds within which a server packs and sends a repository. */
const PACK_MS = 600_000;

/** Git's smart protocol through the guard. The branches are asked for once, so that all that is read is of one moment. */
export function createGitHttp(source: GitSource, reading: SourceReading): HttpClient {
  let base = source.url.replace(/\/+$/, "");
  let refs: Promise<GitHttpResponse> | undefined;

  const readRefs = async (): Promise<GitHttpResponse> => {
    for (let hop = 0; ; hop++) {
      const url = base + REFS;
      const answer = await request(reading, { url, headers: { accept: "*/*" } });
      const next = redirectOf(answer, url);
      if (next === null && answer.status !== 200) throw answerFault(answer, url);
      if (next === null) return answered(url, answer);
      if (hop === 5 || new URL(next).origin !== new URL(url).origin || !next.endsWith(REFS))
        throw new SourceFault(
          "redirected",
          `${base} redirects to ${new URL(next).origin}. Give the address that it leads to.`,
        );
      base = next.slice(0, -REFS.length);
    }
  };

  return {
    async request({ url, method = "GET", headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
      if (method === "GET") {
        refs ??= readRefs();
        const { body: parts, ...answer } = await refs;
        return { ...answer, ...(parts && { body: parts }) };
      }
      const to = base + url.slice(url.lastIndexOf("/"));
      const asked = { url: to, method: "POST", headers, body: await whole(body), timeoutMs: PACK_MS } as const;
      const most = source.most_megabytes ?? 128;
      try {
        const answer = await request(reading, { ...asked, maxBytes: most * megabyte });
        if (answer.status !== 200) throw answerFault(answer, to);
        return answered(to, answer);
      } catch (error) {
        if (!(error instanceof SourceFault) || error.code !== "response_too_large") throw error;
        const detail = `The files of the commit take more than ${most} MiB. Raise \`most_megabytes\`, or take a branch with less.`;
        throw new SourceFault("repository_too_large", detail, { cause: error });
      }
    },
  };
}

/** The body can be read several times. */
function answered(url: string, { status, headers, body }: Awaited<ReturnType<typeof request>>): GitHttpResponse {
  const parts = {
    [Symbol.asyncIterator]: async function* () {
      yield body;
    },
  };
  return {
    url,
    headers: { ...headers },
    statusCode: status,
    statusMessage: "",
    body: parts as unknown as AsyncIterableIterator<Uint8Array>,
  };
}

async function whole(body: AsyncIterable<Uint8Array> | undefined): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) parts.push(part);
  return Buffer.concat(parts);
}

import {
  type CosignerKey,
  FormatError,
  formatCosignerKey,
  openCosignature,
  parseCosignerKey,
  toBase64,
} from "@aos/proof";

/** A witness that the operator named. */
export interface Witness {
  readonly key: CosignerKey;
  /** Its submission prefix (C2SP tlog-witness), without a slash at the end. */
  readonly url: string;
}

/** Reads `<verifier key>@<URL>` in its two parts; undefined where the key is no witness's. */
export function parseWitness(text: string): Witness | undefined {
  const cut = text.search(/@https?:/);
  if (cut < 0) return undefined;
  try {
    return { key: parseCosignerKey(text.slice(0, cut)), url: text.slice(cut + 1) };
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** The text that {@link parseWitness} reads. */
export const formatWitness = ({ key, url }: Witness): string => `${formatCosignerKey(key)}@${url}`;

/** Sends a POST and reads the whole answer, bounded in time and size; throws where there is none. */
export type WitnessSend = (request: {
  readonly url: string;
  readonly body: string;
  readonly signal: AbortSignal;
}) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}>;

/** What a witness answered to `add-checkpoint`. */
export type WitnessAnswer =
  | { readonly state: "cosigned"; readonly line: string }
  /** The newest head that it cosigned has so many leaves. */
  | { readonly state: "elsewhere"; readonly size: number }
  /** The proof does not hold, or it cosigned another root at this size. */
  | { readonly state: "inconsistent"; readonly detail: string }
  | { readonly state: "failed"; readonly detail: string };

/** What a witness says of a refusal, at most. */
const detailLength = 200;
/** Hashes that a request may carry. */
const maxProof = 63;

/** One `add-checkpoint` request (C2SP tlog-witness). Throws only what `send` throws. */
export async function addCheckpoint(
  { key, url }: Witness,
  {
    checkpoint,
    from,
    proof,
  }: { readonly checkpoint: string; readonly from: number; readonly proof: readonly Uint8Array[] },
  send: WitnessSend,
  signal: AbortSignal,
): Promise<WitnessAnswer> {
  if (proof.length > maxProof) throw new RangeError(`a consistency proof has at most ${maxProof} hashes`);
  const body = `${[`old ${from}`, ...proof.map(toBase64)].join("\n")}\n\n${checkpoint}`;
  const answer = await send({ url: `${url}/add-checkpoint`, body, signal });
  const text = Buffer.from(answer.body).toString("utf8");
  const said = text.trim().slice(0, detailLength);
  switch (answer.status) {
    case 200:
      return cosigned(checkpoint, text, key);
    case 409:
      return sizeIn(answer.headers["content-type"] ?? "", text);
    case 422:
      return { state: "inconsistent", detail: said };
    case 403:
      return failed(
        "does not know the key of this log (403): give it the log's verifier key, the line of `audit.vkey`",
        said,
      );
    case 404:
      return failed(
        "does not know this log (404): have it registered there by its origin and verifier key, the line of `audit.vkey`",
        said,
      );
    default:
      return failed(`answered ${answer.status}`, said);
  }
}

const failed = (what: string, said = ""): WitnessAnswer => ({
  state: "failed",
  detail: said === "" ? what : `${what}; it said: ${said}`,
});

async function cosigned(checkpoint: string, lines: string, key: CosignerKey): Promise<WitnessAnswer> {
  try {
    return { state: "cosigned", line: (await openCosignature(checkpoint + lines, key)).line };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return failed(`answered 200 without a cosignature that verifies: ${error.message}`);
  }
}

function sizeIn(contentType: string, text: string): WitnessAnswer {
  const size = /^(0|[1-9][0-9]*)\n$/.exec(text)?.[1];
  if (
    contentType.split(";")[0]?.trim() !== "text/x.tlog.size" ||
    size === undefined ||
    !Number.isSafeInteger(Number(size))
  ) {
    return failed("answered 409 without the size of its newest head");
  }
  return { state: "elsewhere", size: Number(size) };
}

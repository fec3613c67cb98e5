import type { Found } from "./conversation.ts";

/** A passage that a search found. */
export interface Passage {
  readonly title: string;
  readonly text: string;
  /** What names its document. */
  readonly page: string;
  readonly url: string | null;
}

/** What searches found, by the judgement that came with it: `answered` has passages of the page that answers, `unsure` up to three pages. */
export interface SearchedPages {
  readonly outcome: "answered" | "unsure" | "nothing";
  readonly pages: readonly (readonly Passage[])[];
  readonly corrected: readonly { readonly from: string; readonly to: string }[];
}

const order = ["nothing", "unsure", "answered"] as const;
const mostPages = 3;

/** Null: nothing was searched, or by a tool that judges nothing. The best of several searches counts. */
export function searchedPages(found: readonly Found[]): SearchedPages | null {
  const searches = found.flatMap(({ data }) => judgedSearch(data) ?? []);
  const [best] = searches.sort((a, b) => order.indexOf(b.outcome) - order.indexOf(a.outcome));
  return best ?? null;
}

/** Of searches that were judged, only the page that answers is left to be quoted; nothing where none does. */
export function answeringOnly(found: readonly Found[]): Found[] {
  return found.map((one) => {
    const searched = judgedSearch(one.data);
    if (!searched) return one;
    const { chunks } = one.data as { readonly chunks: readonly unknown[] };
    const [page] = searched.outcome === "answered" ? searched.pages : [];
    return { ...one, data: { chunks: chunks.filter((chunk) => passageOf(chunk)?.page === page?.[0]?.page) } };
  });
}

function judgedSearch(data: unknown): SearchedPages | null {
  if (typeof data !== "object" || data === null) return null;
  const { chunks, outcome, corrected } = data as Readonly<Record<string, unknown>>;
  const known = order.find((one) => one === outcome);
  if (known === undefined || !Array.isArray(chunks)) return null;
  const passages = chunks.flatMap((chunk) => passageOf(chunk) ?? []);
  const byPage = [...Map.groupBy(passages, ({ page }) => page).values()];
  return {
    outcome: byPage.length === 0 ? "nothing" : known,
    pages: known === "nothing" ? [] : byPage.slice(0, known === "answered" ? 1 : mostPages),
    corrected: Array.isArray(corrected) ? corrected.filter(isCorrection) : [],
  };
}

function passageOf(chunk: unknown): Passage | null {
  const { text, title, url, citation, id } = (chunk ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof text !== "string") return null;
  // A citation begins with the document's id of 26 characters; a chunk's id is `<document>#<number>`.
  const page = typeof citation === "string" ? citation.slice(0, 30) : String(id ?? title ?? "").replace(/#\d+$/, "");
  return { text, title: typeof title === "string" ? title : "", page, url: typeof url === "string" ? url : null };
}

function isCorrection(one: unknown): one is { from: string; to: string } {
  const { from, to } = (one ?? {}) as Readonly<Record<string, unknown>>;
  return typeof from === "string" && typeof to === "string";
}

import type { ListingDetail, ListingSource, NewListing } from "../../api/marketplace.ts";

/** The fault of an input at one of these places. */
export type FaultAt = (...pointers: readonly string[]) => string | null;

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The body of a submission from the fields of the form; what was left empty is left out. */
export function bodyOf(form: FormData, source: ListingSource, listing: ListingDetail | null): NewListing {
  const text = (name: string): string => String(form.get(name) ?? "").trim();
  const filled = (...names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, text(name)]).filter(([, value]) => value !== ""));
  const data = Object.fromEntries(
    [...form.entries()].flatMap(([name, value]) =>
      name.startsWith("data:") && String(value).trim() !== "" ? [[name.slice(5), String(value).trim()]] : [],
    ),
  );
  const requires = lines(text("requires"));
  return {
    source,
    ...(listing === null ? { visibility: text("visibility") === "public" ? "public" : "private" } : {}),
    ...filled("name", "version", "title", "summary", "business_function", "license", "readme", "note", "changes"),
    limits: lines(text("limits")),
    ...(requires.length === 0 ? {} : { requires }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  };
}

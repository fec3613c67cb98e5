import type { Row } from "./table.ts";
import { cellOf } from "./text.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** `TITLE=member`, with `*` after a long one. */
export const columns = (text: string) =>
  text.split(" ").map((part) => {
    const [title = "", member = ""] = part.replace("*", "").split("=");
    return {
      title: title.replaceAll("_", " "),
      of: (row: Row) => row[member],
      ...(part.endsWith("*") ? { long: true } : {}),
    };
  });
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
export const rounded = (value: unknown, places = 2): string =>
  typeof value === "number" ? value.toFixed(places) : cellOf(value);
export const intervalOf = (low: unknown, high: unknown): string => `${rounded(low)} to ${rounded(high)}`;

import { redact } from "@aos/data-classes";

/** Characters of a text that are embedded at most: about what models take. */
const longest = 8_000;

/** A text as it leaves for a provider: personal data, numbers and secrets that detectors find as placeholders, whatever policies say. */
export function outgoing(text: string): string {
  return String(redact(text).value).slice(0, longest);
}

/** What of a chunk is embedded: its titles give its text context. */
export function textOf({
  title,
  headings,
  text,
}: {
  title: string;
  headings: readonly string[];
  text: string;
}): string {
  return outgoing([title, ...headings, text].filter((part) => part !== "").join("\n"));
}

import { cleanBundle, type Texts } from "./clean-bundles.ts";
import { english, german, others } from "./clean-texts.ts";

const kinds = ["agent", "workflow", "tool_set", "policy_pack", "dataset", "scorer"] as const;

/** Clean files: one for each text, in the four places that texts have in turn, and the files of a clean bundle of each kind. */
export function cleanFiles(): Texts {
  const files = textFiles([...english, ...german, ...others]);
  for (const kind of kinds) for (const [path, text] of cleanBundle(kind)) if (!files.has(path)) files.set(path, text);
  return files;
}

/** One file for each text. */
export function textFiles(texts: readonly string[]): Texts {
  return new Map(texts.map(wrapped));
}

/** A text as a file: a document, an item of a dataset, an example, or an agent's instruction. */
function wrapped(text: string, index: number): [string, string] {
  const forms: readonly (() => [string, string])[] = [
    () => [`knowledge/k${index}.json`, JSON.stringify({ name: `k${index}`, documents: [{ title: "Document", text }] })],
    () => [
      `datasets/d${index}.jsonl`,
      `${JSON.stringify({ input: { message: text }, expected: { kind: "other" } })}\n`,
    ],
    () => [`training/t${index}.jsonl`, `${JSON.stringify({ input: { message: text }, output: { kind: "other" } })}\n`],
    () => [
      `knowledge/m${index}.json`,
      JSON.stringify({ documents: [{ title: "A", text: `${text}\n\n${text}` }] }, null, 1),
    ],
  ];
  return forms[index % forms.length]!();
}

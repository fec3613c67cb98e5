import { Lexer, parseDocument } from "yaml";

/** YAML takes some 10 µs a lexeme: with these limits a second at worst, so it is read in a thread. */
export const YAML_LIMITS = { bytes: 1_048_576, lexemes: 100_000 } as const;

/** What a description in YAML holds, or why it cannot be read: the end of a sentence that names it. */
export type YamlDescription = { readonly value: unknown } | { readonly broken: string };

/** Reads a description in YAML. */
export function readYamlDescription(text: string): YamlDescription {
  if (Buffer.byteLength(text) > YAML_LIMITS.bytes || hasMoreLexemes(text, YAML_LIMITS.lexemes))
    return { broken: "is too large for YAML; offer it as JSON" };
  const document = parseDocument(text, { logLevel: "error", uniqueKeys: false });
  if (document.errors.length > 0) return { broken: "is neither JSON nor YAML that can be read" };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown };
  } catch {
    return { broken: "refers to its own parts too often; offer it as JSON" };
  }
}

function hasMoreLexemes(text: string, most: number): boolean {
  let count = 0;
  for (const _lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

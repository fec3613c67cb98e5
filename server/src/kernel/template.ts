/** Text with places for arguments: `{name}` stands for the argument of that name, `{{` and `}}` for braces themselves. */

const PART = /\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]{0,63})\}|[{}]/g;

export interface Template {
  /** Names of the arguments that it takes, in order, each once. */
  readonly names: readonly string[];
  /** Whether a brace stands there that neither belongs to a name nor is doubled. */
  readonly broken: boolean;
}

/** Reads a text as a template. */
export function readTemplate(text: string): Template {
  const names = new Set<string>();
  let broken = false;
  for (const [part, name] of text.matchAll(PART)) {
    if (name !== undefined) names.add(name);
    else if (part.length === 1) broken = true;
  }
  return { names: [...names], broken };
}

/** The text with every argument put in by `value`; broken braces stay as they are. */
export function fillTemplate(text: string, value: (name: string) => string): string {
  return text.replaceAll(PART, (part: string, name: string | undefined) => {
    if (name !== undefined) return value(name);
    return part.length === 2 ? part[0]! : part;
  });
}

/** The name of the argument that a text is nothing but the place for; null for every other text. */
export function onlyPlace(text: string): string | null {
  return /^\{([A-Za-z_][A-Za-z0-9_]{0,63})\}$/.exec(text)?.[1] ?? null;
}

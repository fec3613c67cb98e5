import { type Finding, lineAt, type Source } from "./sources.ts";

// Values that carry a promise have one maker each (docs/decisions/0068, 0072, 0073): nothing else may call it, or take something else for such a value.

interface Made {
  readonly name: string;
  /** What makes one, and who may. */
  readonly maker: string;
  readonly by: readonly string[];
}

const values: readonly Made[] = [
  {
    name: "Effect",
    maker: "effectOfRow",
    by: ["server/src/kernel/effect.ts", "server/src/features/tasks/steps/effect-store.ts"],
  },
  { name: "Hold", maker: "makeHold", by: ["server/src/kernel/hold.ts"] },
  { name: "LedgerEntry", maker: "charge", by: ["server/src/kernel/ledger.ts"] },
];

const service = /^server\/src\/(?!.*(?:\.test|\.fixture|testing|\/testing\/.*)\.ts$).*\.ts$/;

/** Places that make such a value in another way: by a cast, or, of an effect, outside of the journal. */
export function makerFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => service.test(file))
    .flatMap(({ file, text }) =>
      values.flatMap(({ name, maker, by }): Finding[] => {
        if (by.includes(file)) return [];
        const cast = new RegExp(`\\bas (?:unknown as )?${name}\\b`, "g");
        const found = [...text.matchAll(cast)].map(({ index }) => index);
        // The others are open to whoever has what they take: their arguments say all that the value promises.
        if (name === "Effect") found.push(...[...text.matchAll(/\beffectOfRow\b/g)].map(({ index }) => index));
        return found.map((at) => ({
          file,
          line: lineAt(text, at),
          what: `makes ${name} by itself; only ${maker} does`,
        }));
      }),
    );
}

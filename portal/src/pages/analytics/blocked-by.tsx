import type { Figure } from "../../api/figures.ts";
import { Card } from "../../ui/card.tsx";
import { Change } from "./figure.tsx";

const sources = [
  ["policy_denials", "policies"],
  ["pause_blocks", "pauses of agents"],
  ["kill_switch_blocks", "kill switches"],
  ["gate_blocks", "evaluation gates"],
  ["budget_blocks", "budgets"],
] as const;

const bySource: ReadonlySet<string> = new Set(sources.map(([name]) => name));

/** Measures that are not shown as blocks by one source, which {@link BlockedBy} shows together. */
export const withoutSources = (figures: Readonly<Record<string, Figure>>): readonly string[] =>
  Object.keys(figures).filter((name) => !bySource.has(name));

/** What blocked calls and actions; nothing where nothing was blocked. */
export function BlockedBy({ figures }: { readonly figures: Readonly<Record<string, Figure>> }) {
  if (!figures.blocked?.value) return null;
  return (
    <Card title="Blocked by">
      <ul className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        {sources.map(([name, words]) => {
          const figure = figures[name];
          return figure ? (
            <li key={name} className="flex items-baseline gap-2">
              <span className="font-semibold tabular-nums">{(figure.value ?? 0).toLocaleString("en")}</span>
              <span className="text-muted">{words}</span>
              {figure.value ? <Change name={name} figure={figure} /> : null}
            </li>
          ) : null;
        })}
      </ul>
    </Card>
  );
}

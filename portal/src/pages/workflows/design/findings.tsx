import type { Finding } from "../../../api/workflow-types.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { type Graph, nodeAt } from "../graph/model.ts";

interface Placed extends Finding {
  readonly line: number;
  readonly column: number;
}
interface FindingsProps {
  readonly findings: readonly Placed[];
  readonly graph: Graph;
  readonly onGo: (place: Placed) => void;
}

/** What is wrong with the draft, or deserves a look, with the way to its place in the text. */
export function Findings({ findings, graph, onGo }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <Card title="Findings" flush>
      <ol className="divide-y divide-line">
        {findings.map((finding, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings may say the same of the same place
          <li key={`${finding.pointer} ${finding.code} ${at}`}>
            <button
              type="button"
              onClick={() => onGo(finding)}
              className="grid w-full gap-1 px-4 py-3 text-left text-sm hover:bg-sunken sm:px-5"
            >
              <span className="flex flex-wrap items-center gap-2">
                <Badge tone={finding.severity === "error" ? "bad" : "warn"}>{finding.severity}</Badge>
                <span className="font-medium">{nodeAt(graph, finding.pointer)?.title ?? "The workflow"}</span>
                <span className="text-muted">
                  line {finding.line}, column {finding.column}
                </span>
                <code className="id ml-auto text-muted">{finding.code}</code>
              </span>
              <span>{finding.detail}</span>
            </button>
          </li>
        ))}
      </ol>
    </Card>
  );
}

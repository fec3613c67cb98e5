import type { Schema } from "../../../api/types.ts";
import { rowsOfCsv } from "../../../lib/csv.ts";
import { visible } from "../../../lib/words.ts";
import { Markdown } from "../../../ui/markdown.tsx";
import { Html } from "./html.tsx";

/** What an issue says, by its format. */
export function IssueText({ issue: { text, media_type } }: { readonly issue: Schema<"ReportIssueText"> }) {
  if (media_type.startsWith("text/html")) return <Html text={text} />;
  if (media_type.startsWith("text/csv")) return <Rows csv={text} />;
  return (
    <div className="text-sm">
      <Markdown text={text} />
    </div>
  );
}

/** Rows of CSV as a table, the first of them its heads. */
function Rows({ csv }: { readonly csv: string }) {
  const [heads = [], ...rows] = rowsOfCsv(csv);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group that scrolls, no fieldset
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <div role="group" aria-label="Table" tabIndex={0} className="max-h-[70vh] overflow-auto">
      <table className="w-full text-left text-sm tabular-nums">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="border-b border-line py-1.5 pr-4 text-xs font-medium text-muted">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their place
            <tr key={line} className="border-b border-line">
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={at} className="py-1.5 pr-4">
                  {visible(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

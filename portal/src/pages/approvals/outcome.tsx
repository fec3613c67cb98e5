import { Notice } from "../../ui/states.tsx";
import type { Said } from "./decide.ts";
import { afterVote, type Detail, toneAfterVote } from "./words.ts";

/** What came of a decision: of a recorded one how things stand now, of a refused one why, with the places of an edited input that were refused. */
export function Outcome({ said, approval }: { readonly said: Said; readonly approval: Detail }) {
  if (said.recorded) {
    return (
      <Notice tone={toneAfterVote(approval)} live>
        <p>{afterVote(approval)}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="bad" live>
      <p>{said.text}</p>
      {said.problem.faults.length > 0 ? (
        <ul className="mt-1 grid gap-1">
          {said.problem.faults.map(({ pointer, detail }) => (
            <li key={`${pointer}${detail}`}>
              <code className="id font-semibold">{pointer?.replace(/^\/edits\/?/, "") || "input"}</code> {detail}
            </li>
          ))}
        </ul>
      ) : null}
    </Notice>
  );
}

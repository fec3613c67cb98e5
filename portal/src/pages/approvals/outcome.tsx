import { Notice } from "../../ui/states.tsx";
import type { Said } from "./decide.ts";

/** What came of a decision, with the places of an edited input that were refused. */
export function Outcome({ said }: { readonly said: Said }) {
  return (
    <Notice tone={said.tone} live>
      <p>{said.text}</p>
      {said.problem && said.problem.faults.length > 0 ? (
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

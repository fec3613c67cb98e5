import { Button } from "../../../ui/button.tsx";
import { kinds } from "../graph/looks.ts";
import { stepKinds } from "../graph/model.ts";
import { addStep } from "./draft.ts";

interface AddStepProps {
  readonly text: string;
  /** The step behind which it comes; null: the end. */
  readonly after: string | null;
  readonly onAdd: (text: string, id: string) => void;
}

/** Adds a step of a kind to the draft. */
export function AddStep({ text, after, onAdd }: AddStepProps) {
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5">
      <legend className="mb-1.5 text-sm text-muted">
        {after === null ? "Add a step" : `Add a step after ${after}`}
      </legend>
      {stepKinds.map((kind) => {
        const [word, Icon] = kinds[kind];
        return (
          <Button
            key={kind}
            size="small"
            icon={<Icon className="size-4" aria-hidden="true" />}
            onClick={() => {
              const added = addStep(text, kind, after);
              onAdd(added.text, added.id);
            }}
          >
            {word}
          </Button>
        );
      })}
    </fieldset>
  );
}

import { Select } from "../../ui/field.tsx";
import { dimensionTitle } from "./words.ts";

interface BySelectProps {
  readonly by: string;
  readonly options: readonly string[];
  readonly onChange: (by: string) => void;
}

/** What the rows of a table are grouped by. */
export function BySelect({ by, options, onChange }: BySelectProps) {
  const all = options.includes(by) ? options : [...options, by];
  return (
    <Select
      label={<span className="sr-only">Rows by</span>}
      value={by}
      onChange={(event) => onChange(event.currentTarget.value)}
      className="w-44"
    >
      {all.map((option) => (
        <option key={option} value={option}>
          by {dimensionTitle(option).toLowerCase()}
        </option>
      ))}
    </Select>
  );
}

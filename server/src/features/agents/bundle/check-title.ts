import type { BodyFault } from "@aos/json-schema";
import { nearestName } from "@aos/text";
import { readTitle, titleFormats } from "../../../kernel/title.ts";
import { unknownName } from "./check-tools.ts";

/** What is wrong with a template of titles. `known`: the fields that it may take; undefined: they are not known yet. `where`: the member that names these. */
export function titleFaults(
  title: unknown,
  pointer: string,
  known: readonly string[] | undefined,
  where: string,
): BodyFault[] {
  if (typeof title !== "string") return [];
  const { places, broken } = readTitle(title);
  const faults: BodyFault[] = [];
  if (broken) {
    const detail =
      "holds a brace that belongs to no field; write a field as `{{name}}`, `{{a/b}}` or `{{name | money}}`";
    faults.push({ pointer, code: "template", detail });
  }
  for (const { path, field, format } of places) {
    if (known !== undefined && !known.includes(path[0] as string)) {
      const problem = `takes \`{{${field}}}\`, which is no field of \`${where}\``;
      faults.push({ pointer, code: "unknown_field", detail: unknownName(problem, path[0] as string, known) });
    }
    if (format !== null && !titleFormats.includes(format))
      faults.push({ pointer, code: "unknown_format", detail: formatText(format) });
  }
  return faults;
}

function formatText(format: string): string {
  const nearest = nearestName(format, titleFormats);
  const problem = `writes a field as \`${format}\`, which is no format`;
  return nearest === null
    ? `${problem}; there are ${titleFormats.map((one) => `\`${one}\``).join(", ")}`
    : `${problem}; did you mean \`${nearest}\`?`;
}

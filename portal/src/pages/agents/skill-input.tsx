import type { Schema } from "../../api/types.ts";
import type { fieldsOf } from "../../lib/input-form.ts";
import { Select } from "../../ui/field.tsx";
import { InputOf } from "../../ui/input-of.tsx";

interface SkillInputProps {
  readonly skills: readonly Pick<Schema<"Skill">, "name">[];
  /** The name of the skill that is shown. */
  readonly skill: string;
  readonly onSkill: (name: string) => void;
  readonly fields: ReturnType<typeof fieldsOf>;
  /** What is wrong with a field, by its name. */
  readonly faultOf: (field: string) => string | null;
}

/** Chooses a skill, and takes its input field by field. */
export function SkillInput({ skills, skill, onSkill, fields, faultOf }: SkillInputProps) {
  return (
    <>
      <Select label="Skill" value={skill} onChange={(event) => onSkill(event.target.value)}>
        {skills.map((each) => (
          <option key={each.name}>{each.name}</option>
        ))}
      </Select>
      {fields.map((field) => (
        <InputOf key={field.name} field={field} fault={faultOf(field.name)} />
      ))}
    </>
  );
}

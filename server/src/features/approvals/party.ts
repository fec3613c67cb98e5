import { type Static, Type } from "typebox";

export const Party = Type.Object({
  id: Type.String(),
  name: Type.String({ description: "As the organization knows them; the id where there is no name." }),
  kind: Type.Enum(["person", "service_account", "system"]),
});
export type Party = Static<typeof Party>;

export function party(id: string, name: string | null, kind: Party["kind"] | null): Party {
  return { id, name: name ?? id, kind: kind ?? "system" };
}

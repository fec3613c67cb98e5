import type { TSchema } from "typebox";

/**
 * How the description shows a body whose members depend on its kind: one alternative for each, distinguished by `property`. Calls are checked by the
 * whole body and by the operation's own rules, which name the member that is wrong rather than say that no alternative fits. `names` are the
 * components of the alternatives by kind.
 */
export const byKind = (
  property: string,
  names: Readonly<Record<string, string>>,
  alternatives: readonly TSchema[],
) => ({
  "x-described": {
    oneOf: alternatives,
    discriminator: {
      propertyName: property,
      mapping: Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, `#/components/schemas/${name}`])),
    },
  },
});

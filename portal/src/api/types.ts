import type { components } from "@aos/sdk";

/** Shapes of the interface, by the names of its description: `Schema<"Task">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

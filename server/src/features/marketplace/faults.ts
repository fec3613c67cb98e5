import { BundleFault, type BundlePlace } from "@aos/bundle";
import { type Refusal, refuse } from "../../kernel/errors.ts";
import { bundleRefused } from "./errors.ts";

/** A place in a bundle: of the package's, or a file inside. */
export interface FaultPlace {
  readonly part: BundlePlace["part"] | (string & {});
  readonly at: string;
}

/** Refuses a bundle: `fault` is the code for programs, `place` says where. */
export const refusedBundle = (fault: string, place: FaultPlace, detail: string): Refusal =>
  refuse(bundleRefused, detail, { members: { fault, place } });

/** What a function of the package returns; its BundleFault becomes `bundle_refused`. */
export function orRefuse<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof BundleFault) throw refusedBundle(error.code, error.place, error.message);
    throw error;
  }
}

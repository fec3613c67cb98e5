import { BaseSequencer, type TestSpecification } from "vitest/node";
import { sliceOf } from "./slices.ts";

/** The dearest files first, as Vitest does, but those of one slice together, so that they can share a service. */
export class SliceSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slices = Map.groupBy(await super.sort(files), ({ moduleId }) => sliceOf(moduleId));
    return [...slices.values()].flat();
  }
}

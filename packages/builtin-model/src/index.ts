/** The built-in model: what it learns, and how it answers. */
export type { BuiltinArtifact } from "./artifact.ts";
export { ArtifactError, readArtifact } from "./artifact-format.ts";
export type * from "./contract.ts";
export { createBuiltinModel } from "./model.ts";
export { outputFields } from "./outputs.ts";
export { createTrainer, TrainingRefused } from "./trainer.ts";

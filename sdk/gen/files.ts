import type { Document } from "./document.ts";
import { methodsFile, routesFile } from "./methods.ts";
import { operationsFile } from "./operations.ts";
import { typesFile } from "./types.ts";

const folder = "sdk/src/generated";

/** The generated files of the SDK, from the OpenAPI document: names relative to the repository, and what stands in them. */
export async function sdkFiles(
  document: Document,
): Promise<readonly { readonly file: string; readonly text: string }[]> {
  return [
    { file: `${folder}/api.ts`, text: await typesFile(document) },
    { file: `${folder}/operations.ts`, text: operationsFile(document) },
    { file: `${folder}/methods.ts`, text: methodsFile(document) },
    { file: `${folder}/routes.ts`, text: routesFile(document) },
  ];
}

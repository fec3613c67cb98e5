export { MOST_FAULTS, type PlacedFault } from "./faults.ts";
export { type Place, placesOf } from "./places.ts";
export { type FileWords, readYaml, YAML_LIMITS, type YamlResult, type YamlSource } from "./read.ts";

export { editDistance, nearestName } from "./suggest.ts";
export { codePoints, firstOf, hasAtMost, shortened } from "./text.ts";

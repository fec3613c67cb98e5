export { linkOf } from "./link.ts";

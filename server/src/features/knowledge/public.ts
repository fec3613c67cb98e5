export { findRecord, type RecordRow } from "./store.ts";

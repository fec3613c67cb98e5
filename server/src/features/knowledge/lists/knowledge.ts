import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { addDocument } from "../operations/add-document.ts";
import { addDocuments } from "../operations/add-documents.ts";
import { createBase } from "../operations/create-base.ts";
import { listBases } from "../operations/list-bases.ts";
import { readDocument } from "../operations/read-document.ts";

// Knowledge bases and what is put into them.

export const operations: readonly Operation[] = [listBases, createBase, addDocument, addDocuments, readDocument];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];

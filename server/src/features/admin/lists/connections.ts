import type { Operation } from "../../../kernel/operation.ts";
import type { ConnectionPort } from "../connections-port.ts";
import { addConnection } from "../operations/add-connection.ts";
import { listConnections } from "../operations/list-connections.ts";
import { removeConnection } from "../operations/remove-connection.ts";
import { testConnection } from "../operations/test-connection.ts";

// Accounts at providers of models and at services that tools call.

export const createOperations = (port: ConnectionPort): readonly Operation[] => [
  listConnections,
  addConnection(port),
  testConnection(port),
  removeConnection,
];

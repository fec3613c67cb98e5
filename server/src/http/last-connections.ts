import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isUploading } from "./form-body.ts";

/** How often a server that stops looks at what is left of its connections (milliseconds). */
const every = 250;
/** How long a request or an answer may still take on its way then (milliseconds). */
export const lastGrace = 5_000;

/**
 * Ends what would keep a server that stops from closing although nobody works for it: a connection over which nothing was ever asked, as browsers and
 * clients open them in advance, at once; a request that does not arrive whole, an answer that its caller does not take, and a connection that the caller
 * does not end, after a while. Node itself looks after none of them once it no longer listens. Answers the function that begins it.
 */
export function endLastConnections(server: Server, grace = lastGrace): () => void {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () => {
    const began = performance.now();
    const look = (): void => {
      const isLate = performance.now() - began >= grace;
      for (const socket of sockets) if (socket.bytesRead === 0 || (isLate && !isWorkedFor(socket))) socket.destroy();
    };
    const looking = setInterval(look, every);
    server.once("close", () => clearInterval(looking));
  };
}

/** Whether a request has come whole and is not answered yet. A body with a file has time limits of its own. */
function isWorkedFor(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return isUploading(socket) || (!!answer?.req.complete && !answer.writableEnded);
}

import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A reader that takes nothing for so long is cut off, in milliseconds: each has a buffer and an open file. A player asks again for the rest. */
const silentMs = 60_000;

/**
 * Sends pieces with the headers that the reply has. Writes to the socket itself, one piece at a time, since a stream between would hold more
 * of them and take as long as reading. Ends when the reader leaves or falls silent. Cuts the connection when a piece cannot be read, and logs the error.
 */
export async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  first: IteratorResult<Buffer, void>,
  pieces: AsyncGenerator<Buffer, void>,
  cutOffMs = silentMs,
): Promise<FastifyReply> {
  const { raw } = reply.hijack();
  // Node.js destroys a socket that was silent for so long, and has its own limit after the reply.
  raw.setTimeout(cutOffMs);
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
    for (let piece = first; !piece.done && !raw.destroyed; piece = await pieces.next()) await write(raw, piece.value);
    raw.end();
  } catch (error) {
    request.log.error(error);
    raw.destroy();
  } finally {
    await pieces.return();
  }
  return reply;
}

/** Resolves once the socket needs the piece no more, also when the reader has left. */
function write(raw: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      raw.off("close", end);
      resolve();
    };
    raw.once("close", end);
    raw.write(piece, end);
  });
}

import type { Readable } from "node:stream";
import type { ProductError } from "#domain/errors/messages";
import type { PartWriter } from "../object-store.ts";
import { dropPiece } from "../../memory/piece-garbage.ts";

/** The sender disconnected or was interrupted: what arrived until then is kept. */
export class SourceBrokenError extends Error {
  override name = "SourceBrokenError";
}

export interface Body {
  source: Readable;
  writer: PartWriter;
  /** How many bytes may come; one more throws what `tooMany` returns. */
  room: number;
  tooMany: () => ProductError;
  /** Sees every piece before it is written; throws to refuse the file. */
  look: (piece: Buffer) => void;
}

/**
 * Writes a body to a part at the speed of the store and returns the number of bytes written, which survive the end of this process.
 * Never ends the source: after an error its rest can still be read. Throws `SourceBrokenError` after keeping what came, `tooMany`,
 * what `look` throws, or the writer's error.
 */
export async function receiveBody({ source, writer, room, tooMany, look }: Body): Promise<number> {
  let received = 0;
  try {
    for await (const piece of piecesOf(source)) {
      received += piece.length;
      if (received > room) throw tooMany();
      look(piece);
      await writer.write(piece);
      dropPiece(piece);
    }
  } catch (error) {
    await writer.flush();
    throw error;
  }
  await writer.flush();
  return received;
}

async function* piecesOf(source: Readable): AsyncGenerator<Buffer> {
  // A stream that was destroyed before it is read ends the iterator without an error.
  if (source.destroyed && !source.readableEnded) throw new SourceBrokenError();
  const pieces = source.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await pieces.next().catch((cause: unknown) => {
        throw new SourceBrokenError("The body ended early.", { cause });
      });
      if (next.done === true) return;
      yield next.value as Buffer;
    }
  } finally {
    // Removes its listeners, without which the rest could not be read.
    await pieces.return?.();
  }
}

import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";

type Encoding = "br" | "gzip" | "identity";

/** A text in the encodings that browsers accept, compressed once. */
export interface NegotiatedText {
  type: string;
  etag: string;
  bodies: Record<Encoding, Buffer>;
}

/** @param effort of brotli, 0 to 11; 11 takes about 50 ms and is for texts made once. */
export function negotiatedText(type: string, text: string, effort: number): NegotiatedText {
  const identity = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: effort, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
  return {
    type,
    // Weak, since all encodings share the tag.
    etag: `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
    bodies: { identity, br: brotliCompressSync(identity, { params }), gzip: gzipSync(identity, { level: 9 }) },
  };
}

/** Sends a text in the best encoding that the browser accepts, or 304 when the browser has it. */
export function sendNegotiated(request: FastifyRequest, reply: FastifyReply, text: NegotiatedText): FastifyReply {
  void reply.header("vary", "accept-encoding");
  if (reply.statusCode === 200) {
    void reply.header("etag", text.etag);
    if (request.headers["if-none-match"]?.includes(text.etag) === true) return reply.code(304).send();
  }
  const encoding = acceptedEncoding(request.headers["accept-encoding"]);
  if (encoding !== "identity") void reply.header("content-encoding", encoding);
  return reply.type(text.type).send(text.bodies[encoding]);
}

/** Returns the encoding that an Accept-Encoding header prefers (RFC 9110, section 12.5.3), the smallest of equal ones. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding {
  return negotiate([header ?? []].flat().join(","), ["br", "gzip", "identity"] as const) ?? "identity";
}

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ProductError } from "#domain/errors/messages";
import { bodyOf } from "./errors.ts";

/**
 * Replies to bytes that Node cannot read as a request (Fastify's `clientErrorHandler`), with the body of every other error, and closes the
 * connection; in the middle of another reply it closes only. There is no request then, so no hook runs.
 */
export function replyToMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable || hasBegunReply(socket)) {
    socket.destroy();
    return;
  }
  refuseConnection(socket, refusalOf(error.code));
}

/** Replies to a request that is not whole and never will be, and closes the connection. Nothing of a reply may have been sent. */
export function refuseConnection(socket: Socket, refusal: ProductError): void {
  const body = JSON.stringify(bodyOf(refusal));
  socket.end(
    `HTTP/1.1 ${refusal.status} \r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/** Returns whether the reply to an earlier request is being sent. Node.js's own handler reads the same property; there is no public one. */
function hasBegunReply(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function refusalOf(code: string | undefined): ProductError {
  if (code === "HPE_HEADER_OVERFLOW") return new ProductError("headers_too_large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new ProductError("request_timed_out");
  return new ProductError("invalid_input");
}

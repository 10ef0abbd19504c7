import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ProductError } from "#domain/errors/messages";
import { watchTransfers } from "../storage/transfers.ts";
import type { Authenticate, Principal } from "./access.ts";
import { isText } from "./text-input.ts";

/** A call of the contract that takes a multipart form (RFC 7578), since it has a file. */
export interface FormRoute {
  method: "POST" | "PUT";
  /** A path pattern of Fastify. */
  url: string;
  /** Limit of its one file, which is held in memory. */
  maxBytes: number;
  /** Throws unless the principal may make the call; before the body is read. */
  check(principal: Principal): void;
}

/** Limits of a form besides its file. */
const limits = { files: 1, fields: 10, parts: 11, fieldSize: 64 * 1024 };

/** Registers the routes of calls that take a form; `answer` handles the parsed request. */
export function registerForms(
  app: FastifyInstance,
  authenticate: Authenticate,
  routes: readonly FormRoute[],
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  void app.register(async (scope) => {
    await scope.register(multipart);
    watchTransfers(scope);
    for (const { method, url, maxBytes, check } of routes) {
      scope.route({
        method,
        url,
        config: { longBody: true },
        onRequest: async ({ headers }) => check(await authenticate(headers.authorization)),
        async handler(request, reply) {
          if (request.isMultipart()) request.body = await parseForm(request, maxBytes);
          return answer(request, reply);
        },
      });
    }
  });
}

/** Returns the fields and the file of a form by their names. Throws `body_too_large`, and `invalid_input` for a malformed form. */
async function parseForm(request: FastifyRequest, maxBytes: number): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  try {
    for await (const part of request.parts({ limits: { ...limits, fileSize: maxBytes } })) {
      const value = part.type === "file" ? new File([new Uint8Array(await part.toBuffer())], part.filename ?? "") : part.value;
      // The parser writes U+FFFD for what is not UTF-8.
      if (typeof value === "string" && (!isText(value) || value.includes("\ufffd"))) throw new ProductError("invalid_input");
      entries.push([part.fieldname, value]);
    }
  } catch (error) {
    // The rest of the body is discarded, so that the sender can read the reply.
    request.raw.unpipe().resume();
    throw (error as { code?: unknown }).code === "FST_REQ_FILE_TOO_LARGE"
      ? new ProductError("body_too_large")
      : new ProductError("invalid_input");
  }
  return Object.fromEntries(entries);
}

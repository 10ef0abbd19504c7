import type { FastifyRequest } from "fastify";
import { deviceName } from "#domain/accounts/device";

/** Returns a readable name of the device that sent a request. */
export function clientDevice({ headers }: FastifyRequest): string {
  return deviceName(headers["user-agent"] ?? "");
}

import type { FastifyRequest } from "fastify";
import type { ErrorCode, ProductError } from "#domain/errors/messages";

/** Names of the log events that show an attack (RUN-8). */
export type SecurityEvent =
  | "sign_in_failed"
  | "limit_reached"
  | "access_refused"
  | "session_refused"
  | "recovery_requested"
  | "recovery_refused"
  | "confirmation_failed"
  | "second_factor_failed"
  | "step_up";

/** The errors that are security events; every reply with one is logged. */
const eventsOfErrors: Partial<Record<ErrorCode, SecurityEvent>> = {
  credentials_invalid: "sign_in_failed",
  too_many_requests: "limit_reached",
  not_signed_in: "access_refused",
  not_allowed: "access_refused",
  email_not_verified: "access_refused",
  link_invalid: "access_refused",
  refresh_token_invalid: "session_refused",
  recovery_link_invalid: "recovery_refused",
  password_confirmation_wrong: "confirmation_failed",
  second_factor_code_invalid: "second_factor_failed",
};

/** A security event as it is logged, beside the id of its request. */
export interface LoggedEvent {
  event: SecurityEvent;
  ip: string;
  /** The route's pattern, without values. */
  route: string;
  /** The id of the affected account, if any. */
  account?: string;
}

type EventSource = Pick<FastifyRequest, "log" | "ip" | "method" | "routeOptions">;

/** Writes a security event. Repeated ones from the same address are counted instead (`loggerOptions`). */
export function logSecurityEvent(request: EventSource, event: SecurityEvent, accountId?: string): void {
  const logged: LoggedEvent = {
    event,
    ip: request.ip,
    route: `${request.method} ${request.routeOptions.url ?? "none"}`,
    ...(accountId === undefined ? {} : { account: accountId }),
  };
  request.log.warn(logged, `Security: ${event}`);
}

/** Writes the security event of an error that a request is answered with, if it is one. */
export function logRefusal(request: EventSource, error: ProductError): void {
  const event = eventsOfErrors[error.code];
  if (event !== undefined) logSecurityEvent(request, event, error.accountId);
}

/** Returns the kind by which events are counted when they repeat; undefined for anything else that is logged. */
export function kindOfEvent(logged: unknown): string | undefined {
  const { event, ip } = (logged ?? {}) as Partial<LoggedEvent>;
  return event === undefined || ip === undefined ? undefined : `${event}|${ip}`;
}

import { expect } from "vitest";
import { startApp } from "./app.ts";
import { everyCall, type ApiCall } from "./calls.ts";
import { setUpWallets } from "./payments.ts";
import { admin, student, type Person } from "./people.ts";

const hangMs = 60_000;

export interface HostileRequest {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer;
}

export interface AttackedSite {
  operator: Person;
  buyer: Person;
  /** A caller who passes the access check, so that a refusal is due to the input. */
  personFor(call: ApiCall): Person;
  /** Sends one request and checks its reply: it arrives, is not a 5xx, and any error has the form of its API. */
  send(request: HostileRequest, person?: Person): Promise<number>;
  /** How many requests were sent. */
  sent(): number;
  /** A mark of every row in every table: it differs after any insert, update or delete. */
  rowsNow(): Promise<unknown>;
  close(): Promise<void>;
}

export const calls = everyCall();

/** An app for requests with hostile input. */
export async function startAttackedSite(): Promise<AttackedSite> {
  const app = await startApp();
  const operator = await admin(app);
  const buyer = await student(app);
  await setUpWallets(operator);
  const found = await app.sql<{ tablename: string }>("select tablename from pg_tables where schemaname = 'public'");
  const marks = found.map(
    ({ tablename: name }) => `select '${name}' as name, count(*) as rows, sum(xmin::text::bigint) as mark from "${name}"`,
  );
  let sent = 0;
  return {
    operator,
    buyer,
    sent: () => sent,
    personFor: ({ name }) => (/^(quotes|paymentRequests\.(submit|mine)|auth|account)/.test(name) ? buyer : operator),
    rowsNow: () => app.sql(marks.join(" union all ")),
    close: () => app.close(),
    async send(request, person) {
      sent += 1;
      const headers = { ...(person ? { authorization: `Bearer ${person.accessToken}` } : {}), ...request.headers };
      let timer: NodeJS.Timeout | undefined;
      const hang = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`No reply to ${JSON.stringify(request).slice(0, 500)}`)), hangMs);
      });
      const reply = await Promise.race([app.server.inject({ ...request, headers }), hang]);
      clearTimeout(timer);
      const { statusCode: status, body } = reply;
      const about = `${JSON.stringify(request).slice(0, 500)} -> ${status} ${body.slice(0, 300)}`;
      expect(status, about).toBeLessThan(500);
      if (status >= 400 && request.method !== "HEAD") {
        const isAuth = request.url.startsWith("/auth/v1/");
        const form = isAuth
          ? { code: expect.any(String), message: expect.any(String) }
          : { code: expect.any(String), error: expect.any(String) };
        expect(JSON.parse(body), about).toMatchObject(form);
      }
      return status;
    },
  };
}

/** Percent-encoded UTF-8, also of what has none: lone surrogates as the three bytes that a careless encoder writes. */
function percentEncoded(text: string): string {
  return text.replace(/[^\w.~-]/gu, (character) =>
    /\p{Surrogate}/u.test(character) ? "%ED%A0%80" : encodeURIComponent(character).replace(/^\.$/, "%2E"),
  );
}

export function requestOf(call: ApiCall, input: ApiCall["input"]): HostileRequest {
  const path = call.path.replace(/\{(\w+)\}/g, (_all, name: string) => percentEncoded(textOf((input.params as never)[name])));
  const pairs = Object.entries(input.query ?? {});
  const query = pairs.map(([name, value]) => `${name}=${percentEncoded(textOf(value))}`).join("&");
  const body = input.body === undefined ? {} : { payload: JSON.stringify(input.body) };
  return {
    method: call.method as HostileRequest["method"],
    url: path + (query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`),
    headers: {
      ...(input.body === undefined ? {} : { "content-type": "application/json" }),
      ...(input.headers as Record<string, string> | undefined),
    },
    ...body,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { adminEmail, adminPassword, type TestApp } from "./app.ts";

export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Returns the status and the error code of an answer. */
export const outcome = ({ status, body }: Answer): [number, string] => [status, body.code];

/** Someone with (or without) a session who calls the API. */
export interface Person {
  id: string;
  email: string;
  password: string;
  accessToken: string | undefined;
  refreshToken: string | undefined;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export const goodPassword = "a fine long password";

/** A caller without a session. */
export function visitor(app: TestApp): Person {
  return withSession(app, { id: "", email: "", password: "" });
}

/** Signs up, without verifying the address. */
export async function unverifiedStudent(app: TestApp, email = `student-${randomUUID()}@example.com`): Promise<Person> {
  const fullName = "Somchai Student";
  const answer = await visitor(app).call("POST", "/auth/v1/signup", {
    email,
    password: goodPassword,
    data: { full_name: fullName },
  });
  if (answer.status !== 200) throw new Error(`Sign-up answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return withSession(app, { id: answer.body.user.id, email, password: goodPassword }, answer.body);
}

/** Signs up and is verified, by the row rather than by mail: the journey of the code has tests of its own. */
export async function student(app: TestApp, tier: "unpaid" | "starter" | "advanced" = "unpaid"): Promise<Person> {
  const someone = await unverifiedStudent(app);
  await app.sql("update accounts set email_verified_at = now() where id = $1", [someone.id]);
  if (tier !== "unpaid") await app.sql("update profiles set subscription_status = $2 where id = $1", [someone.id, tier]);
  return someone;
}

/** The admin, and a student of each tier. */
export async function everyTier(app: TestApp): Promise<Record<"operator" | "unpaid" | "starter" | "advanced", Person>> {
  const operator = await admin(app);
  const [unpaid, starter, advanced] = await Promise.all([student(app), student(app, "starter"), student(app, "advanced")]);
  return { operator, unpaid, starter, advanced };
}

export function admin(app: TestApp): Promise<Person> {
  return signIn(app, adminEmail, adminPassword);
}

export async function signIn(app: TestApp, email: string, password: string): Promise<Person> {
  const answer = await visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password });
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return withSession(app, { id: answer.body.user.id, email, password }, answer.body);
}

/** Returns the id of someone's session. */
export function sessionIdOf({ accessToken }: Person): string {
  return String(decodeJwt(accessToken!)["session_id"]);
}

/** Someone with a session, or without one. */
export function withSession(
  app: TestApp,
  who: { id: string; email: string; password: string },
  session?: { access_token: string; refresh_token: string },
): Person {
  return {
    id: who.id,
    email: who.email,
    password: who.password,
    accessToken: session?.access_token,
    refreshToken: session?.refresh_token,
    async call(method, path, body, headers = {}) {
      const isForm = body instanceof FormData;
      const reply = await fetch(new URL(path, app.url), {
        method,
        redirect: "manual",
        headers: {
          ...(session ? { authorization: `Bearer ${session.access_token}` } : {}),
          ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await reply.text();
      const isJson = (reply.headers.get("content-type") ?? "").includes("json");
      return { status: reply.status, headers: reply.headers, body: isJson && text !== "" ? JSON.parse(text) : text };
    },
  };
}

import { isIP } from "node:net";
import addressparser from "nodemailer/lib/addressparser";
import { z } from "zod";
import { normaliseEmail } from "#domain/accounts/accounts";
import { isBucketUrl, readBucketUrl } from "../platform/storage/s3/bucket-url.ts";
import { badPorts } from "./bad-ports.ts";

// Schemas for the text of an environment variable. An error goes on after the variable's name: "PORT: must be …".

/** Returns an error that repeats the text; not for secrets, nor for addresses that may contain a password. */
export const notAsWritten =
  (rule: string) =>
  ({ input }: { input?: unknown }): string =>
    `${rule}, not "${String(input)}"`;

export function wholeNumber(from: number, to: number): z.ZodType<number, string> {
  return z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to, {
      error: notAsWritten(`must be a whole number from ${from} to ${to}`),
    })
    .transform(Number);
}

const secondsOf = { m: 60, h: 3600, d: 86_400 };

/** A time span such as `15m`, `24h` or `7d` within the two bounds, which are written the same way. Returns seconds; 0 for `off`. */
export function duration(shortest: string, longest: string): z.ZodType<number, string> {
  const error = notAsWritten(`must be off, or a time from ${shortest} to ${longest} such as 15m, 24h or 7d`);
  return z
    .string()
    .refine((text) => text === "off" || isBetween(secondsIn(text), secondsIn(shortest), secondsIn(longest)), { error })
    .transform((text) => (text === "off" ? 0 : secondsIn(text)));
}

/** Returns NaN for what is no time span. */
function secondsIn(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return Number(count) * secondsOf[unit as keyof typeof secondsOf];
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

export function onOff(): z.ZodType<boolean, string> {
  return z.enum(["on", "off"], { error: notAsWritten("must be on or off") }).transform((text) => text === "on");
}

/** An address of one of the protocols, with a host, without the slashes at its end. */
export function address(...protocols: string[]): z.ZodType<string, string> {
  const names = protocols.join("|");
  const error = `must be an address that starts with ${protocols.map((protocol) => `${protocol}://`).join(" or ")}`;
  const start = new RegExp(`^(${names})://[^/?#]`, "i");
  return (
    z
      .url({ protocol: new RegExp(`^(${names})$`), error })
      // zod looks for the slashes only where its own pattern of http is used.
      .refine((text) => start.test(text), { error })
      .transform((text) => text.replace(/\/+$/, ""))
  );
}

/** The address of a mail server. Options behind it would count instead of what the site sets: TLS, time limits, and that nothing is logged. */
export function mailServer(): z.ZodType<string, string> {
  const error = "must end with the host or the port, without ? and #. Of a password in it, write ? as %3F and # as %23";
  return address("smtp", "smtps").refine((text) => !/[?#]/.test(text), { error });
}

/** An address without a path, as browsers write it: others would not be recognised in the headers of their requests. */
export function origin(): z.ZodType<string, string> {
  const isBare = (text: string): boolean => {
    const { username, pathname, search, hash } = new URL(text);
    return username + pathname + search + hash === "/";
  };
  return address("http", "https")
    .refine((text) => !URL.canParse(text) || isBare(text), { error: "must be an address without a path" })
    .transform((text) => new URL(text).origin);
}

/** An address that is requested exactly as it is written. It may contain a token, so no error repeats it. */
export function endpoint(): z.ZodType<string, string> {
  return z
    .url({ protocol: /^https?$/, error: "must be an address that starts with https:// or http://" })
    .refine((text) => !URL.canParse(text) || (new URL(text).username === "" && new URL(text).password === ""), {
      error: "must not contain a user or a password",
    });
}

/** An address that is requested with `fetch`. */
export function fetched(schema: z.ZodType<string, string>): z.ZodType<string, string> {
  return schema.refine((text) => !URL.canParse(text) || !badPorts.has(new URL(text).port), {
    error: "must have another port, since Node.js does not fetch from this one",
  });
}

/** A key of Standard Webhooks. No error repeats it. */
export function webhookKey(): z.ZodType<Buffer, string> {
  const bytesOf = (text: string): Buffer => Buffer.from(text.replace(/^whsec_/, ""), "base64");
  const isKey = (text: string): boolean => {
    const key = bytesOf(text);
    return key.length >= 24 && key.length <= 64 && text === `whsec_${key.toString("base64")}`;
  };
  return z.string().refine(isKey, { error: "must be whsec_ and 24 to 64 bytes in base64" }).transform(bytesOf);
}

/** A path of a web server, without a slash at its end. */
export function locationPath(): z.ZodType<string, string> {
  return z.string().regex(/^(\/[\w-]+)+$/, { error: notAsWritten("must be a path such as /stored-files") });
}

/** A name that every S3-compatible store accepts, in a host and in a path. */
export function bucketName(): z.ZodType<string, string> {
  return z.string().regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, {
    error: notAsWritten("must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens"),
  });
}

export function folderOrBucket(): z.ZodType<string, string> {
  return z.string().refine((text) => !isBucketUrl(text) || readBucketUrl(text) !== undefined, {
    error: notAsWritten("must be a folder, or a bucket such as s3://course-backups/daily"),
  });
}

export function regionName(): z.ZodType<string, string> {
  return z.string().regex(/^[\w-]{1,60}$/, { error: notAsWritten("must be the name of a region such as eu-central-1") });
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export function logLevel(): z.ZodType<(typeof logLevels)[number], string> {
  return z.enum(logLevels, `must be one of ${logLevels.join(", ")}`);
}

const environments = ["production", "development", "test"] as const;

/** A misspelt `production` would open what is for trying out. */
export function production(): z.ZodType<boolean, string> {
  return z.enum(environments, `must be one of ${environments.join(", ")}`).transform((name) => name === "production");
}

export function email(): z.ZodType<string, string> {
  return z.string().transform((text, context) => {
    try {
      return normaliseEmail(text);
    } catch {
      context.addIssue("must be an e-mail address");
      return z.NEVER;
    }
  });
}

/** The sender of mails (RFC 5322): one address, with a name before it or without. */
export function sender(): z.ZodType<string, string> {
  const isSender = (text: string): boolean => {
    const [mailbox, ...others] = addressparser(text);
    return others.length === 0 && email().safeParse(mailbox?.address).success;
  };
  return z.string().refine(isSender, { error: notAsWritten("must be one address such as Pipwright <course@example.com>") });
}

/** A password or token, which no error repeats. */
export function secret(minLength = 1): z.ZodType<string, string> {
  return z.string().min(minLength, `must have at least ${minLength} characters`);
}

/** Items separated by commas. The error is that of the first wrong item. */
export function listOf<Item>(item: z.ZodType<Item, string>): z.ZodType<Item[], string> {
  return z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(item));
}

/** What Fastify's `trustProxy` accepts: an address, a network, or one of its three names of networks. Has no error text. */
export function proxy(): z.ZodType<string, string> {
  return z.string().refine(isProxy, { abort: true });
}

function isProxy(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [ip = "", prefix, ...rest] = text.split("/");
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(ip)] ?? 0;
  if (bits === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= bits);
}

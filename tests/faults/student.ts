import { randomBytes, randomUUID } from "node:crypto";
import sharp from "sharp";
import { metadata } from "../support/uploads.ts";
import { pause, type Ask, type Journal, type Reply } from "./client.ts";
import { hashOf, type Promises, type StudentPromises } from "./promises.ts";

const password = "a fine long password";

export interface StudentParts {
  ask: Ask;
  journal: Journal;
  promises: Promises;
  codeFor(email: string): Promise<string | undefined>;
  /** The student waits no longer once this is true. */
  isOver(): boolean;
  /** Milliseconds that the student waits for the code before leaving; as long as it takes unless set. */
  codePatienceMs?: number;
  /** How the student pays; by Bitcoin unless set. */
  payment?: Record<string, unknown>;
}

/**
 * One student from sign-up to a submitted payment request, who repeats what got no answer or a 503, as a browser does. Returns
 * the id of the request and the promises; undefined when it did not come to that.
 */
export async function studentLife(parts: StudentParts): Promise<{ id: string; student: StudentPromises } | undefined> {
  const { ask, promises } = parts;
  const email = `student-${randomUUID()}@example.com`;
  const step = stepper(parts);
  const session = await step(() => ask("POST", "/auth/v1/signup", { email, password, data: { full_name: "Sam Student" } }));
  if (!session) return undefined;
  const student = promises.signedUp(email);
  const token = session.body.access_token as string;
  const call = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask("POST", path, body, { token, headers });

  if (!(await step(() => call("/functions/v1/send-verification-email", { email, fullName: "Sam Student" })))) return undefined;
  student.mails.push(/\d{6}/);
  const code = await codeOf(parts, email);
  if (code === undefined || !(await step(() => call("/functions/v1/verify-email", { code })))) return undefined;
  student.verifiedBy = token;

  const quote = await step(() => call("/api/quotes", { package_type: "starter" }));
  if (!quote) return undefined;
  const picture = await somePicture();
  const uploaded = await upload(parts, token, picture, screenshotFile);
  if (uploaded === undefined) return undefined;
  const payment = parts.payment ?? { crypto_type: "bitcoin" };
  const form = { quote_id: quote.body.id, upload_id: uploaded, consent: true, ...payment };
  const key = { "idempotency-key": randomUUID() };
  const submitted = await step(() => call("/api/payment-requests", form, key));
  if (!submitted) return undefined;
  student.requests.push({ id: submitted.body.id, screenshot: hashOf(picture) });
  return { id: submitted.body.id, student };
}

/** Repeats a step until it is refused, acknowledged, or all is over; only an acknowledged reply is returned. */
export function stepper({ journal, isOver }: Pick<StudentParts, "journal" | "isOver">) {
  return async (send: () => Promise<Reply>): Promise<Reply | undefined> => {
    for (let tries = 1; ; tries++) {
      const reply = await send();
      if (reply.status >= 200 && reply.status < 300) return reply;
      // A step that is repeated may find its own first try done.
      if (reply.status >= 400 && reply.status < 500) {
        if (tries === 1) journal.wrongs.push(`${reply.status} ${JSON.stringify(reply.body)}`);
        return undefined;
      }
      if (isOver()) return undefined;
      await pause(200);
    }
  };
}

async function codeOf(
  { codeFor, isOver, codePatienceMs = Infinity }: StudentParts,
  email: string,
): Promise<string | undefined> {
  for (const deadline = Date.now() + codePatienceMs; !isOver() && Date.now() < deadline;) {
    const code = await codeFor(email);
    if (code !== undefined) return code;
    await pause(100);
  }
  return undefined;
}

const screenshotFile = { bucketName: "payment-screenshots", filename: "paid.png", filetype: "image/png" };

/** A tus upload in two pieces, continued from where the site says it stands; returns its id, or undefined when it did not come to that. */
export async function upload(
  { ask, isOver, journal }: Pick<StudentParts, "ask" | "isOver" | "journal">,
  token: string,
  bytes: Buffer,
  file: Record<string, string>,
): Promise<string | undefined> {
  const tus = { "tus-resumable": "1.0.0" };
  const pairs = metadata(file);
  const created = await stepper({ journal, isOver })(() =>
    ask("POST", "/storage/v1/upload/resumable", undefined, {
      token,
      headers: { ...tus, "upload-length": String(bytes.length), "upload-metadata": pairs },
    }),
  );
  const location = created?.headers.get("location");
  if (!location) return undefined;
  const path = new URL(location, "http://localhost").pathname;
  for (let offset = 0; offset < bytes.length;) {
    const piece = new Uint8Array(bytes.subarray(offset, offset + Math.ceil(bytes.length / 2)));
    const headers = { ...tus, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
    const sent = await ask("PATCH", path, piece, { token, headers });
    if (sent.status === 204) {
      offset += piece.length;
      continue;
    }
    if (isOver()) return undefined;
    await pause(200);
    const at = await ask("HEAD", path, undefined, { token, headers: tus });
    // Gone, or signed out, as by a clock that moved.
    if ([401, 404, 410].includes(at.status)) return undefined;
    if (at.status === 200) offset = Number(at.headers.get("upload-offset"));
  }
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A small real picture that is like no other. */
export async function somePicture(): Promise<Buffer> {
  const side = 48;
  const small = { raw: { width: 8, height: 8, channels: 3 } } as const;
  return sharp(randomBytes(8 * 8 * 3), small)
    .resize(side, side, { kernel: "nearest" })
    .png()
    .toBuffer();
}

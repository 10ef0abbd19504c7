import { expect } from "vitest";
import type { TestApp } from "../app.ts";
import { tinyPng } from "../payments.ts";
import type { Person } from "../people.ts";
import { uploader } from "../uploads.ts";

export const webVtt = "WEBVTT\n\n00:01.000 --> 00:02.500\nFirst line\n\n00:03.000 --> 00:04.000\nสวัสดี\n";

export const csv = Buffer.from("pair,pips\nEUR/USD,12\n");

export function captionsForm(file: string | Uint8Array, language = "en", label = "English"): FormData {
  const form = new FormData();
  form.set("file", new Blob([typeof file === "string" ? file : new Uint8Array(file)]), "captions.vtt");
  form.set("language", language);
  form.set("label", label);
  return form;
}

export function posterForm(picture: Uint8Array = new Uint8Array(tinyPng)): FormData {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(picture)]), "poster.png");
  return form;
}

/** Uploads a file and attaches it to a lesson. */
export async function attach(
  app: TestApp,
  operator: Person,
  videoId: string,
  bytes: Buffer = csv,
  filename = "sizes.csv",
): Promise<{ id: string; uploadId: string }> {
  // The standing clock moves, so that attachments have an order.
  app.clock.advance(1);
  const uploadId = await uploader(app, operator).upload("lesson-attachments", bytes, filename);
  const answer = await operator.call("POST", `/api/videos/${videoId}/attachments`, { upload_id: uploadId });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { id: answer.body.attachments.at(-1).id, uploadId };
}

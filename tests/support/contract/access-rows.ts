import { randomUUID } from "node:crypto";
import { exportNames } from "#domain/api/exports";
import { tinyPng } from "../payments.ts";
import { tusHeaders } from "../uploads.ts";

export interface Row {
  /** The path called, where the contract's has parameters or a query is needed. */
  path?: () => string;
  body?: () => unknown;
  headers?: Record<string, string>;
  /** What nobody, an unverified student, an unpaid student, another student and the admin get. */
  gets: [number, number, number, number, number];
}

/** The id of nothing. */
export const unknownId = randomUUID();

const screenshotForm = (): FormData => {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(tinyPng)], { type: "image/png" }), "paid.png");
  return form;
};

/** What each caller gets of the calls that speak the protocols of auth and storage, which the contract does not have. */
export const protocolRows: (Row & { call: string })[] = [
  { call: "GET /auth/v1/user", gets: [401, 200, 200, 200, 200] },
  { call: "POST /auth/v1/factors", body: () => ({}), gets: [401, 400, 400, 400, 400] },
  { call: "DELETE /auth/v1/factors/{id}", path: () => `/auth/v1/factors/${unknownId}`, gets: [401, 404, 404, 404, 404] },
  {
    call: "POST /auth/v1/factors/{id}/challenge",
    path: () => `/auth/v1/factors/${unknownId}/challenge`,
    gets: [401, 404, 404, 404, 404],
  },
  {
    call: "POST /auth/v1/factors/{id}/verify",
    path: () => `/auth/v1/factors/${unknownId}/verify`,
    body: () => ({ challenge_id: unknownId, code: "000000" }),
    gets: [401, 404, 404, 404, 404],
  },
  { call: "PUT /auth/v1/user", body: () => ({ password: "short" }), gets: [401, 422, 422, 422, 422] },
  {
    call: "POST /storage/v1/upload/resumable",
    headers: tusHeaders("payment-screenshots", "image/png"),
    gets: [401, 403, 201, 201, 403],
  },
  {
    call: "POST /storage/v1/upload/resumable",
    headers: tusHeaders("course-videos", "video/mp4"),
    gets: [401, 403, 403, 403, 201],
  },
  {
    call: "POST /storage/v1/upload/resumable",
    headers: tusHeaders("lesson-attachments", "text/csv"),
    gets: [401, 403, 403, 403, 201],
  },
  {
    call: "POST /storage/v1/upload/resumable",
    headers: tusHeaders("lesson-posters", "image/png"),
    gets: [401, 403, 400, 400, 400],
  },
  { call: "POST /storage/v1/object/payment-screenshots", body: screenshotForm, gets: [401, 403, 201, 201, 403] },
  {
    call: "GET /storage/v1/object/sign/{bucket}/{name}",
    path: () => "/storage/v1/object/sign/course-videos/any?token=any",
    gets: [403, 403, 403, 403, 403],
  },
  ...exportNames.map((name): Row & { call: string } => ({
    call: `GET /api/export/${name}.csv`,
    gets: [401, 403, 403, 403, 200],
  })),
  { call: "GET /api/live-sessions.ics", path: () => "/api/live-sessions.ics?token=any", gets: [403, 403, 403, 403, 403] },
];

import { filmSample } from "./samples.ts";
import type { Call } from "../sites/members.ts";
import type { Site } from "../sites/site.ts";

/** Uploads a film of `film-samples` to a running site as its admin; returns the upload's id. */
export async function uploadFilm(site: Site, adminToken: string, name: string): Promise<string> {
  return uploadBytes(site, adminToken, name, await filmSample(name));
}

/** Uploads the bytes of a film to a running site as its admin; returns the upload's id. */
export async function uploadBytes(site: Site, adminToken: string, name: string, bytes: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${adminToken}`, "tus-resumable": "1.0.0" };
  const metadata = { bucketName: "course-videos", filename: name, filetype: "video/mp4" };
  const started = await fetch(`${site.url}/storage/v1/upload/resumable`, {
    method: "POST",
    headers: {
      ...headers,
      "upload-length": String(bytes.length),
      "upload-metadata": Object.entries(metadata)
        .map(([key, value]) => `${key} ${btoa(value)}`)
        .join(","),
    },
  });
  const location = new URL(started.headers.get("location") ?? "", site.url);
  const sent = await fetch(location, {
    method: "PATCH",
    headers: { ...headers, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body: new Uint8Array(bytes),
  });
  if (sent.status !== 204) throw new Error(`The upload of ${name} answered ${sent.status}: ${await sent.text()}`);
  return location.pathname.split("/").at(-1) ?? "";
}

const cues =
  "WEBVTT\n\n00:00.000 --> 00:30.000\nA pip is the smallest step.\n\n00:30.000 --> 01:00.000\nA lot is how much you trade.\n";

/** Adds English captions to a lesson: one text for each half of a minute. */
export async function addCaptions(asAdmin: Call, id: string): Promise<void> {
  const form = new FormData();
  form.set("language", "en");
  form.set("label", "English");
  form.set("file", new Blob([cues], { type: "text/vtt" }), "en.vtt");
  await asAdmin("POST", `/api/videos/${id}/captions`, form);
}

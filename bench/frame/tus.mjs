// @ts-check
import { createReadStream } from "node:fs";
import { DefaultHttpStack, Upload } from "tus-js-client";

/**
 * Uploads a film in the chunks of the admin's page (src/web/platform/uploads); returns the upload's id.
 * @param {string} origin @param {string} token @param {string} file @param {object} [requestOptions] of node:http and node:https @returns {Promise<string>}
 */
export function uploadFilm(origin, token, file, requestOptions = {}) {
  return new Promise((resolve, reject) => {
    const upload = new Upload(createReadStream(file), {
      endpoint: `${origin}/storage/v1/upload/resumable`,
      chunkSize: 64 * 2 ** 20,
      metadata: { bucketName: "course-videos", filename: "film.mp4", filetype: "video/mp4" },
      headers: { authorization: `Bearer ${token}` },
      httpStack: new DefaultHttpStack(requestOptions),
      onError: reject,
      onSuccess: () => resolve(upload.url?.split("/").at(-1) ?? ""),
    });
    upload.start();
  });
}

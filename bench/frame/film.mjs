// @ts-check
// A film of the course, uploaded by the admin and opened by a student.
import { randomBytes, randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../devtools.mjs";
import { databaseOf, startSite } from "../site.mjs";
import { startNginx } from "./nginx.mjs";
import { admin, openClient } from "./stage.mjs";
import { signIn } from "./tokens.mjs";
import { uploadFilm } from "./tus.mjs";

const projectDir = join(import.meta.dirname, "../..");

/**
 * Adds a lesson with a film of this size to both servers. Returns where its file lies, what a student sends for its bytes, and what removes it.
 * @param {import("./stage.mjs").Stage} stage @param {number} size
 */
export async function publishFilm({ site, bare, students, tokenOf }, size) {
  const student = /** @type {import("./stage.mjs").Student} */ (students[0]);
  const { asAdmin, video, objectId } = await addFilm(site, size);
  const stored = "insert into stored_objects select * from json_populate_record(null::stored_objects, $1)";
  const { rows } = await site.db.query(
    "select to_jsonb(stored_objects) - 'owner_id' as object from stored_objects where id = $1",
    [objectId],
  );
  await bare.db.query(stored, [rows[0].object]);
  await bare.db.query(
    "insert into videos (id, title, description, object_id, module, order_index, package_type, created_at) values ($1, 'F', 'D', $2, 'F', 1, 'both', now())",
    [randomUUID(), objectId],
  );
  const played = await caller(site.origin, await tokenOf(student))("POST", `/api/videos/${video.id}/play`, undefined);
  return {
    path: join(site.folder, "data/objects", objectId),
    objectId,
    sessionId: student.sessionId,
    link: /** @type {string} */ (played.body.url),
    headers: { cookie: played.cookie },
    async remove() {
      await asAdmin("DELETE", `/api/videos/${video.id}`, undefined);
      await bare.db.query("delete from videos where object_id = $1", [objectId]);
    },
  };
}

/**
 * Starts a site whose films nginx sends, as `deploy/nginx` has it. Returns nginx with the site behind it, and a film with what the admin sends for its
 * bytes; undefined where there is no nginx.
 * @param {import("./bench.mjs").Bench} bench @param {number} size
 */
export async function handOverFilm(bench, size) {
  const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, ACCEL_REDIRECT: "/stored-files" };
  const site = await startSite(settings);
  bench.atEnd(() => site.stop());
  const { host, pid: database } = databaseOf(site);
  const db = await openClient(bench, host, "pipwright");
  const { link, headers, objectId } = await openFilm({ ...site, db }, size);
  const objects = join(site.folder, "data/objects");
  const nginx = await startNginx(
    bench,
    site.folder,
    `location / { proxy_pass http://course; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host:$server_port; }
     location /stored-files/ { internal; alias ${objects}/; }`,
    `upstream course { server ${new URL(site.origin).host}; keepalive 16; }`,
  );
  const server = nginx && { ...nginx, name: "ours by nginx", behind: /** @type {number} */ (site.pid), database };
  return server && { server, path: join(objects, objectId), link, headers, stop: site.stop };
}

/**
 * Adds a lesson with a film of this size. Returns its object, and what the admin sends for its bytes.
 * @param {{ origin: string, folder: string, db: import("pg").Client }} site @param {number} size
 */
export async function openFilm(site, size) {
  const { asAdmin, video, objectId } = await addFilm(site, size);
  const { body, cookie } = await asAdmin("POST", `/api/videos/${video.id}/play`, undefined);
  return { objectId, link: /** @type {string} */ (body.url), headers: { cookie } };
}

/** Adds a lesson with a film of this size. @param {{ origin: string, folder: string, db: import("pg").Client }} site @param {number} size */
async function addFilm(site, size) {
  const { access_token } = await signIn(site.origin, admin);
  const asAdmin = caller(site.origin, access_token);
  const file = join(site.folder, "sent.mp4");
  writeFilm(file, size);
  const upload_id = await uploadFilm(site.origin, access_token, file);
  rmSync(file);
  const lesson = { title: "Film", description: "D", module: "Film", order_index: 1, package_type: "both", upload_id };
  const { body: video } = await asAdmin("POST", "/api/videos", lesson);
  return { asAdmin, video, objectId: await until(() => preparedObject(site.db, video.id)) };
}

/** Writes a sample film with bytes behind it that mean nothing, up to a size. @param {string} file @param {number} size */
export function writeFilm(file, size) {
  const film = readFileSync(join(projectDir, "samples/videos/forex-basics-1.mp4"));
  const box = Buffer.alloc(8);
  box.writeUInt32BE(size - film.length);
  box.write("free", 4);
  writeFileSync(file, Buffer.concat([film, box]));
  const noise = randomBytes(4 * 2 ** 20);
  for (let left = size - film.length - box.length; left > 0; left -= noise.length)
    appendFileSync(file, noise.subarray(0, left));
}

/** The object of a video once no job changes it any more. @param {import("pg").Client} db @param {string} id @returns {Promise<string | undefined>} */
async function preparedObject(db, id) {
  const statement =
    "select object_id from videos join films using (object_id) where videos.id = $1 and next_attempt_at is null and playability = 'plays'";
  return (await db.query(statement, [id])).rows[0]?.object_id;
}

/** @param {string} origin @param {string} token */
function caller(origin, token) {
  return async (/** @type {string} */ method, /** @type {string} */ path, /** @type {object | undefined} */ body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const reply = await fetch(origin + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    const cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? "";
    return { body: text === "" ? undefined : JSON.parse(text), cookie };
  };
}

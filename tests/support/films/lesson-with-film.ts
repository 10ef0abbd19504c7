import type { BucketName } from "#domain/files/buckets";
import { startApp, type TestApp, type TestAppOptions } from "../app.ts";
import { admin, sessionIdOf, student, type Person } from "../people.ts";
import { mp4Of, uploader } from "../uploads.ts";

export interface Film {
  id: string;
  /** Its name in the bucket. */
  name: string;
  bytes: Buffer;
}

/** An app with a film of 2,000,003 bytes and a student who may watch it. */
export interface FilmSite {
  app: TestApp;
  operator: Person;
  buyer: Person;
  film: Film;
  /** Uploads another film for Starter. */
  filmOf(bytes: Buffer, filename?: string): Promise<Film>;
  nameOf(objectId: string): Promise<string>;
  /** A signed address of an object; by default the film's, for the student's session, for a minute. */
  link(name?: string, viewer?: Person, bucket?: BucketName, seconds?: number): string;
}

export async function startFilmSite(options?: TestAppOptions): Promise<FilmSite> {
  const app = await startApp({ environment: { LOG_LEVEL: "warn" }, ...options });
  const operator = await admin(app);
  const buyer = await student(app, "starter");
  const nameOf = async (objectId: string): Promise<string> => {
    const [object] = await app.sql<{ name: string }>("select name from stored_objects where id = $1", [objectId]);
    return object?.name ?? "";
  };
  const filmOf = async (bytes: Buffer, filename = "lesson.mp4"): Promise<Film> => {
    // Signed in anew: a test may have moved the clock past the end of a session.
    const id = await uploader(app, await admin(app)).upload("course-videos", bytes, filename);
    await app.sql(
      "insert into videos (title, description, object_id, module, order_index, package_type, created_at) values ('T', 'D', $1, 'M', 1, 'starter', now())",
      [id],
    );
    return { id, bytes, name: await nameOf(id) };
  };
  const film = await filmOf(mp4Of(2_000_003));
  return {
    app,
    operator,
    buyer,
    film,
    filmOf,
    nameOf,
    link: (name = film.name, viewer = buyer, bucket = "course-videos", seconds = 60) =>
      app.url + app.deps.links.sign(bucket, name, { id: viewer.id, sessionId: sessionIdOf(viewer) }, seconds).path,
  };
}

export async function fetched(url: string, headers: Record<string, string> = {}, method = "GET") {
  const reply = await fetch(url, { headers, method });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
}

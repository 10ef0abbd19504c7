import type { Video } from "#domain/api/course/videos";
import type { Dependencies } from "../../../dependencies.ts";
import type { Principal } from "../../../platform/http/access.ts";
import { findListed } from "../queries.ts";
import { videoView } from "../views.ts";

/** Returns a lesson that exists, as it is now. */
export async function readVideo({ db, links }: Dependencies, viewer: Principal, id: string): Promise<Video> {
  return videoView(await findListed(db, viewer.id, id), viewer, links);
}

import type { Dependencies } from "../../dependencies.ts";
import type { Principal } from "../http/access.ts";

/** Far above what a payment needs, far below what fills a disk. */
const newUploads = { name: "uploads", points: 30, seconds: 3600 };

/** Counts a student's new upload; throws `too_many_requests`. The admin fills the course and is not counted. */
export async function limitNewUploads(deps: Dependencies, principal: Principal): Promise<void> {
  if (principal.role !== "admin") await deps.limits.consume(newUploads, principal.id);
}

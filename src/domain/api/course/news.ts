import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { maxNewsTextLength, maxNewsTitleLength, newsAudiences } from "../../news.ts";
import { id, idempotencyHeaders, line, pageOf, pageQuery, previewQuery, paragraphs, timestamp } from "../fields.ts";

const audience = z.enum(newsAudiences);

/** An announcement as students and the admin read it. */
export const News = z.object({
  id,
  title: z.string(),
  /** Plain text; blank lines part paragraphs. */
  text: z.string(),
  audience,
  published_at: timestamp,
  edited_at: z.nullable(timestamp),
  /** Whether it is new to this student. */
  unread: z.boolean(),
  /** Whether an older one is new to this student, also on a later page. */
  older_unread: z.boolean(),
  /** For the admin: how many mails were written; null for students, and where it is not mailed. */
  mailing: z.nullable(z.object({ mails: z.int(), finished_at: z.nullable(timestamp) })),
});
export type News = z.infer<typeof News>;

/** What the admin writes; `paragraphs` and `line` cut off white space around it. */
const written = {
  title: line(maxNewsTitleLength, "title_missing"),
  text: paragraphs(maxNewsTextLength, "text_missing"),
  audience,
};
export const NewsText = z.object(written);

export const PublishNews = z.object({ ...written, mail: z._default(z.boolean(), false) });
export type PublishNews = z.infer<typeof PublishNews>;

const Reach = z.object({ students: z.int(), mails: z.int() });

/** How many students each audience has, and how many of them want news by mail. */
export const NewsReach = z.object({ everyone: Reach, starter: Reach, advanced: Reach });
export type NewsReach = z.infer<typeof NewsReach>;

const byId = z.object({ params: z.object({ id }) });

export const news = {
  list: oc
    .route({ method: "GET", path: "/api/news", summary: "The announcements for the caller, newest first" })
    .input(z.object({ ...pageQuery, ...previewQuery }))
    .output(pageOf(News)),
  reach: oc
    .route({ method: "GET", path: "/api/news/reach", summary: "How many students and mails each audience means" })
    .output(NewsReach),
  publish: oc
    .route({
      method: "POST",
      path: "/api/news",
      successStatus: 201,
      inputStructure: "detailed",
      summary: "Publish an announcement, and mail it if wanted",
    })
    .input(z.object({ headers: idempotencyHeaders, body: PublishNews }))
    .output(News),
  update: oc
    .route({ method: "PATCH", path: "/api/news/{id}", inputStructure: "detailed", summary: "Change an announcement" })
    .input(z.extend(byId, { body: z.partial(NewsText) }))
    .output(News),
  remove: oc
    .route({ method: "DELETE", path: "/api/news/{id}", inputStructure: "detailed", summary: "Delete an announcement" })
    .input(byId)
    .output(z.object({ deleted: z.literal(true) })),
  see: oc
    .route({
      method: "POST",
      path: "/api/news/{id}/seen",
      inputStructure: "detailed",
      summary: "Mark an announcement as read by the student",
    })
    .input(byId)
    .output(z.object({ seen: z.literal(true) })),
};

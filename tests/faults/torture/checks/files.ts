import { adminEmail, adminPassword } from "../../../support/sites/site-process.ts";
import { asker, newJournal } from "../../client.ts";
import { hashAt, type StudentPromises } from "../../promises.ts";
import type { World } from "../world.ts";
import { finding, type Finding } from "./finding.ts";

/** Fetches every acknowledged file from the site, as the admin's browser does. */
export async function checkFiles(
  { parts }: Pick<World, "parts">,
  students: StudentPromises[],
  lessons: Map<string, string>,
): Promise<Finding[]> {
  const screenshots = finding("screenshots, by SHA-256");
  const films = finding("films, by SHA-256");
  const ask = asker(parts[0]!.site.url, newJournal());
  const signedIn = await ask("POST", "/auth/v1/token?grant_type=password", { email: adminEmail, password: adminPassword });
  const token = signedIn.body.access_token as string;
  for (const { id, screenshot } of students.flatMap(({ requests }) => requests)) {
    const link = await ask("GET", `/api/payment-requests/${id}/screenshot`, undefined, { token });
    screenshots.expect((await hashAt(link.body.url)) === screenshot, `screenshot of ${id}: ${link.status}`);
  }
  for (const [id, film] of lessons) {
    const playing = await ask("POST", `/api/videos/${id}/play`, {}, { token });
    films.expect(
      (await hashAt(playing.body.url)) === film,
      `film of lesson ${id}: ${playing.status} ${JSON.stringify(playing.body)}`,
    );
  }
  return [screenshots, films];
}

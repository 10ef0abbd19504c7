import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../../tests/support/database/scratch-database.ts";

let database: ScratchDatabase;
beforeAll(async () => {
  database = await scratchDatabase("migrated");
});
afterAll(() => database?.drop());

const keysOf = async (text: string, tags: string[], prefix: string): Promise<string[]> => {
  const statement = "select search_keys(search_form($1), $2, $3) as keys";
  return (await database.client.query<{ keys: string[] }>(statement, [text, tags, prefix])).rows[0]!.keys;
};

/** Words of scripts that upper and lower case treat alike everywhere, or that have none. */
const texts = fc.string({ unit: fc.constantFrom(...Array.from("ab%_\\.{}1'\"ศรีน้ำ👩‍🚀é\n\t ")), maxLength: 30 });

// LIST-2.
it("has every trigram of a text in any script, and the tags, after the prefix", async () => {
  const tags = fc.array(fc.constantFrom("status:pending", "flagged:true"), { maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(texts, tags, fc.constantFrom("", "2955:"), async (text, given, prefix) => {
      const letters = Array.from(` ${text}`.replace(/\s+/g, "  "));
      const threes = letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`);
      const expected = [...given, ...threes].map((key) => prefix + key);
      expect((await keysOf(text, given, prefix)).toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 300 },
  );
});

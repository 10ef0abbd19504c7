import { asc, desc, sql, type SQL, type SQLWrapper } from "drizzle-orm";

/**
 * Returns the table `steps`: the numbers of spans of time or of blocks of ids, from `first` to `last` and then `end`. Each is one look-up in a search
 * index, whose keys begin with the step (docs/decisions/041-searches-have-an-index-of-their-own.md). They are sorted here, so that the sort of
 * the result can stop after the steps that fill the page.
 */
export function searchSteps({ first, last, isDescending, end }: SearchSteps): SQL {
  const order = isDescending ? desc : asc;
  const atEnd = end === undefined ? sql`` : sql` union all select ${sql.raw(String(end))}`;
  return sql`(select step from (select generate_series(${first}, ${last}, ${isDescending ? sql`-1` : sql`1`})${atEnd}) as numbers (step)
    order by ${order(sql`step`)}) as steps`;
}

interface SearchSteps {
  first: SQLWrapper;
  last: SQLWrapper;
  isDescending: boolean;
  end?: number;
}

/** Returns keys as a search index has them in the present one of the `steps`. `prefix` is that of the steps, where an index has several. */
export function keysOfStep(keys: string[], prefix = ""): SQL {
  return sql`array(select ${prefix} || steps.step || ':' || lower(key) from unnest(${sql.param(keys)}::text[]) as key)`;
}

// @ts-check

/** The first has Starter, and the others before these sign in and ask for quotes. */
const firstBuyer = 801;

/**
 * Hands out students for payment requests on one server, each once: a student has one open request for a package. `perRound` is how many a round may
 * take, where all rounds of a side take a share of them.
 * @template Student
 * @param {Student[]} students
 */
export function buyersOf(students) {
  const buyers = students.slice(firstBuyer);
  let taken = 0;
  return {
    /** @param {number} share @param {number} rounds without the first, which warms up */
    perRound: (share, rounds) => Math.floor((share * buyers.length) / (rounds + 1)),
    /** @param {number} count */
    take(count) {
      if (taken + count > buyers.length)
        throw new Error(`${buyers.length - taken} students have no payment request, not ${count}.`);
      taken += count;
      return buyers.slice(taken - count, taken);
    },
  };
}

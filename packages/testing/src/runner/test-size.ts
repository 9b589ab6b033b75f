/** Whether this is the long suite, where tests that have two sizes run at full size. */
export const isFull = process.env.SORTIE_TEST_SIZE === 'full';

/** Returns the cases of a test: `npm test` runs one or a few of each rule, the long suite all of them. */
export function casesOf<const Quick extends readonly unknown[], const More extends readonly unknown[]>(
  quick: Quick,
  more: More,
): readonly (Quick[number] | More[number])[] {
  return isFull ? [...quick, ...more] : quick;
}

/**
 * Ways to write the same statement that filters of words, spaces and separators often overlook. Each is one rewriting, so
 * that a check tries a handful of values instead of every combination.
 */

/** Alternates the case of letters: filters often compare words as they are usually written. */
export const inMixedCase = (text: string) =>
  text.replace(/[a-z]+/gi, (word) =>
    [...word].map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join(''),
  );

/** Writes each word around itself, for filters that remove it once: "and" becomes "aandnd". */
export const withNestedWords = (text: string) =>
  text.replace(/[a-z]{2,}/gi, (word) => `${word.slice(0, 1)}${word}${word.slice(1)}`);

/** Spellings of a space, which the interpreter reads as one. */
export const SPACES = { comment: '/**/', tab: '\t', newline: '\n', shell: `\${IFS}` } as const;

export const withSpaces = (text: string, space: keyof typeof SPACES) => text.replaceAll(' ', SPACES[space]);

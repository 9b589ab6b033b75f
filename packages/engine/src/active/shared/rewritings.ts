/**
 * Ways to write the same statement that filters of words, spaces and separators often overlook. Each is one rewriting, so
 * that a check tries a handful of values instead of every combination.
 */

/** Alternates the case of letters: filters often compare words as they are usually written. */
export const inMixedCase = (text: string) =>
  text.replace(/[a-z]+/gi, (word) =>
    [...word].map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join(''),
  );

/** Writes a text within itself, for filters that remove it once: "and" becomes "aandnd", "../" becomes "..././". */
export const withinItself = (text: string) => `${text.slice(0, 1)}${text}${text.slice(1)}`;

/** Spellings of a space, which the interpreter reads as one. */
export const SPACES = { comment: '/**/', tab: '\t', newline: '\n', shell: `\${IFS}` } as const;

export const withSpaces = (text: string, space: keyof typeof SPACES) => text.replaceAll(' ', SPACES[space]);

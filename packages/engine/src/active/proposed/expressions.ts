/** A product as a planner must write it, so that the interpreter can put another formula in its place. */
export const PRODUCT = /\{\{number\}\}\s*\*\s*\{\{number2\}\}/;

/** A comparison as a planner must write it, with quotes or without. */
export const COMPARISON = /\{\{number\}\}(['"]?\s*)={1,3}(\s*['"]?)\{\{number\}\}/;

/** Returns the text with another comparison in the place of the one that it has, in the same quotes. */
export const compared = (text: string, left: string, operator: string, right: string) =>
  text.replace(
    COMPARISON,
    (_all, before: string, after: string) => `{{${left}}}${before}${operator}${after}{{${right}}}`,
  );

const COMMENTS = /\/\*.*?\*\//g;
const SLEEPS = /(?:sleep|waitfor\s+delay|receive_message)\b[\s\S]{0,60}\{\{delay\}\}/i;
/** Returns whether the text calls a function by which interpreters wait: others may wait on purpose, as a long poll does. */
export const isSleeping = (text: string) => SLEEPS.test(text.replace(COMMENTS, ' '));

/** Returns the text with the letters of each word in reverse: what reads its numbers only does not notice. */
export const scrambled = (text: string) =>
  text
    .split(PLACEHOLDERS)
    .map((part) =>
      PLACEHOLDERS.test(part) ? part : part.replace(/\p{L}+/gu, (word) => [...word].toReversed().join('')),
    )
    .join('');

const PLACEHOLDERS = /(\{\{[^{}]{1,100}\}\})/;
/** What remains is what people write to calculators and in formulas: words, numbers and operators. */
const DELIMITERS = /[^\p{L}\p{N}\s*=:/,.!?()_+-]/gu;

/** Returns the text without the characters by which interpreters recognise code. */
export const withoutDelimiters = (text: string) =>
  text
    .split(PLACEHOLDERS)
    .map((part) => (PLACEHOLDERS.test(part) ? part : part.replace(DELIMITERS, ' ')))
    .join('');

/** A user name and the password beside it. */
export interface Pair {
  user: string;
  password: string;
}

const PASSWORD = /([\w$]{0,30}?(?:password|passwd|pwd))["']?\s{0,3}[:=]\s{0,3}(["'`])([^"'`\s]{4,64})\2/gi;
const USER = /([\w$]{0,30}?(?:user_?name|user|login|e?mail))["']?\s{0,3}[:=]\s{0,3}(["'`])([^"'`\s]{2,64})\2/gi;
/** Both stand next to each other, as fields of one object or as constants. */
const MOST_BETWEEN = 160;
/** Names of input fields, translation keys, templates and paths. */
const NO_VALUE =
  /^(?:password|passwd|pwd|text|e?mail|user(?:name)?|login|current-password|new-password)$|[{}<>]|^[/#.]/i;

const valuesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)]
    .map(({ 3: value = '', index }) => ({ value, index }))
    .filter(({ value }) => !NO_VALUE.test(value));

/** Returns each password in a program with the user name next to it. */
export function pairsInScript(text: string): Pair[] {
  return valuesOf(text, PASSWORD).flatMap(({ value: password, index }) => {
    const start = Math.max(0, index - MOST_BETWEEN);
    const distance = (user: { index: number }) => Math.abs(start + user.index - index);
    const [user] = valuesOf(text.slice(start, index + MOST_BETWEEN), USER)
      .filter(({ value }) => value !== password)
      .toSorted((a, b) => distance(a) - distance(b));
    return user ? [{ user: user.value, password }] : [];
  });
}

/** Nothing but a name and a password, as in "admin:secret". */
const ALONE = /^\s*([\w.@+-]{2,64}):([^\s:]{3,64})\s*$/;
/** Marks of build tools look alike, as in "build:css". */
const USUAL_USER = /^(?:admin\w*|root|user|test\w*|guest|demo|dev\w*|support|super\w*|\S+@\S+)$/i;
const UNLIKE_A_WORD = /[^a-z]/;
const LABELLED_USER = /\b(?:user(?:[ _]?name)?|login|e-?mail)\s{0,3}(?:is|[:=])\s{0,3}["'`]?([\w.@+-]{2,64})/i;
const LABELLED_PASSWORD = /\b(?:password|passwd|pass|pwd|pw)\s{0,3}(?:is|[:=])\s{0,3}["'`]?([^\s"'`,;]{3,64})/i;
const MOST_CHARACTERS = 2_000;

/** Returns the name and the password in each comment that has both, those with labels first. */
export function pairsInComments(comments: readonly string[]): Pair[] {
  const short = comments.filter(({ length }) => length <= MOST_CHARACTERS);
  const labelled = short.map((text) => [LABELLED_USER.exec(text)?.[1], LABELLED_PASSWORD.exec(text)?.[1]]);
  const alone = short
    .map((text) => ALONE.exec(text)?.slice(1) ?? [])
    .filter(([user = '', password = '']) => USUAL_USER.test(user) || UNLIKE_A_WORD.test(password));
  return [...labelled, ...alone].flatMap(([user, password]) =>
    user && password && !NO_VALUE.test(password) ? [{ user, password }] : [],
  );
}

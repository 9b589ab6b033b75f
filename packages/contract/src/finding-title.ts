const kinds = ['parameter', 'path segment', 'header', 'cookie', 'file name of', 'message field'] as const;

/** The insertion point of a weakness: a named part of a request, or the whole URL fragment. */
export type InsertionPoint = { kind: (typeof kinds)[number]; name: string } | { kind: 'URL fragment' };

interface FindingPlace {
  url: string;
  /** Path with placeholders for ids, to show instead of that of the URL. */
  path?: string;
  parameter?: InsertionPoint | undefined;
  /** Fields of the request or response; the title names the first and counts the others. */
  fields?: readonly string[] | undefined;
}

const MAX_NAME = 60;
const MAX_PATH = 100;

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Names come from the target: one line without backticks keeps the place separable from the title. */
const quoted = (name: string) => `\`${cut(name.replace(/[\s`\p{C}]+/gu, ' ').trim(), MAX_NAME)}\``;

function pathOf(url: string): string {
  const { pathname, hash } = new URL(url);
  const [route = ''] = /^#!?\/[^?\s]*/.exec(hash) ?? [];
  return cut(pathname + route, MAX_PATH);
}

/**
 * Returns the check's title followed by the place: "SQL injection in parameter `q` of /search". A title with a
 * consequence ("IDOR: …") gets the parameter in brackets, which reads better after a whole statement.
 */
export function titleWithPlace(
  title: string,
  { url, path = pathOf(url), parameter, fields = [] }: FindingPlace,
): string {
  const [field, ...others] = fields;
  const named = parameter && ('name' in parameter ? `${parameter.kind} ${quoted(parameter.name)}` : parameter.kind);
  if (named && !title.includes(': ')) return `${title} in ${named} of ${path}`;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const inside = named ?? (field === undefined ? undefined : `${quoted(field)}${more}`);
  return `${title}${inside === undefined ? '' : ` (${inside})`} at ${cut(path, MAX_PATH)}`;
}

/** Earlier releases stored titles in the second form. */
const MORE = '(?: \\(\\+\\d+ more\\)| and (?:one|\\d+) more places?)';

/** Returns the title with the number of further places, which replaces the number in an earlier title. */
export function titleWithMorePlaces(title: string, more: number): string {
  const alone = title.replace(new RegExp(`${MORE}$`), '');
  return more === 0 ? alone : `${alone} (+${more} more)`;
}

const POINT = `(?:(?:${kinds.join('|')}) \`[^\`]*\`|URL fragment)`;
const PLACE = new RegExp(
  `(?: \\((?:${POINT}|\`[^\`]*\`(?: and \\d+ more)?)\\))? (?:in ${POINT} of|at) /\\S*${MORE}{0,2}$`,
);

/** Returns the check's title without the place; all findings of a check share it. */
export function titleWithoutPlace(title: string): string {
  return title.replace(PLACE, '');
}

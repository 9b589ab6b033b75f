import { decodeOnce, LAYERS, liesUnderAny } from './paths.ts';

/** Rules without a method hold for all methods; `ANY` asks whether any method is excluded. */
export type AskedMethod = string | 'ANY';

interface Asked {
  /** Path as it is sent, with its query. */
  path: string;
  method: AskedMethod;
}

const RULE = /^(?:([A-Z]+) )?([^?]*)(?:\?(.*))?$/s;

/**
 * Returns whether a rule excludes the request. A rule is a path with everything below it, optionally after a method and
 * with a query: `/admin`, `POST /orders`, `/index.php?action=logout`. A query excludes requests with all its parameters;
 * one without a value stands for any value.
 */
export function isExcludedBy({ path, method }: Asked, rules: readonly string[]): boolean {
  return rules.some((rule) => {
    const [, only, place = '', query] = RULE.exec(rule) ?? [];
    if (only !== undefined && method !== 'ANY' && only !== asRule(method)) return false;
    return liesUnderAny(path, [place]) && (query === undefined || hasAll(path, query));
  });
}

const asRule = (method: string) => (method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase());

/** Whether any interpretation of the path's query has all parameters of the rule. */
function hasAll(path: string, query: string): boolean {
  const wanted = pairsOf(query);
  let text = path.replace(/#.*$/s, '');
  for (let layer = 0; layer <= LAYERS; layer++) {
    const sent = pairsOf(text.replace(/^[^?]*\??/s, ''));
    if (wanted.every(([name, value]) => sent.some((each) => each[0] === name && (value === '' || each[1] === value)))) {
      return true;
    }
    text = decodeOnce(text);
  }
  return false;
}

/** Case-insensitive, because many front controllers are. Servers in use accept a semicolon as a separator. */
const pairsOf = (query: string) =>
  [...new URLSearchParams(query.replaceAll(';', '&').toLowerCase())].map(([name, value]) => [name, value] as const);

import type { MainDocument } from './main-document.ts';

/** One Content-Security-Policy (CSP). */
export interface Policy {
  /** As sent. */
  text: string;
  isMeta: boolean;
  /** By lower-case name. Of duplicate directives the first counts, as in browsers. */
  directives: ReadonlyMap<string, readonly string[]>;
  /** Names of duplicate directives, which browsers ignore. */
  repeated: readonly string[];
}

export interface Policies {
  /** From headers and meta tags. All of them apply at once. */
  enforced: readonly Policy[];
  /** From headers only; browsers ignore report-only policies in meta tags. */
  reportOnly: readonly Policy[];
}

const IGNORED_IN_META = new Set(['frame-ancestors', 'report-uri', 'sandbox']);

/** Returns no policies for a document that is not HTML, because there is nothing to restrict. */
export function policiesOf(document: Pick<MainDocument, 'headers' | 'metaTags' | 'isHtml'>): Policies {
  if (!document.isHtml) return { enforced: [], reportOnly: [] };
  const { headers, metaTags } = document;
  const metas = metaTags
    .filter((tag) => tag.get('http-equiv')?.trim().toLowerCase() === 'content-security-policy')
    .flatMap((tag) => parsePolicies(tag.get('content') ?? '', true));
  const fromHeaders = (name: string) => headers(name).flatMap((value) => parsePolicies(value, false));
  return {
    enforced: [...fromHeaders('content-security-policy'), ...metas],
    reportOnly: fromHeaders('content-security-policy-report-only'),
  };
}

/** Splits a comma-separated list of policies. Keeps one empty policy if no directive is found. */
function parsePolicies(value: string, isMeta: boolean): Policy[] {
  const policies = value.split(',').map((text) => parsePolicy(text, isMeta));
  const spoken = policies.filter(({ directives }) => directives.size > 0);
  return spoken.length > 0 ? spoken : policies.slice(0, 1);
}

function parsePolicy(text: string, isMeta: boolean): Policy {
  const directives = new Map<string, readonly string[]>();
  const repeated: string[] = [];
  for (const part of text.split(';')) {
    const [written = '', ...values] = part.trim().split(/[\t\n\f\r ]+/);
    const name = written.toLowerCase();
    const isIgnored = name === '' || !isAscii(part) || (isMeta && IGNORED_IN_META.has(name));
    if (isIgnored) continue;
    if (directives.has(name)) repeated.push(name);
    else directives.set(name, values);
  }
  return { text: text.trim(), isMeta, directives, repeated };
}

/** Browsers ignore directives with other characters. */
const isAscii = (text: string) => !/[\u0080-\uffff]/.test(text);

/** Fallbacks for a missing directive, in order. */
const fallbacks: Readonly<Record<string, readonly string[]>> = {
  'script-src-elem': ['script-src'],
  'script-src-attr': ['script-src'],
  'style-src-elem': ['style-src'],
  'style-src-attr': ['style-src'],
  'worker-src': ['child-src', 'script-src'],
  'frame-src': ['child-src'],
};

function governing({ directives }: Policy, directive: string) {
  const names = [directive, ...(fallbacks[directive] ?? []), 'default-src'];
  const name = names.find((one) => directives.has(one));
  return name === undefined ? undefined : { name, sources: directives.get(name) ?? [] };
}

/** Returns the sources in force for a directive, or undefined if the policy does not restrict it. */
export const sourcesFor = (policy: Policy, directive: string) => governing(policy, directive)?.sources;

/**
 * Returns the sources picked by `pick` that every restricting policy allows. Empty if one policy blocks them, and also
 * if no policy restricts the directive, which is a separate finding.
 */
export function openSources(
  policies: readonly Policy[],
  directive: string,
  pick: (sources: readonly string[]) => readonly string[],
): string[] {
  const open = policies
    .map((policy) => sourcesFor(policy, directive))
    .filter((sources) => sources !== undefined)
    .map(pick);
  return open.every((sources) => sources.length > 0) ? [...new Set(open.flat())] : [];
}

/** Returns whether one of the policies has a sandbox without this permission, such as `allow-scripts`. */
export const isSandboxedFrom = (policies: readonly Policy[], permission: string) =>
  policies.some(({ directives }) => {
    const allowed = directives.get('sandbox');
    return allowed !== undefined && !allowed.some((one) => one.toLowerCase() === permission);
  });

/** Formats whole policies for a finding's evidence. */
export function policyLines(policies: readonly Policy[], name = 'content-security-policy'): string {
  if (policies.length === 0) return `${name}: (not sent)`;
  return policies.map(({ text, isMeta }) => `${isMeta ? 'meta ' : ''}${name}: ${text}`).join('\n');
}

/** Formats only the directives in force for a finding's evidence, because policies can be long. */
export function directiveLines(policies: readonly Policy[], ...directives: string[]): string {
  const lines = policies.flatMap((policy) =>
    directives.map((directive) => {
      const found = governing(policy, directive);
      return found ? `${found.name} ${found.sources.join(' ')}` : `${directive}: (not restricted)`;
    }),
  );
  return [...new Set(lines)].join('\n');
}

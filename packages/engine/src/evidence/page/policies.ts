import type { MainDocument } from './main-document.ts';

/** One Content-Security-Policy. */
export interface Policy {
  /** As it was written. */
  text: string;
  isMeta: boolean;
  /** By names in lower case; of two of the same name the first, as browsers do it. */
  directives: ReadonlyMap<string, readonly string[]>;
  /** Names that came again, and were ignored. */
  repeated: readonly string[];
}

export interface Policies {
  /** Of the headers and of the page. It must satisfy all of them. */
  enforced: readonly Policy[];
  /** Of the headers; browsers take no other. */
  reportOnly: readonly Policy[];
}

const IGNORED_IN_META = new Set(['frame-ancestors', 'report-uri', 'sandbox']);

/** None with what is no page: there is nothing that a policy could stop. */
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

/** A value may hold several policies, separated by commas. One that holds none is kept as an empty policy. */
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

/** Browsers leave a directive out that is not. */
const isAscii = (text: string) => !/[\u0080-\uffff]/.test(text);

/** Where a directive is missing, these speak for it, the first that is there. */
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

/** What governs a kind of content; undefined when the policy does not restrict it. */
export const sourcesFor = (policy: Policy, directive: string) => governing(policy, directive)?.sources;

/**
 * The sources of some kind that get through to a kind of content. None when one of the policies stops them; none, too,
 * when no policy speaks of that content at all, which is another flaw.
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

/** Whether one of the policies is a sandbox that does not allow this, such as `allow-scripts`. */
export const isSandboxedFrom = (policies: readonly Policy[], permission: string) =>
  policies.some(({ directives }) => {
    const allowed = directives.get('sandbox');
    return allowed !== undefined && !allowed.some((one) => one.toLowerCase() === permission);
  });

/** For a finding's evidence: whole policies. */
export function policyLines(policies: readonly Policy[], name = 'content-security-policy'): string {
  if (policies.length === 0) return `${name}: (not sent)`;
  return policies.map(({ text, isMeta }) => `${isMeta ? 'meta ' : ''}${name}: ${text}`).join('\n');
}

/** For a finding's evidence: only what governs these kinds of content, of policies that can be long. */
export function directiveLines(policies: readonly Policy[], ...directives: string[]): string {
  const lines = policies.flatMap((policy) =>
    directives.map((directive) => {
      const found = governing(policy, directive);
      return found ? `${found.name} ${found.sources.join(' ')}` : `${directive}: (not restricted)`;
    }),
  );
  return [...new Set(lines)].join('\n');
}

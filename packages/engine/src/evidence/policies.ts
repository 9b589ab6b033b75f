import type { MainDocument } from './main-document.ts';

/** One enforced Content-Security-Policy. Where there are several, a page must satisfy all of them. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** Of the headers only. A header may hold several policies, separated by commas. */
export function policiesOf(document: Pick<MainDocument, 'headers'>): Policy[] {
  return document
    .headers('content-security-policy')
    .flatMap((value) => value.split(','))
    .map(parsePolicy)
    .filter((policy) => policy.size > 0);
}

function parsePolicy(text: string): Policy {
  const policy = new Map<string, readonly string[]>();
  for (const directive of text.split(';')) {
    const [name, ...values] = directive.trim().split(/[\t\n\f\r ]+/);
    // Browsers go by the first of two directives of the same name.
    if (name && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), values);
  }
  return policy;
}

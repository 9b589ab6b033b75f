import { definePassiveCheck } from '../../check.ts';
import { directiveLines, openSources } from '../../evidence/policies.ts';
import { hasSource } from '../../evidence/sources.ts';
import { withPolicy } from '../given-policies.ts';

/** The sources that let in all of a scheme. An asterisk stands for the schemes of the network, not for the others. */
const broadSources = [/^(\*|https?:|(https?:\/\/)?\*)(:(\*|\d+))?\/?$/i, /^data:$/i, /^blob:$/i, /^filesystem:$/i];

const matching = (pattern: RegExp) => (sources: readonly string[]) =>
  hasSource(sources, "'strict-dynamic'") ? [] : sources.filter((source) => pattern.test(source));

export default definePassiveCheck({
  id: 'csp-script-wildcard-or-scheme',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 79,
  title: 'The Content-Security-Policy lets scripts come from anywhere',
  why: 'An asterisk or a bare scheme in script-src admits scripts of every site, and data: or blob: those that an attacker writes into an address. The policy then stops nobody.',
  fix: "Name the hosts that scripts come from, or better: use a nonce together with 'strict-dynamic', and remove *, https:, http:, data:, blob: and filesystem: from script-src.",
  references: ['https://www.w3.org/TR/CSP3/#directive-script-src', 'https://web.dev/articles/strict-csp'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const open = broadSources.flatMap((pattern) => openSources(enforced, 'script-src-elem', matching(pattern)));
    if (open.length > 0)
      yield { evidence: `for scripts: ${open.join(' ')}\n${directiveLines(enforced, 'script-src-elem')}` };
  },

  examples: [
    { name: 'an asterisk', given: withPolicy('script-src *'), fails: 1 },
    { name: 'any host of a scheme', given: withPolicy('script-src https://*:443'), fails: 1 },
    { name: 'https', given: withPolicy("script-src 'self' HTTPS:"), fails: 1 },
    { name: 'http', given: withPolicy('script-src http:'), fails: 1 },
    { name: 'data', given: withPolicy("script-src 'self' data:"), fails: 1 },
    { name: 'blob', given: withPolicy('script-src blob:'), fails: 1 },
    { name: 'a file system', given: withPolicy('script-src filesystem:'), fails: 1 },
    { name: 'by default', given: withPolicy("default-src *; img-src 'self'"), fails: 1 },
    {
      name: 'beside a nonce, which admits more, not less',
      given: withPolicy("script-src 'nonce-cmFuZG9t' https:"),
      fails: 1,
    },
    { name: 'in both of two policies', given: withPolicy('script-src *', 'script-src https:'), fails: 1 },
    {
      name: "beside a nonce and 'strict-dynamic', where browsers ignore it",
      given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' https: http:"),
      fails: 0,
    },
    { name: 'overruled for tags', given: withPolicy("script-src *; script-src-elem 'self'"), fails: 0 },
    { name: 'stopped by another policy', given: withPolicy('script-src *', "script-src 'self'"), fails: 0 },
    { name: 'two that have nothing in common', given: withPolicy('script-src data:', 'script-src https:'), fails: 0 },
    { name: 'the hosts of one domain', given: withPolicy('script-src https://*.site.example'), fails: 0 },
    { name: 'for images', given: withPolicy("default-src 'self'; img-src * data:"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});

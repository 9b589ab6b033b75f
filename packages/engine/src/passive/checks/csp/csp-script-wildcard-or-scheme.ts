import { directiveLines, openSources } from '../../../evidence/page/policies.ts';
import { hasSource } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

/** Sources that match a whole scheme. The wildcard matches network schemes only, hence one pattern for each other scheme. */
const broadSources = [/^(\*|https?:|(https?:\/\/)?\*)(:(\*|\d+))?\/?$/i, /^data:$/i, /^blob:$/i, /^filesystem:$/i];

const matching = (pattern: RegExp) => (sources: readonly string[]) =>
  hasSource(sources, "'strict-dynamic'") ? [] : sources.filter((source) => pattern.test(source));

export default definePassiveCheck({
  id: 'csp-script-wildcard-or-scheme',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 79,
  title: 'CSP allows scripts from any source (wildcard or scheme)',
  why: 'The script-src directive contains *, a bare scheme such as https:, or data:, blob: or filesystem:. An attacker who can inject a script tag loads their script from any host or from a data: URL, so the policy does not stop cross-site scripting (XSS).',
  fix: "Use a nonce with 'strict-dynamic', or list the exact hosts that serve scripts. Remove *, https:, http:, data:, blob: and filesystem: from script-src.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-script-src',
    'https://web.dev/articles/strict-csp',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const open = broadSources.flatMap((pattern) => openSources(enforced, 'script-src-elem', matching(pattern)));
    if (open.length > 0)
      yield { evidence: `broad script sources: ${open.join(' ')}\n${directiveLines(enforced, 'script-src-elem')}` };
  },

  examples: [
    { name: 'wildcard', given: withPolicy('script-src *'), fails: 1 },
    { name: 'wildcard host with a port', given: withPolicy('script-src https://*:443'), fails: 1 },
    { name: 'https: scheme', given: withPolicy("script-src 'self' HTTPS:"), fails: 1 },
    { name: 'http: scheme', given: withPolicy('script-src http:'), fails: 1 },
    { name: 'data: scheme', given: withPolicy("script-src 'self' data:"), fails: 1 },
    { name: 'blob: scheme', given: withPolicy('script-src blob:'), fails: 1 },
    { name: 'filesystem: scheme', given: withPolicy('script-src filesystem:'), fails: 1 },
    { name: 'wildcard in default-src', given: withPolicy("default-src *; img-src 'self'"), fails: 1 },
    {
      name: 'with a nonce, which does not restrict it',
      given: withPolicy("script-src 'nonce-cmFuZG9t' https:"),
      fails: 1,
    },
    { name: 'in both of two policies', given: withPolicy('script-src *', 'script-src https:'), fails: 1 },
    {
      name: "with a nonce and 'strict-dynamic', which ignores schemes",
      given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' https: http:"),
      fails: 0,
    },
    { name: 'overridden by script-src-elem', given: withPolicy("script-src *; script-src-elem 'self'"), fails: 0 },
    { name: 'restricted by a second policy', given: withPolicy('script-src *', "script-src 'self'"), fails: 0 },
    {
      name: 'two policies without a common source',
      given: withPolicy('script-src data:', 'script-src https:'),
      fails: 0,
    },
    { name: 'subdomain wildcard', given: withPolicy('script-src https://*.site.example'), fails: 0 },
    { name: 'in img-src', given: withPolicy("default-src 'self'; img-src * data:"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});

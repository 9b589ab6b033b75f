import { definePassiveCheck } from '../../check.ts';
import { headerValues } from '../../http/headers.ts';

const DANGEROUS = /^(PUT|DELETE|PATCH|PROPFIND|PROPPATCH|MKCOL|COPY|MOVE|LOCK|UNLOCK|CONNECT)$/i;

export default definePassiveCheck({
  id: 'method-dangerous-advertised',
  group: 'hygiene',
  severity: 'INFO',
  cwe: 650,
  title: 'The server says that it takes methods that change things',
  why: 'What is advertised need not work; nobody tried. If it does, it should ask who is there first.',
  fix: 'Allow the methods that the page needs, as a rule GET, HEAD and POST, and switch WebDAV off where nobody uses it.',
  references: ['https://www.rfc-editor.org/rfc/rfc9110#section-10.2.1'],
  needs: ['methods'],

  *run({ methods: { options } }) {
    const allowed = headerValues(options.headers, 'allow').flatMap((value) => value.split(','));
    const dangerous = allowed.map((method) => method.trim()).filter((method) => DANGEROUS.test(method));
    if (dangerous.length > 0) yield { evidence: `allow: ${headerValues(options.headers, 'allow').join(', ')}` };
  },

  examples: [
    { name: 'WebDAV', given: { options: { allow: 'GET, HEAD, PROPFIND, PUT' } }, fails: 1 },
    { name: 'what pages need', given: { options: { Allow: 'GET, HEAD, POST, OPTIONS' } }, fails: 0 },
    {
      name: 'for scripts of other origins only',
      given: { options: { 'access-control-allow-methods': 'GET, PUT' } },
      fails: 0,
    },
  ],
});

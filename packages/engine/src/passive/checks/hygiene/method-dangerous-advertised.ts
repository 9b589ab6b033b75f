import { headerValues } from '../../../http/exchange/headers.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const DANGEROUS = /^(PUT|DELETE|PATCH|PROPFIND|PROPPATCH|MKCOL|COPY|MOVE|LOCK|UNLOCK|CONNECT)$/i;

export default definePassiveCheck({
  id: 'method-dangerous-advertised',
  group: 'hygiene',
  severity: 'INFO',
  cwe: 650,
  title: 'Dangerous HTTP methods advertised (PUT, DELETE, WebDAV)',
  why: 'The Allow header lists HTTP methods that change resources. We only read the header and did not send these methods. If they work without authentication, an attacker can upload, overwrite or delete files.',
  fix: 'Allow only the methods that the application needs, usually GET, HEAD and POST, and disable WebDAV if it is unused. Require authentication for methods that change resources.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/06-Test_HTTP_Methods',
    'https://www.rfc-editor.org/rfc/rfc9110#section-10.2.1',
    'https://cwe.mitre.org/data/definitions/650.html',
  ],
  needs: ['methods'],

  *run({ methods: { options } }) {
    const allowed = headerValues(options.headers, 'allow').flatMap((value) => value.split(','));
    const dangerous = allowed.map((method) => method.trim()).filter((method) => DANGEROUS.test(method));
    if (dangerous.length > 0) yield { evidence: `allow: ${headerValues(options.headers, 'allow').join(', ')}` };
  },

  examples: [
    { name: 'WebDAV', given: { options: { allow: 'GET, HEAD, PROPFIND, PUT' } }, fails: 1 },
    { name: 'GET, HEAD and POST', given: { options: { Allow: 'GET, HEAD, POST, OPTIONS' } }, fails: 0 },
    {
      name: 'CORS header only',
      given: { options: { 'access-control-allow-methods': 'GET, PUT' } },
      fails: 0,
    },
  ],
});

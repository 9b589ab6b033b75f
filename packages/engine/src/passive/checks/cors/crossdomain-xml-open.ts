import { isMissing } from '../../../evidence/missing.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const OPEN =
  /<allow-access-from\b[^>]{0,200}\bdomain\s*=\s*["']\*["']|<domain\b[^>]{0,200}\buri\s*=\s*["'](https?:\/\/)?\*["']/i;
const paths = ['/crossdomain.xml', '/clientaccesspolicy.xml'];

export default definePassiveCheck({
  id: 'crossdomain-xml-open',
  group: 'cors',
  severity: 'LOW',
  cwe: 942,
  title: 'Cross-domain policy file allows any domain (crossdomain.xml)',
  why: 'The file crossdomain.xml or clientaccesspolicy.xml grants access to every domain. Flash and Silverlight are discontinued, but PDF readers and older clients still honour these files. An attacker can use such a client to read responses of this site with the cookies of the user.',
  fix: 'Delete crossdomain.xml and clientaccesspolicy.xml. If a client still needs one, list its exact domains instead of *.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/08-Test_RIA_Cross_Domain_Policy',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
  needs: ['files', 'notFound'],
  probes: paths.map((path) => ({ path })),

  *run({ files, notFound }) {
    if (notFound.some(({ status, body }) => status === 200 && OPEN.test(body))) return;
    for (const path of paths) {
      const answer = files[`GET ${path}`];
      if (!answer || isMissing(answer) || (answer.status !== 200 && answer.status !== 206)) continue;
      const line = OPEN.exec(answer.body)?.[0];
      if (line !== undefined) yield { url: answer.url, evidence: line };
    }
  },

  examples: [
    {
      name: 'Flash policy',
      given: {
        files: {
          '/crossdomain.xml': { body: '<cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>' },
        },
      },
      fails: 1,
    },
    {
      name: 'Silverlight policy',
      given: { files: { '/clientaccesspolicy.xml': { body: '<allow-from><domain uri="*"/></allow-from>' } } },
      fails: 1,
    },
    { name: 'no policy file', given: {}, fails: 0 },
    {
      name: 'limited to own subdomains',
      given: { files: { '/crossdomain.xml': { body: '<allow-access-from domain="*.site.example"/>' } } },
      fails: 0,
    },
    { name: 'same content for every path', given: { elsewhere: { status: 200, body: '<domain uri="*">' } }, fails: 0 },
  ],
});

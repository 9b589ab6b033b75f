import { definePassiveCheck } from '../../check.ts';
import { isMissing } from '../../evidence/missing.ts';

const OPEN =
  /<allow-access-from\b[^>]{0,200}\bdomain\s*=\s*["']\*["']|<domain\b[^>]{0,200}\buri\s*=\s*["'](https?:\/\/)?\*["']/i;
const paths = ['/crossdomain.xml', '/clientaccesspolicy.xml'];

export default definePassiveCheck({
  id: 'crossdomain-xml-open',
  group: 'cors',
  severity: 'LOW',
  cwe: 942,
  title: 'An old policy file opens the site to every other',
  why: 'Flash and Silverlight are gone, but some readers of documents still heed these files, and one with a star has been forgotten.',
  fix: 'Delete crossdomain.xml and clientaccesspolicy.xml.',
  references: ['https://cwe.mitre.org/data/definitions/942.html'],
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
      name: 'for Flash',
      given: {
        files: {
          '/crossdomain.xml': { body: '<cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>' },
        },
      },
      fails: 1,
    },
    {
      name: 'for Silverlight',
      given: { files: { '/clientaccesspolicy.xml': { body: '<allow-from><domain uri="*"/></allow-from>' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'named sites',
      given: { files: { '/crossdomain.xml': { body: '<allow-access-from domain="*.site.example"/>' } } },
      fails: 0,
    },
    { name: 'the same for everything', given: { elsewhere: { status: 200, body: '<domain uri="*">' } }, fails: 0 },
  ],
});

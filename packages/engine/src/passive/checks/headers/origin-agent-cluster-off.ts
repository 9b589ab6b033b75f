import { itemOf } from '../../../evidence/page/structured.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const sent = (value: string) => ({ headers: { 'origin-agent-cluster': value } });

export default definePassiveCheck({
  id: 'origin-agent-cluster-off',
  group: 'headers',
  severity: 'INFO',
  cwe: 693,
  title: 'Origin isolation disabled (Origin-Agent-Cluster: ?0)',
  why: 'The page sends Origin-Agent-Cluster: ?0 and so opts out of the origin isolation that browsers apply by default. It may share a process with other subdomains of the site, and an attacker who compromises one of them is closer to the data of this page. The evidence shows the header as sent.',
  fix: 'Remove the header or send Origin-Agent-Cluster: ?1, unless pages on several subdomains still set document.domain. Replace document.domain with postMessage or CORS.',
  references: [
    'https://html.spec.whatwg.org/multipage/browsers.html#origin-keyed-agent-clusters',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (itemOf(mainDocument.headers('origin-agent-cluster')) !== false) return;
    yield { evidence: mainDocument.headerLines('origin-agent-cluster') };
  },

  examples: [
    { name: '?0', given: sent('?0'), fails: 1 },
    { name: '?0 with a parameter', given: sent(' ?0;a=1'), fails: 1 },
    { name: '?1', given: sent('?1'), fails: 0 },
    { name: 'invalid value', given: sent('0'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});

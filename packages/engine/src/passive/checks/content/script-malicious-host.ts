import { isHostOf } from '../../../evidence/page/foreign-loads.ts';
import { loadsOf } from '../../../evidence/page/loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Sold or taken over in 2024, and used to send visitors elsewhere. */
const HOSTS =
  `polyfill.io bootcdn.net bootcss.com staticfile.net staticfile.org unionadjs.com xhsbpza.com union.macoms.la
  newcrbpc.com`.split(/\s+/);

const script = (src: string) => ({ body: `<script src="${src}"></script>` });

export default definePassiveCheck({
  id: 'script-malicious-host',
  group: 'content',
  severity: 'CRITICAL',
  cwe: 829,
  title: 'The page loads a script from a host that is known for malicious ones',
  why: 'Scripts of this host have been changed to attack visitors of the sites that load them. They can do in this page whatever the page can.',
  fix: 'Remove the script, or serve a copy that you have checked from this site.',
  references: [
    'https://sansec.io/research/polyfill-supply-chain-attack',
    'https://cwe.mitre.org/data/definitions/829.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const { kind, url: source } of loadsOf(page, url)) {
      if (kind === 'script' && isHostOf(source.hostname, HOSTS)) yield { evidence: `<script> loads ${source.href}` };
    }
  },

  examples: [
    { name: 'the host', given: script('https://polyfill.io/v3/polyfill.min.js'), fails: 1 },
    { name: 'a host below it', given: script('//cdn.polyfill.io/v2/polyfill.js'), fails: 1 },
    { name: 'one that only sounds like it', given: script('https://mypolyfill.io/a.js'), fails: 0 },
    { name: 'below another name', given: script('https://polyfill.io.site.example/a.js'), fails: 0 },
    { name: 'a link to it', given: { body: '<a href="https://polyfill.io/">gone</a>' }, fails: 0 },
    { name: 'nothing from elsewhere', given: script('/polyfill.io/a.js'), fails: 0 },
  ],
});

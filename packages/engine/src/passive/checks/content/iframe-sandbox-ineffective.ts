import { baseOf } from '../../../evidence/page/loads.ts';
import type { PageElement } from '../../../html/scan-page.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const ESCAPE = ['allow-scripts', 'allow-same-origin'];

const canEscape = ({ attributes }: PageElement) => {
  const permissions = (attributes.get('sandbox') ?? '').toLowerCase().split(/\s+/);
  return ESCAPE.every((permission) => permissions.includes(permission));
};

/** Returns what the iframe shows of the page's own origin; undefined for other content and for an empty iframe. */
function ownContent({ attributes }: PageElement, page: URL, base: URL): string | undefined {
  // Browsers ignore src if srcdoc is present.
  if (attributes.has('srcdoc')) return 'a srcdoc document';
  const source = URL.parse(attributes.get('src')?.trim() || 'about:blank', base.href);
  return source?.origin === page.origin ? source.pathname : undefined;
}

const framed = (permissions: string, content = 'src="/preview"') => ({
  body: `<iframe sandbox="${permissions}" ${content}></iframe>`,
});

export default definePassiveCheck({
  id: 'iframe-sandbox-ineffective',
  group: 'content',
  // A page of the same origin without any sandbox is not reported, so an ineffective one must not cost points.
  severity: 'INFO',
  cwe: 693,
  title: 'Sandbox of iframe ineffective: allow-scripts with allow-same-origin',
  why: "The page embeds content of its own origin in an iframe whose sandbox attribute has both allow-scripts and allow-same-origin. A script in that content removes the attribute through window.parent and reloads itself without restrictions. If an attacker controls the content, for example an upload or a preview, the script acts in the site's origin with the session of the visitor. The evidence shows the embedded content.",
  fix: 'Remove allow-same-origin if the content needs scripts, or allow-scripts if it needs the origin. Serve untrusted content that needs both from a separate domain.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html#sandboxed-frames',
    'https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox',
    'https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/iframe#sandbox',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const base = baseOf(page, url);
    for (const element of page.elements) {
      if (element.name !== 'iframe' || !canEscape(element)) continue;
      const content = ownContent(element, url, base);
      if (content !== undefined) yield { evidence: `<iframe sandbox="${ESCAPE.join(' ')}"> embeds ${content}` };
    }
  },

  examples: [
    { name: 'page of the same origin', given: framed('allow-scripts allow-same-origin'), fails: 1 },
    { name: 'further permissions', given: framed('allow-forms ALLOW-SAME-ORIGIN\nallow-scripts'), fails: 1 },
    { name: 'srcdoc', given: framed('allow-scripts allow-same-origin', 'srcdoc="<p>hello"'), fails: 1 },
    {
      name: 'srcdoc overrides src',
      given: framed('allow-scripts allow-same-origin', 'srcdoc="" src="https://video.example/1"'),
      fails: 1,
    },
    { name: 'allow-scripts only', given: framed('allow-scripts'), fails: 0 },
    { name: 'allow-same-origin only', given: framed('allow-same-origin allow-forms'), fails: 0 },
    { name: 'no permissions', given: framed(''), fails: 0 },
    { name: 'no sandbox', given: { body: '<iframe src="/preview"></iframe>' }, fails: 0 },
    {
      name: 'other origin',
      given: framed('allow-scripts allow-same-origin', 'src="https://video.example/1"'),
      fails: 0,
    },
    {
      name: 'other origin by a base element',
      given: { body: `<base href="https://video.example/">${framed('allow-scripts allow-same-origin').body}` },
      fails: 0,
    },
    {
      name: 'other host of the same site',
      given: framed('allow-scripts allow-same-origin', 'src="https://help.site.example/"'),
      fails: 0,
    },
    { name: 'empty iframe', given: framed('allow-scripts allow-same-origin', ''), fails: 0 },
    { name: 'data URL', given: framed('allow-scripts allow-same-origin', 'src="data:text/html,hello"'), fails: 0 },
    { name: 'in a comment', given: { body: `<!-- ${framed('allow-scripts allow-same-origin').body} -->` }, fails: 0 },
  ],
});

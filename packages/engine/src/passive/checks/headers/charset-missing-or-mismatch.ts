import type { MetaTag } from '../../../html/meta-tags.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]+)/i;

const charsetOfTag = (tag: MetaTag) =>
  tag.get('charset') ??
  (tag.get('http-equiv')?.trim().toLowerCase() === 'content-type'
    ? CHARSET.exec(tag.get('content') ?? '')?.[1]
    : undefined);

/** Maps the labels of one encoding to one name: utf8 and UTF-8, latin1 and windows-1252. */
function canonical(charset: string): string {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return charset.trim().toLowerCase();
  }
}

const typed = (type: string, body: string) => ({ headers: { 'content-type': type }, body });

export default definePassiveCheck({
  id: 'charset-missing-or-mismatch',
  group: 'headers',
  severity: 'LOW',
  cwe: 436,
  title: 'Character encoding (charset) missing or contradictory',
  why: 'The page declares no character encoding, or the header and the meta tag declare different ones. Browsers then guess, and an attacker can submit text that the server escapes in one encoding and the browser parses as markup in another, which leads to cross-site scripting (XSS). The evidence shows both declarations.',
  fix: 'Send Content-Type: text/html; charset=utf-8, save the page in UTF-8, and keep any meta charset tag identical. Configure it once in the web server (charset utf-8; in nginx, AddDefaultCharset UTF-8 in Apache).',
  references: [
    'https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.w3.org/International/questions/qa-html-encoding-declarations',
    'https://cwe.mitre.org/data/definitions/436.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const [type = ''] = mainDocument.headers('content-type');
    const hasByteOrderMark = mainDocument.body.startsWith('\ufeff');
    if (!/^\s*text\/html\s*(;|$)/i.test(type) || mainDocument.body === '' || hasByteOrderMark) return;
    const inHeader = CHARSET.exec(type)?.[1];
    const inPage = mainDocument.metaTags.map(charsetOfTag).find((charset) => charset !== undefined);
    const isConsistent = inHeader && inPage ? canonical(inHeader) === canonical(inPage) : Boolean(inHeader || inPage);
    if (isConsistent) return;
    yield { evidence: `${mainDocument.headerLines('content-type')}\nmeta charset: ${inPage ?? '(none)'}` };
  },

  examples: [
    { name: 'no declaration', given: typed('text/html', '<title>hello</title>'), fails: 1 },
    {
      name: 'header and meta charset differ',
      given: typed('text/html; charset=utf-8', '<meta charset="iso-8859-1">'),
      fails: 1,
    },
    {
      name: 'header and meta http-equiv differ',
      given: typed('text/html; charset=utf-8', '<meta http-equiv="Content-Type" content="text/html; charset=big5">'),
      fails: 1,
    },
    { name: 'declaration in a comment', given: typed('text/html', '<!-- <meta charset="utf-8"> -->'), fails: 1 },
    { name: 'declaration in the header', given: typed('text/html;charset="UTF-8"', '<p>hello'), fails: 0 },
    { name: 'declaration in a meta tag', given: typed('text/html', '<meta charset="utf-8">'), fails: 0 },
    {
      name: 'different labels of one encoding',
      given: typed('text/html; charset=utf-8', '<meta charset=UTF8>'),
      fails: 0,
    },
    { name: 'byte order mark', given: typed('text/html', '\ufeff<p>hello'), fails: 0 },
    { name: 'not HTML', given: typed('application/json', '{}'), fails: 0 },
    { name: 'empty body', given: typed('text/html', ''), fails: 0 },
  ],
});

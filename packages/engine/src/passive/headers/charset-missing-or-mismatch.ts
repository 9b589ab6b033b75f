import { definePassiveCheck } from '../../check.ts';
import type { MetaTag } from '../../meta-tags.ts';

const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]+)/i;

const charsetOfTag = (tag: MetaTag) =>
  tag.get('charset') ??
  (tag.get('http-equiv')?.trim().toLowerCase() === 'content-type'
    ? CHARSET.exec(tag.get('content') ?? '')?.[1]
    : undefined);

/** One name for all that mean the same: utf8 and UTF-8, latin1 and windows-1252. */
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
  title: 'The page does not clearly say in which characters it is written',
  why: 'Where browsers must guess the character set, or are told two, text that was made safe in one set can turn into markup in another.',
  fix: 'Send Content-Type: text/html; charset=utf-8, save the page in UTF-8, and let a meta tag, if there is one, say the same.',
  references: [
    'https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding',
    'https://www.w3.org/International/questions/qa-html-encoding-declarations',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const [type = ''] = mainDocument.headers('content-type');
    const hasMark = mainDocument.body.startsWith('\ufeff');
    if (!/^\s*text\/html\s*(;|$)/i.test(type) || mainDocument.body === '' || hasMark) return;
    const inHeader = CHARSET.exec(type)?.[1];
    const inPage = mainDocument.metaTags.map(charsetOfTag).find((charset) => charset !== undefined);
    const isClear = inHeader && inPage ? canonical(inHeader) === canonical(inPage) : Boolean(inHeader || inPage);
    if (isClear) return;
    yield { evidence: `${mainDocument.headerLines('content-type')}\nmeta charset: ${inPage ?? '(not there)'}` };
  },

  examples: [
    { name: 'nowhere', given: typed('text/html', '<title>hello</title>'), fails: 1 },
    { name: 'two that differ', given: typed('text/html; charset=utf-8', '<meta charset="iso-8859-1">'), fails: 1 },
    {
      name: 'two that differ, the longer tag',
      given: typed('text/html; charset=utf-8', '<meta http-equiv="Content-Type" content="text/html; charset=big5">'),
      fails: 1,
    },
    { name: 'only in a comment', given: typed('text/html', '<!-- <meta charset="utf-8"> -->'), fails: 1 },
    { name: 'in the header', given: typed('text/html;charset="UTF-8"', '<p>hello'), fails: 0 },
    { name: 'in the page', given: typed('text/html', '<meta charset="utf-8">'), fails: 0 },
    { name: 'in another spelling', given: typed('text/html; charset=utf-8', '<meta charset=UTF8>'), fails: 0 },
    { name: 'a byte order mark', given: typed('text/html', '\ufeff<p>hello'), fails: 0 },
    { name: 'no page', given: typed('application/json', '{}'), fails: 0 },
    { name: 'an empty page', given: typed('text/html', ''), fails: 0 },
  ],
});

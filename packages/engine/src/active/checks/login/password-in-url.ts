import { formsOf, isPassword } from '../../../evidence/page/forms.ts';
import { type PageElement, scanPage } from '../../../html/scan-page.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { textOf } from '../../../oracle/private-content.ts';
import passive from '../../../passive/checks/content/password-in-get-form.ts';
import { definePagesCheck } from '../../shared/pages-check.ts';

const isHandled = ({ attributes }: PageElement) => [...attributes.keys()].some((name) => name.startsWith('on'));

/** Returns whether the browser itself submits the form: a script may send the password in another way. */
function isSubmittedByBrowser(page: Exchange): boolean {
  const scanned = scanPage(textOf(page));
  return (
    !scanned.elements.some(({ name }) => name === 'script') &&
    formsOf(scanned, new URL(page.request.url)).some(
      ({ element, method, fields }) =>
        method === 'GET' &&
        element.attributes.has('method') &&
        fields.some(isPassword) &&
        ![element, ...fields].some(isHandled),
    )
  );
}

export default definePagesCheck({
  id: 'password-in-url',
  title: 'Password in the URL: a form submits it by GET',
  cwe: 598,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker who reads a browser history, a server log or a Referer header obtains passwords in clear text.',
  needsNoAccount: true,
  why: passive.why,
  fix: passive.fix,
  references: passive.references,
  checks: [passive],
  isWorth: ({ hints }) => hints?.includes('password') === true,
  isCertain: isSubmittedByBrowser,
  mostPages: 30,
  mostFound: 5,
  lab() {
    const page = (method: string) => () => ({
      headers: { 'content-type': 'text/html' },
      body: `<form method="${method}" action="/in"><input type="password" name="secret"></form>`,
    });
    return {
      item: {
        method: 'GET',
        url: '/area',
        parameters: [],
        seenAs: 'alice',
        contentType: 'text/html',
        hints: ['password'],
      },
      vulnerable: page('get'),
      safe: page('post'),
    };
  },
});

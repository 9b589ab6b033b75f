import { inlineScripts } from '../../../evidence/page/page-texts.ts';
import { redacted } from '../../../evidence/page/redacted.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Visa, Mastercard, American Express and Discover, with the usual separators. */
const NUMBER =
  /(?<![\w.,+/-])(?:(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|6011|65\d{2})([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d{2}([ -]?)\d{6}\2\d{5})(?![\w.,/-])/g;
/** Scripts and JSON contain many long numbers, so the name of the field must match as well. */
const FIELD = /(?:card|pan|cc)(?:[_-]?(?:number|num|no))?["']?\s{0,3}[:=]\s{0,3}["']?(\d[\d -]{11,21}\d)(?![\w.,/-])/gi;
/** Test numbers of payment providers. */
const TESTS = new Set(
  `4111111111111111 4242424242424242 4012888888881881 4000056655665556 4000000000000002 4222222222222220 5555555555554444
  5105105105105100 5200828282828210 2223003122003222 2223000048410010 378282246310005 371449635398431 378734493671000
  6011111111111117 6011000990139424`.split(/\s+/),
);

function isCard(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && !TESTS.has(digits) && new Set(digits).size > 3;
}

export default definePassiveCheck({
  id: 'pii-card-number',
  group: 'content',
  severity: 'HIGH',
  confidence: 'TENTATIVE',
  cwe: 359,
  title: 'Payment card number (PAN) disclosed in page',
  why: 'The page contains a number that has the format and the check digit of a payment card (PAN). An attacker who opens the page can use it for fraud, and PCI DSS forbids showing the full number. Other long numbers can match by chance, so confirm the finding; the evidence shows the first and the last digits.',
  fix: 'Mask card numbers on the server and show the last four digits at most. Check logs and caches for copies of the page.',
  references: [
    'https://www.pcisecuritystandards.org/document_library/',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
    'https://cwe.mitre.org/data/definitions/359.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { isHtml, body }, page }) {
    const visible = [...page.text.matchAll(NUMBER)].map(([found]) => found);
    const data = isHtml ? inlineScripts(page) : [body];
    const inData = data.flatMap((text) => [...text.matchAll(FIELD)].map(([, number = '']) => number));
    const numbers = [...visible, ...inData].map((found) => found.replace(/\D/g, '')).filter(isCard);
    for (const number of new Set(numbers)) yield { evidence: redacted(number) };
  },

  examples: [
    { name: 'Visa', given: { body: '<td>4539 1488 0343 6467</td>' }, fails: 1 },
    {
      name: 'Mastercard without spaces, twice',
      given: { body: '<p>5425233430109903 and 5425233430109903</p>' },
      fails: 1,
    },
    { name: 'test number', given: { body: '<p>Try 4242 4242 4242 4242</p>' }, fails: 0 },
    { name: 'wrong check digit', given: { body: '<p>4539 1488 0343 6468</p>' }, fails: 0 },
    { name: 'part of a decimal', given: { body: '<p>0.4539148803436467 4539148803436467.5</p>' }, fails: 0 },
    {
      name: 'card field in a script',
      given: { body: '<script>order={"cardNumber":"4539 1488 0343 6467","id":1}</script>' },
      fails: 1,
    },
    {
      name: 'card field in JSON',
      given: { headers: { 'content-type': 'application/json' }, body: '[{"pan": 5425233430109903}]' },
      fails: 1,
    },
    {
      name: 'test number in a script',
      given: { body: '<script>demo={card_number:"4242424242424242"}</script>' },
      fails: 0,
    },
    {
      name: 'other number in a script',
      given: { body: '<script>id=4539148803436467</script><style>a{x:4539148803436467}</style>' },
      fails: 0,
    },
    { name: 'in a URL', given: { body: '<p>https://a.example/4539148803436467</p>' }, fails: 0 },
  ],
});

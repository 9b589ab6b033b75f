import type { Prepared } from '../prepare.ts';

interface Term {
  name: string;
  meaning: string;
  /** Findings that need the explanation. Always explained if there is none. */
  used?: RegExp;
}

const terms: readonly Term[] = [
  { name: 'Check', meaning: 'A program that looks for one weakness and evaluates the responses.' },
  {
    name: 'CVSS',
    meaning: 'Common Vulnerability Scoring System: a score from 0.0 to 10.0, and a vector that explains the score.',
  },
  { name: 'CWE', meaning: 'Common Weakness Enumeration: the numbered catalogue of kinds of weaknesses.' },
  { name: 'Fingerprint', meaning: 'The same finding has the same fingerprint in every run.' },
  {
    name: 'Clickjacking',
    meaning: 'A foreign page shows this page in an invisible frame and makes visitors click on it.',
    used: /clickjacking/i,
  },
  {
    name: 'CORS',
    meaning: 'Cross-origin resource sharing: which other sites may read responses in a browser.',
    used: /\bCORS\b/,
  },
  {
    name: 'CSP',
    meaning: 'Content-Security-Policy: a header that restricts what a page may load and run.',
    used: /\bCSP\b|Content-Security-Policy/,
  },
  {
    name: 'CSRF',
    meaning: 'Cross-site request forgery: a foreign page sends requests with the session of the visitor.',
    used: /\bCSRF\b|cross-site request forgery/i,
  },
  { name: 'HSTS', meaning: 'A header that makes browsers use HTTPS only.', used: /\bHSTS\b/ },
  {
    name: 'IDOR',
    meaning: 'Insecure direct object reference: another id in a request gives access to objects of others.',
    used: /\bIDOR\b|object reference/i,
  },
  { name: 'JWT', meaning: 'JSON Web Token: a signed token that carries the identity of a session.', used: /\bJWT\b/ },
  {
    name: 'Mass assignment',
    meaning: 'The application stores every field of a request, also fields that users must not set.',
    used: /mass assignment/i,
  },
  {
    name: 'Path traversal',
    meaning: 'A file name such as ../../etc/passwd leaves the folder that it should be in.',
    used: /path traversal/i,
  },
  {
    name: 'Prototype pollution',
    meaning: 'A request changes the properties that all JavaScript objects inherit.',
    used: /prototype pollution/i,
  },
  {
    name: 'SQL injection',
    meaning: 'A value becomes part of a database statement and changes it.',
    used: /SQL injection/i,
  },
  {
    name: 'SSRF',
    meaning: 'Server-side request forgery: the server requests a URL that an attacker chooses.',
    used: /\bSSRF\b/,
  },
  {
    name: 'SSTI',
    meaning: 'Server-side template injection: a value is evaluated as part of a template.',
    used: /\bSSTI\b/,
  },
  {
    name: 'XSS',
    meaning: 'Cross-site scripting: scripts of an attacker run in the pages of the target.',
    used: /\bXSS\b|cross-site scripting/i,
  },
  {
    name: 'XXE',
    meaning: 'XML external entity: an XML document makes the server read files or URLs.',
    used: /\bXXE\b/,
  },
];

/** Returns the terms that a reader of these findings needs. */
export function termsIn({ findings, kind }: Prepared): Term[] {
  const titles = findings.map(({ title }) => title);
  return terms.filter(({ name, used }) =>
    used ? titles.some((title) => used.test(title)) : kind === 'pentest' || name !== 'CVSS',
  );
}

import type { Severity } from '@sortie/contract';

export interface FoundSecret {
  kind: string;
  severity: Severity;
  value: string;
}

interface SecretKind {
  kind: string;
  severity?: Severity;
  /** A substring of every match. Searching for it first is much faster. */
  mark: string;
  pattern: RegExp;
  /** Further condition on the match and its surroundings. */
  isMeant?: (value: string, around: string) => boolean;
}

const AROUND = 300;
/** Limit per kind and text: more matches add no information. */
const MOST_TRIED = 200;

const kinds: readonly SecretKind[] = [
  {
    kind: 'private key',
    severity: 'CRITICAL',
    mark: 'PRIVATE KEY',
    pattern: /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY(?: BLOCK)?-----/g,
    // Libraries contain the header of a key without a key.
    isMeant: (value, around) =>
      /[A-Za-z0-9+/]{100}/.test(unwrapped(around.slice(around.indexOf(value) + value.length))),
  },
  {
    kind: 'AWS secret key',
    severity: 'CRITICAL',
    mark: 'AKIA',
    pattern: /(?<![A-Za-z0-9])AKIA[A-Z2-7]{16}(?![A-Za-z0-9])/g,
    // An access key id alone appears in every presigned URL; it is a secret only together with its secret key.
    isMeant: (_, around) =>
      /secret/i.test(around) && /["'=:\s](?=[^"'\s]{0,39}[a-z])(?=[^"'\s]{0,39}\d)[A-Za-z0-9/+]{40}["'\s]/.test(around),
  },
  { kind: 'Azure storage key', severity: 'CRITICAL', mark: 'AccountKey=', pattern: /AccountKey=[A-Za-z0-9+/]{86}==/g },
  { kind: 'DigitalOcean token', severity: 'CRITICAL', mark: '_v1_', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { kind: 'Stripe secret key', severity: 'CRITICAL', mark: 'k_live_', pattern: /\b[sr]k_live_[A-Za-z0-9]{24,247}\b/g },
  {
    kind: 'Supabase service key',
    severity: 'CRITICAL',
    mark: 'eyJ',
    pattern: /\beyJ[\w-]{10,500}\.eyJ[\w-]{10,2000}\.[\w-]{20,500}/g,
    // The public `anon` key differs only in its role.
    isMeant: (value) => /"role"\s*:\s*"service_role"/.test(payloadOf(value)),
  },
  { kind: 'GitHub token', mark: 'gh', pattern: /\bgh[pousr]_[A-Za-z0-9]{36}\b/g },
  { kind: 'GitHub token', mark: 'github_pat_', pattern: /\bgithub_pat_[A-Za-z0-9_]{82}\b/g },
  { kind: 'GitLab token', mark: 'glpat-', pattern: /\bglpat-[\w-]{20}(?![\w-])/g },
  { kind: 'Slack token', mark: 'xox', pattern: /\bxox[abprs]-\d{9,14}-[\w-]{20,200}/g },
  {
    kind: 'Slack webhook',
    mark: 'hooks.slack.com',
    pattern: /hooks\.slack\.com\/services\/T\w{6,14}\/B\w{6,14}\/\w{20,28}/g,
  },
  {
    kind: 'Discord webhook',
    mark: '/api/webhooks/',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,80}/g,
  },
  {
    kind: 'OpenAI key',
    mark: 'sk-',
    pattern: /\bsk-(?:[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|(?:proj|svcacct|admin)-[\w-]{40,200})/g,
  },
  { kind: 'Anthropic key', mark: 'sk-ant-', pattern: /\bsk-ant-(?:api|admin)\d\d-[\w-]{80,120}/g },
  { kind: 'Google OAuth secret', mark: 'GOCSPX-', pattern: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  { kind: 'SendGrid key', mark: 'SG.', pattern: /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  { kind: 'Telegram bot token', mark: ':AA', pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { kind: 'npm token', mark: 'npm_', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'PyPI token', mark: 'pypi-', pattern: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,200}/g },
  { kind: 'Shopify token', mark: 'shp', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g },
  { kind: 'Databricks token', mark: 'dapi', pattern: /\bdapi[a-f0-9]{32}\b/g },
  { kind: 'Linear key', mark: 'lin_api_', pattern: /\blin_api_[A-Za-z0-9]{40}\b/g },
  {
    kind: 'client secret',
    severity: 'MEDIUM',
    mark: 'ecret',
    pattern: /\b(?:client|app|api|consumer|oauth)[_-]?secret["']?\s{0,3}[:=]\s{0,3}["'][\w~.+/=-]{20,200}["']/gi,
    // Stripe client secrets are meant to be used in browsers.
    isMeant: (value) => isMixed(value) && !/["'](?:pi|seti|cs|src|acss)_/.test(value),
  },
  {
    kind: 'password in a connection string',
    mark: '://',
    pattern:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?):\/\/[\w.-]{1,64}:[^\s:@/"'<>{}$]{6,100}@[\w.-]{1,200}/g,
    isMeant: (value) =>
      !/:(?:pass|password|secret|pwd|postgres|root|changeme)@|@(?:localhost|127\.|host\b)/i.test(value),
  },
  { kind: 'Vault token', mark: 'hvs.', pattern: /\bhvs\.[\w-]{90,200}/g },
];

/** Words and identifiers rarely contain three digits. */
const isMixed = (text: string) => {
  const value = /["']([^"']+)["']$/.exec(text)?.[1] ?? '';
  return /[a-z]/i.test(value) && /\d.*\d.*\d/.test(value);
};

/** Placeholders from documentation, and the published keys of emulators. */
const EXAMPLES =
  /example|sample|dummy|placeholder|your[_-]|xxxx|1234567890|abcdefghij|Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUz/i;

/** Removes escaped line breaks, quotes and concatenation, as scripts contain them. */
const unwrapped = (text: string) => text.replace(/\\[nr]|["'`+\s]/g, '');

const payloadOf = (token: string) => Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('latin1');

/** Real secrets are random. */
const isRandom = (value: string) => new Set(value.slice(-30)).size >= 8 && !EXAMPLES.test(value);

/** Returns the secrets in a text. Publishable keys are not included. */
export function findSecrets(text: string): FoundSecret[] {
  return kinds.flatMap(({ kind, severity = 'HIGH', mark, pattern, isMeant }) => {
    // Patterns that ignore case match names in capitals too, such as those of environment variables.
    if (!text.includes(mark) && !text.includes(mark.toUpperCase())) return [];
    const values: FoundSecret[] = [];
    let tried = 0;
    for (const { 0: value, index } of text.matchAll(pattern)) {
      if (++tried > MOST_TRIED) break;
      const around = text.slice(Math.max(0, index - AROUND), index + value.length + AROUND);
      if (isRandom(value) && (isMeant?.(value, around) ?? true)) values.push({ kind, severity, value });
    }
    return values;
  });
}

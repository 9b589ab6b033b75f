import { leavesOf } from '../../oracle/private-content.ts';

/** Formats that are secrets whatever the field's name. */
const CERTAIN =
  /^\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|argon2(?:id|i|d)\$[^\s]{20,300}|[156]\$[^\s$]{1,30}\$[./A-Za-z0-9]{20,90})$|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
const PASSWORD = /^(?:user_?|hashed_?)?pass(?:word|wd|phrase)?(?:_?hash|_?digest|_?salt)?$/i;
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const CARD = /^(?:\d[ -]?){13,19}$/;
const CARD_NAME = /card|\bpan\b/i;
/** Placeholders for masked values. */
const MASKED = /^[*•x.#]+$|redacted|hidden/i;

/** Luhn checksum of card numbers. */
function isCardNumber(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce(
    (all, digit, index) => all + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)),
    0,
  );
  return CARD.test(text) && sum % 10 === 0;
}

/** Returns the fields whose values are certainly secrets, and those whose names only suggest it. */
export function secretsOf(text: string): { certain: string[]; named: string[] } {
  const texts = leavesOf(text).filter((leaf): leaf is { key: string; value: string } => typeof leaf.value === 'string');
  const isCertain = ({ key, value }: { key: string; value: string }) =>
    CERTAIN.test(value) || (PASSWORD.test(key) && DIGEST.test(value)) || (CARD_NAME.test(key) && isCardNumber(value));
  const isNamed = ({ key, value }: { key: string; value: string }) =>
    PASSWORD.test(key) && value.length > 0 && !MASKED.test(value);
  const keys = (leaves: readonly { key: string }[]) => [...new Set(leaves.map(({ key }) => key))];
  return { certain: keys(texts.filter(isCertain)), named: keys(texts.filter(isNamed)) };
}

/** Text of a target, as a language model may read it. */
export interface Fenced {
  text: string;
  isCut: boolean;
  /** Number of passages that look like instructions to a model, which the text leaves out. */
  withheld: number;
}

/** Terminal sequences, and characters that no reader sees: control, zero-width, bidirectional, tags, selectors. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
  /\u001b\[[0-9;?]*[A-Za-z]|(?![\n\t])\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;

/** Long runs of one encoded value: nothing to read for a model, but room to hide something. */
const BLOB = /[A-Za-z0-9+/_=%-]{160,}/g;

export const WITHHELD = '[withheld: it reads like an instruction to a language model]';

/** Returns the text without what a reader does not see, without passages that address a model, and cut to a length. */
export function fence(text: string, most = 4_000): Fenced {
  const visible = text
    .toWellFormed()
    .replaceAll(INVISIBLE, '')
    .replaceAll(BLOB, (blob) => `[${blob.length} encoded characters]`);
  let withheld = 0;
  const passages = visible.split(PASSAGE).map((passage) => {
    if (!addressesModel(passage)) return passage;
    withheld++;
    return WITHHELD;
  });
  const kept = passages
    .join('')
    .replaceAll(/[ \t]{3,}/g, '  ')
    .replaceAll(/\n\s*\n\s*/g, '\n');
  return { text: kept.slice(0, most), isCut: kept.length > most, withheld };
}

/** Splits at line breaks, tags and quotes, and keeps them: instructions hide in attributes, comments and JSON. */
const PASSAGE = /(\n|<!--|-->|<[^<>]{0,300}>|"(?=[,:}\]]))/;

/** Letters of other alphabets that look like Latin ones. */
const LOOKALIKES: Record<string, string> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ԁ: 'd',
  ո: 'n',
  ν: 'v',
  ο: 'o',
  α: 'a',
  ι: 'i',
};

function addressesModel(passage: string): boolean {
  if (passage.length < 8) return false;
  const plain = passage
    .normalize('NFKC')
    .replaceAll(/&#x?([0-9a-f]+);?/gi, (entity, code: string) => fromEntity(entity, code))
    .toLowerCase()
    .replaceAll(/[\u0370-\u0589]/g, (letter) => LOOKALIKES[letter] ?? letter)
    .replaceAll(/[\s_*`~|+%/\\-]+/g, ' ');
  return SUSPICIOUS.some((pattern) => pattern.test(plain));
}

function fromEntity(entity: string, code: string): string {
  const point = Number.parseInt(code, /x/i.test(entity) ? 16 : 10);
  return Number.isInteger(point) && point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

const SUSPICIOUS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|drop|skip)\b.{0,40}\b(?:instructions?|rules?|prompts?|guidelines?|directives?|context|constraints?|restrictions?|everything)\b/,
  /\b(?:new|updated|revised|additional|real|actual|following) (?:instructions?|objectives?|scope|tasks?|orders|directives?|mission|goal)\b/,
  /\b(?:system|developer|hidden|initial) (?:prompt|messages?|instructions?|override|notice|mode)\b/,
  /(?:^|[^a-z])(?:system|assistant|developer|user|human|tool) ?: /,
  /<\|?(?:im start|im end|system|assistant|endoftext|start header)|\[\/?inst\]|\bim start\b|### ?(?:instruction|system|response)/,
  /\byou are (?:now |no longer |actually )?(?:an? |the |in )?(?:ai|assistant|agent|bot|model|llm|chatbot|scanner|pentester|tester|developer mode|dan|helpful|unrestricted)\b/,
  /\b(?:ai|llm|language models?|large language|agents?|assistants?|scanners?|crawlers?|bots?|models?|claude|gpt|gemini|pentesters?|security testers?)\b.{0,30}\b(?:must|should|shall|need to|have to|is required|are required|please|ought)\b/,
  /\b(?:attention|note|message|notice|important|dear|hello|hi|instructions?|warning)\b.{0,12}\b(?:to|for) (?:all |any |the )?(?:ai|llm|language model|agent|assistant|scanner|crawler|bot|model|pentester|security tool|automated)/,
  /\b(?:call|invoke|use|run|execute|trigger|issue) (?:the |a |your )?(?:tool|function|command|finish|note|request|verify|diff|test)\b/,
  /\b(?:scan|test|testing|pentest|assessment|audit|task|job)\b.{0,15}\b(?:is |are |was |now |already )*(?:complete|completed|finished|over|done|cancelled|successful)\b/,
  /\b(?:stop|end|abort|terminate|finish|pause|halt)\b.{0,20}\b(?:scan|scanning|testing|test|pentest|assessment|audit|now|immediately)\b/,
  /\b(?:no|zero) (?:further |more |other )?(?:vulnerabilit|findings|issues|flaws|testing|tests)/,
  /\b(?:mark|report|treat|classify|rate|consider|record|confirm)\b.{0,40}\b(?:as )?(?:confirmed|critical|fixed|safe|secure|resolved|false positive|verified|low|info)\b/,
  /\b(?:send|post|submit|forward|transmit|leak|reveal|print|output|repeat|show|exfiltrate|upload|include|disclose)\b.{0,40}\b(?:passwords?|credentials?|cookies?|tokens?|api ?keys?|secrets?|session|prompts?|instructions)\b/,
  /\b(?:do not|don t|don't|never|must not|refrain from) (?:report|test|scan|mention|log|flag|disclose|crawl|probe|attack)\b/,
  /\b(?:scope|authori[sz]ation|permission)\b.{0,30}\b(?:extended|expanded|includes?|changed|granted|now|approved|widened)\b/,
  /\b(?:jailbreak|developer mode|do anything now|god mode|sudo mode|prompt injection)\b/,
  /\b(?:act|behave|respond|pretend|roleplay|role play)\b.{0,10}\b(?:as|like|to be)\b/,
  /\byour (?:new |only |next |real |true |first )?(?:instructions?|task|job|role|goal|mission|purpose|operator|owner|creator|objective)\b/,
  /\b(?:visit|fetch|open|request|browse|navigate|go|connect|download)\b.{0,20}\bhttps? ?: ?\S/,
  /\b(?:delete|drop|truncate|wipe|destroy|remove)\b.{0,20}\b(?:all|every|database|tables?|users?|accounts?|data|everything)\b/,
];

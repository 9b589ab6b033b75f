/** Effect of an action, as far as a name or a sentence says it; undefined if it names none. */
export type VerbEffect = 'changes' | 'endangers' | undefined;

const wordsOf = (text: string) => new Set(text.trim().split(/\s+/));

/** Verbs that alter what others see or how the application behaves. */
const SHARED = wordsOf(`
  reset wipe truncate seed populate repopulate reseed clear flush init initialize initialise
  reinitialize reinit reinstall install uninstall setup migrate rollback revert restore regenerate rebuild reindex
  toggle enforce enable disable activate deactivate suspend unsuspend ban unban approve
  reject decline unarchive impersonate kill terminate reopen shutdown restart reboot bootstrap
  promote demote delete remove destroy purge drop erase unpublish publish`);
/** Verbs that add something, or note something for the visitor. */
const ADDING = wordsOf(`
  insert vote upvote downvote unvote subscribe unsubscribe dislike unlike unfavorite unfollow follow unbookmark clone
  duplicate rename increment decrement bump unpin unstar enroll enrol unassign`);
/** Verbs that are nouns as well: they need an object, or an ID, to count. */
const AMBIGUOUS_SHARED = wordsOf(`
  switch empty lock unlock block unblock close stop start force sync undo redo cancel ship archive grant rotate merge
  revoke transfer refund pay`);
const AMBIGUOUS_ADDING = wordsOf(`
  like set star join leave move copy save rate accept send share redeem apply book bookmark favorite favourite mark pin
  claim assign attach detach`);
/** By GET, a path that ends in one of these shows a form; it acts if it also has an ID or values. */
const FORMS = wordsOf('create add');

/** Verbs at whose place a noun makes the whole a property or a page about it: `create-date`, `install-guide`. */
const ABOUT = wordsOf(`
  at by date dates time timestamp count counts counter list lists listing history log logs info status state states page
  guide guides help form report reports stats statistics policy policies instructions docs documentation tutorial notes
  preview options option settings type types reason reasons rate rates number id ids token key menu button link url icon
  code codes details overview summary example examples date-range window board ons on requests offers codecs words box
  rules rule size level range price fee fees order orders view`);
/** Sections whose pages only tell about an action. */
const TELLING = wordsOf(`
  docs doc documentation help guide guides manual wiki blog blogs article articles tutorial tutorials learn kb faq support
  tag tags category categories topic topics news search static assets images img css js media swagger`);

/** Verbs that do not create a thing, even where the request names no ID. */
const EDITING = 'edit|update|modify|change|rename|replace|move';
/** Verbs that form one lower-case word with any object: `/updatecolor`, in contrast to `/updates` and `/editors`. */
const WITH_ANY_OBJECT = [
  'update(?!able)',
  'modify(?!ing)',
  'edit(?!ion|or|ing|able)',
  'change(?!log|set|over|able)',
  'rename',
  'replace(?!ment|able)',
];
/** Objects of other verbs in one lower-case word. */
const EDITED =
  'user|profile|account|passw|email|name|address|setting|config|role|status|item|product|post|article|comment|order|detail|info|data|customer|member|employee';

/** The case of the verb does not matter. Behind it, an upper-case letter begins the next word: `/updateUser`. */
const verbIn = (verbs: string) =>
  new RegExp(`(?:^|[/_-])(?:(?i:${verbs})(?=$|[/_.-]|[A-Z]|${EDITED})|(?:${WITH_ANY_OBJECT.join('|')})(?=[a-z]{3}))`);

export const EDITS = verbIn(EDITING);
/** Actions on a thing that exists, in paths and in the names of procedures. A request to settings changes them. */
export const CHANGES = verbIn(`${EDITING}|save|set|assign|settings?`);

/** More words than this make a title, not an action. */
const MOST_WORDS = 4;
const GLUED =
  /^(?:re)?(?:create|reset|init|seed|populate|drop|clear|setup|build|wipe|load|fill|install|make|clean|delete|truncate|restore|flush)(?:the)?(?:db|database|tables?|data|all|cache|schema|users?|everything|demo|lab)$/;
/** Further verbs that change something, in the names of remote procedures. */
const DOING = wordsOf(`
  update modify edit change replace write store put post upload register submit process execute run consume use reserve
  return acknowledge ack pop dequeue expire invalidate email mail notify`);
const READ_VERB =
  /^(?:get|list|find|search|fetch|read|show|view|check|count|download|export|is|has|can|lookup|look|query|retrieve|return|display|describe|browse|all|by|my)(?:s|es)?$/;

/** Returns the words of a name, without accents and in lower case. */
const wordsIn = (name: string) => name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Returns whether the name begins with a verb of reading: `listTransfers`, "Returns all payments". */
export const saysRead = (name: string) => READ_VERB.test(wordsIn(name)[0] ?? '');

/** These begin names of things as well: `myProfileUpdate`. */
const NO_READ_VERB = /^(?:all|by|my|return)s?(?![a-z])/;
const CHECKS_OUT = /^checks?[\s_-]?(?:in|out)(?![a-z])/;

/** Returns whether a procedure begins with a verb of reading, and does nothing else: `getAndDelete`, `checkOut`. */
export const onlyReads = (name: string) =>
  saysRead(name) && !NO_READ_VERB.test(name) && !CHECKS_OUT.test(name) && !doesMore(name);

/** Returns whether a verb of change follows "and" or "or". */
export function doesMore(name: string): boolean {
  const words = wordsIn(name);
  return words.some((word, index) => {
    const next = words[index + 1] ?? '';
    return (word === 'and' || word === 'or') && (DOING.has(next) || changeOfVerb(next, false) !== undefined);
  });
}

/** Returns whether a procedure begins with a verb that creates something. */
export const saysAdd = (name: string) => /^(?:create|add|register|submit|insert)(?![a-z])/.test(name);

/** Judges a name of few words such as `reset-db`, `user_activate`, "Switch mode". `isBare` is false if an ID follows. */
export function changeOfName(name: string, isBare = true): VerbEffect {
  const words = wordsIn(name);
  const [first = '', second] = words;
  if (words.length === 0 || words.length > MOST_WORDS || READ_VERB.test(first)) return undefined;
  if (words.length === 1) return GLUED.test(first) ? 'endangers' : changeOfVerb(first, isBare);
  if (first === 'start' && second === 'over') return 'endangers';
  if (words.slice(1).every((word) => ABOUT.has(word))) return undefined;
  return changeOfVerb(first, false) ?? changeOfVerb(words.at(-1) ?? '', isBare);
}

function changeOfVerb(verb: string, isBare: boolean): VerbEffect {
  if (SHARED.has(verb)) return 'endangers';
  if (ADDING.has(verb)) return 'changes';
  if (isBare) return undefined;
  if (AMBIGUOUS_SHARED.has(verb)) return 'endangers';
  return FORMS.has(verb) || AMBIGUOUS_ADDING.has(verb) ? 'changes' : undefined;
}

/** Before an ID, these name a collection: `/set/7`. */
const COLLECTIONS = wordsOf('set book block star rate move copy share transfer refund save');
const ID = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\{[^}]*\}|:\w+)$/i;
const EXTENSION = /\.(?:php\d?|do|action|jspx?|aspx?|ashx|cgi|pl|html?|json|cfm|rb|py)$/;

/** Judges the last segments of a path; the one before is judged only if an ID follows it. */
export function changeOfPath(pathname: string, hasQuery: boolean): VerbEffect {
  const segments = pathname.split('/').filter(Boolean);
  const places = segments.flatMap((segment, index) => (ID.test(segment) ? [] : [index]));
  const last = places.at(-1);
  if (last === undefined || TELLING.has(segments[last - 1] ?? '')) return undefined;
  const name = (segments[last] ?? '').replace(EXTENSION, '');
  const isOfOne = ID.test(segments[last - 1] ?? '');
  const hasId = last < segments.length - 1 && !COLLECTIONS.has(name);
  const isActing = FORMS.has(name) ? hasId || hasQuery : hasId || isOfOne;
  return changeOfName(name, !isActing);
}

const ORDERS =
  /^_?(?:http_?)?method$|action$|operation|command|^(?:act|op|cmd|do|task|event|func|function|call|handler|routine)$/;
const NAMES_ORDER =
  /^_?(?:http_?)?method$|(?:^|[_.-])(?:action|operation|command)(?:_?(?:type|name))?$|^(?:act|op|cmd|do|task|event|func|function|call|handler|routine)$/;

/** Returns whether a parameter of this name tells the target what to do, as opposed to a `transaction`. */
export const isOrder = (name: string) =>
  NAMES_ORDER.test(
    name
      .replace(/^.*[/:@]/s, '')
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .toLowerCase(),
  );

const SWITCHES =
  /^(?:security|protection|safe|secure)(?:[\s_-]?(?:level|mode))?$|^(?:security|safe)[\s_-]?(?:lvl|lev)$/;
const STATES = /^(?:low|medium|high|impossible|on|off|true|false|yes|no|enabled?|disabled?|\d)$/;
const YES = /^(?:|1|true|yes|on|y|ok|all|now|confirm(?:ed)?)$/;

/** Judges one parameter of a query: `action=add`, `reset=1`, `delete=7`. */
export function changeOfParameter(name: string, value: string): VerbEffect {
  if (ORDERS.test(name)) return changeOfName(value, false);
  if (SWITCHES.test(name) && STATES.test(value)) return 'endangers';
  const words = wordsIn(name);
  // A seed with a value is one for random numbers.
  if (words.length > MOST_WORDS || saysRead(name) || (name === 'seed' && !YES.test(value))) return undefined;
  const change = changeOfName(name, !(YES.test(value) && value !== ''));
  if (change && (YES.test(value) || ID.test(value) || words.length > 1)) return change;
  if (/^mark(?:ed)?$/.test(name) && /^(?:as|all)?\s?(?:un)?(?:read|done|spam|seen)/.test(value)) return 'changes';
  return FORMS.has(words[0] ?? '') && ID.test(value) ? 'changes' : undefined;
}

const LABELS =
  /^mark (?:it |all |this )?as |^(?:add|put) (?:it |this )?(?:to|in|into) |^(?:switch|change|set) (?:to|mode|role|user|account|level)\b/;
const START_OVER = /^(?:start (?:over|again|from scratch)|begin again|new game)\b/;
/** Headings and link texts that only tell: "How to reset", "Reset filters". */
const VIEW = /\b(?:filters?|search|sort(?:ing)?|selection|view|zoom|columns?|menu|navigation|sidebar|theme)\b/;

/** Judges a link text or a label: one of its phrases is an imperative of few words. */
export function changeOfLabel(label: string): VerbEffect {
  const phrases = label.split(/[\n|/·,;:()–—•!.]+/).map((each) => each.trim());
  const changes = phrases.map((phrase) => {
    if (VIEW.test(phrase)) return undefined;
    if (START_OVER.test(phrase)) return 'endangers' as const;
    if (LABELS.test(phrase)) return phrase.startsWith('switch') ? ('endangers' as const) : ('changes' as const);
    const words = wordsIn(phrase);
    const [first = ''] = words;
    if (words.length > MOST_WORDS + 1 || words.slice(1, 2).some((word) => ABOUT.has(word))) return undefined;
    return SHARED.has(first) ? ('endangers' as const) : ADDING.has(first) ? ('changes' as const) : undefined;
  });
  return changes.find((each) => each === 'endangers') ?? changes.find((each) => each !== undefined);
}

const HARM =
  /\b(?:re-?sets?|resetting|wipes?|drops?|(?:re-?)?populates?|deletes?|removes?|truncates?|erases?|re-?initiali[sz]es?|re-?creates?|seeds?|restores?|clears?|empties)\b.{0,40}\b(?:database|db|data|tables?|users?|accounts?|state|everything|all|progress|entries|records|cart|cache)\b/;
const TENSE = /(?:s|es)$/;

/** Judges the first sentence of a description, and the rest of it for damage that it names. */
export function changeOfProse(text: string): VerbEffect {
  const [sentence = ''] = text.split(/[.\n]/);
  const [first = ''] = wordsIn(sentence);
  if (READ_VERB.test(first) || READ_VERB.test(first.replace(TENSE, ''))) return undefined;
  if (HARM.test(text)) return 'endangers';
  const verbs = [first, first.replace(/s$/, ''), first.replace(/es$/, '')];
  const change = verbs.map((verb) => changeOfVerb(verb, false)).find((each) => each !== undefined);
  const [, second = ''] = wordsIn(sentence);
  return ABOUT.has(second) || second === '' ? undefined : change;
}

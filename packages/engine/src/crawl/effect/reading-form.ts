import type { FormField, PageForm } from './page-form.ts';
import { plain } from './plain.ts';
import { changesThing } from './write-target.ts';

const SEARCH = [
  'search[a-z]*|find(?![a-z])|look[\\s_-]?up(?![a-z])',
  'such(?:e|en|begriff|wort|text|feld|anfrage|formular)(?![a-z])',
  'recherch|cherch|busc|pesquis|zoek|cerca|(?:wy)?szukaj',
].join('|');
/** The label of a button or a heading that begins with the verb, or a name such as "search-form". */
const SEARCHES = new RegExp(`^(?:${SEARCH})`, 'm');
const SEARCHED = new RegExp(`^(?:q|s|query|keywords?|terms?)$|(?<![a-z])(?:${SEARCH})`);

/** Words of forms that store or send something, in English and in the languages of the searches. */
const KEEPS = new RegExp(
  [
    'save[a-z]*|add|create|subscribe|alert|submit an?|send|edit|update[a-z]*|modify|change|rename|replace|move|assign',
    'apply|approve|confirm|vote|toggle|enable|turn (?:on|off)|activate|upload|import',
    'blocked|ban|banned|muted?|ignored?|(?:black|white|block|allow|deny)[\\s_-]?list\\w*',
    'anlegen|speichern|hinzufu?e?gen|erstellen|bestellen|buchen|senden|merken|sperren|andern|aendern',
    'enregistrer|sauvegarder|ajouter|creer|envoyer|guardar|anadir|agregar|crear|enviar|salvar|adicionar|criar',
    'salva|aggiungi|crea|invia|opslaan|toevoegen|verzenden|zapisz|dodaj|wyslij',
  ]
    .map((words) => `(?<![a-z])(?:${words})(?![a-z])`)
    .join('|'),
);
/** Nouns as well: one can search for an order or a book. They are orders at the beginning, or after another verb. */
const KEEPS_FIRST =
  /(?:^|\b(?:and|or|to)\s|&\s*)(?:block|order|store|book|post|message|new|watch|set|report|invite|like|rate|follow|register)(?![a-z])/m;

/** Returns whether a text speaks of storing, sending or changing something; its lines are labels. */
export const saysKeep = (text: string) => KEEPS.test(plain(text)) || KEEPS_FIRST.test(plain(text));

/** Returns whether the form's words, its headings or its path speak of storing, sending or changing something. */
export function keeps({ action, words, headings = '' }: PageForm): boolean {
  const segments = plain(new URL(action).pathname).split('/').filter(Boolean);
  const said = [plain(words), plain(headings)];
  return (
    KEEPS.test([...said, ...segments].join('\n')) ||
    KEEPS_FIRST.test([...said, ...segments.slice(-1)].join('\n')) ||
    changesThing(action)
  );
}

/** Labels that say nothing, and pictures. */
const NEUTRAL = /^(?:(?:submit(?: (?:query|button|form))?|go|ok|okay|enter)(?![a-z])[^a-z]*|[^\p{L}]*)$/u;
const SHOWS = /^(?:show|view|open|read|load|display)(?![a-z])/;

const hasOnly = ({ buttons }: PageForm, ...kinds: readonly RegExp[]) =>
  plain(buttons)
    .split('\n')
    .every((label) => kinds.some((kind) => kind.test(label)));

/** What a search asks for; longer texts, addresses and files are stored. */
const OF_SEARCHES = new Set(
  'text search select checkbox radio hidden submit button reset image number date range'.split(' '),
);
const isSearched = ({ name, type }: FormField) => type === 'search' || SEARCHED.test(plain(name));

/**
 * Many search forms are posted: they are told by their button. A neutral button leaves it to the names of everything
 * that one can type, or to the heading: "Find us" above a name and a message is no search.
 */
function searches(form: PageForm): boolean {
  const { words, headings = '', fields, buttons } = form;
  if (fields.length === 0 || !fields.every(({ type }) => OF_SEARCHES.has(type))) return false;
  if (SEARCHES.test(plain(buttons))) return true;
  const typed = fields.filter(({ type }) => type === 'text' || type === 'search');
  const isNamed = typed.length > 0 && typed.every(isSearched);
  const isHeaded = typed.length <= 1 && SEARCHES.test(plain(`${words}\n${headings}`));
  return (isNamed || isHeaded) && hasOnly(form, NEUTRAL, SEARCHES);
}

/**
 * Documents; a style sheet or a script is applied, other values with a dot are no files, and who chooses among pictures
 * mostly votes or sets an avatar.
 */
const FILE =
  /[^/\s]\.(?:txt|text|x?html?|php|aspx?|jsp|md|rst|pdf|log|xml|json|csv|tsv|ini|conf|cfg|ya?ml|docx?|xlsx?|odt|rtf)$/i;
const CHOICES = new Set(['select', 'radio', 'checkbox']);
const UNTYPED = new Set(['hidden', 'submit', 'button', 'image', 'reset']);
/** What a form can do with a chosen file besides showing it. */
const PROCESSES =
  /^(?:restore|import|apply|install|activate|set|use|switch|convert|rename|move|copy|run|upload|generate)(?![a-z])|(?<![a-z])(?:vote|choose|select|pick|avatar|background|wallpaper|favou?rite)s?(?![a-z])/m;

/** A form that only lets one choose among files shows the chosen one: it sends nothing that could be stored. */
function showsFile(form: PageForm): boolean {
  const asked = form.fields.filter(({ type }) => !UNTYPED.has(type));
  const isFile = asked.some(({ type, value }) => CHOICES.has(type) && FILE.test(value));
  const isChoice = isFile && asked.every(({ type }) => CHOICES.has(type));
  const said = [...new URL(form.action).pathname.split('/'), form.words, form.headings ?? ''].join('\n');
  return isChoice && hasOnly(form, NEUTRAL, SHOWS) && !PROCESSES.test(plain(said));
}

/** Returns whether a posted form only searches, or shows a file that one chooses. */
export const onlyReads = (form: PageForm) => !keeps(form) && (searches(form) || showsFile(form));

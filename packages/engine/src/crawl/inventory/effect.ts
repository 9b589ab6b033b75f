import {
  type Change,
  changeOfLabel,
  changeOfName,
  changeOfParameter,
  changeOfPath,
  changeOfProse,
  doesMore,
  onlyReads,
  saysAdd,
  saysRead,
} from './change-verbs.ts';

/**
 * Words for actions that cannot be undone, end the session or notify other people. Links and forms with such words are
 * not followed. Covers the languages of common logout and delete buttons, in lower case and without accents.
 */
const DANGER = new RegExp(
  [
    'log[\\s_+.-]?(?:out|off)|sign[\\s_+.-]?(?:out|off)|end[\\s_+.-]?session',
    'abmeld|auslogg|deconnexion|deconnect|(?:cerrar|terminar)[\\s_+.-]?sess?[ia]o?n?|desconectar|uitlog|afmelden',
    'disconnett|wylog|odhlas|logga[\\s_+.-]?ut|logg[\\s_+.-]?ut|cikis|выити|выход|ログアウト|로그아웃|退出|登出|注销',
    'delete|remove|destroy|eras(?:e|ure)|purge|loesch|losch|entfernen|supprim|borrar|excluir|apagar|verwijder|cancella|usun',
    'удалить|删除|刪除|削除|삭제',
    'deactivate|disable|cancel|close[\\s_+.-]?(?:(?:my|your|this|the)[\\s_+.-])?account|account[\\s/_+.-]close(?![a-z])|unsubscribe|revoke|kundigen|kuendigen|stornier|annuler|anular',
    'purchase|checkout|order[\\s_+.-]?now|transfer|withdraw|refund|donate|payment|bezahlen|uberweis|ueberweis|acheter',
    'comprar|betalen|оплатить|购买|支付|購入',
    'invite|publish|notify|reboot|shutdown|restart',
    '(?:change|update|set|new)[\\s_+.-]?pass(?:word|wd)',
    'zurucksetz|zuruecksetz|aktivier|installier|freischalt|genehmig|abonnier|reinitialis|desactiv|restablecer|reiniciar|vaciar',
    'suscrib|svuota|reimposta|zresetuj|wyczysc|aktywuj|redefinir|resetten|сбросить|очистить|включить|отключить|подписаться',
    '重置|清空|启用|禁用|初始化|リセット|초기화',
    'start[\\s_+.-]?over|(?:clear|empty)[\\s_+.-]?(?:data|db|cart)',
    // These also occur within harmless words.
    '(?<![a-z])(?:(?:re)?populate|truncate|reseed|migrate|rollback|regenerate)(?![a-z])',
    '(?<![a-z])(?:eliminar?|reset|wipe)',
    '(?<![a-z])(?:drop|pay|buy|send|share|kaufen|payer|pagar|kopen|sair|esci|sil)(?![a-z])',
  ].join('|'),
);

/**
 * Names of collections and properties that contain a dangerous word: by GET, they only show something. `effectOf` judges
 * a reset by its place in the path.
 */
const NOUNS =
  /(?<![a-z])(?:payments|transfers|refunds|purchases|invites|invitees|checkouts|cancellations?|cancelled|canceled|deleted|removed|published|publishers?|presets?|disabled|(?:reset|wipe)[a-z]*|payment[\s_-](?:methods?|history|options?|status|terms)|(?:refund|cancel\w*|return)[\s_-]polic(?:y|ies))(?![a-z])/g;

/** Returns whether the words or the URL of a request name a dangerous action. */
export function isDangerous(url: string, words: string, method = 'GET'): boolean {
  const { pathname, search } = new URL(url);
  const place = plain(decode(decode(pathname + search)));
  return DANGER.test(READING.has(method) ? place.replace(NOUNS, ' ') : place) || DANGER.test(plain(words));
}

/** Splits camel case, removes accents and converts to lower case. */
export function plain(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i');
}

/** Decodes each run of escapes separately: an invalid one must not hide the others. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return Buffer.from(part.replaceAll('%', ''), 'hex').toString('latin1');
    }
  });
}

/** Effect of a request on the target: none, a change, a dangerous action, or a login. */
export const effects = ['reads', 'changes', 'endangers', 'logsIn'] as const;
export type Effect = (typeof effects)[number];

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What is known about a request before it is sent, apart from its method and URL. */
export interface Told {
  /** Text of the link or button, and its other labels, one per line. */
  label?: string;
  /** Names that a description gives to the operation. */
  names?: readonly string[];
  /** Sentences that describe it. */
  prose?: readonly string[];
}

/** Derives the effect from the method, the URL and the words that describe the request. */
export function effectOf(method: string, url: string, words: string | Told = ''): Effect {
  const { label = '', names = [], prose = [] } = typeof words === 'string' ? { label: words } : words;
  const isReading = READING.has(method);
  // Prose about a read may name what it does not do: "payments that were not refunded".
  const named = [label, ...names, ...(isReading ? [] : prose.slice(0, 1))].join('\n');
  if (method === 'DELETE' || isDangerous(url, isSaidToRead(names) ? label : named, method)) return 'endangers';
  if (!isReading) return 'changes';
  return changeOfRead(url, { label, names, prose }) ?? 'reads';
}

/** Returns the effect that a name or description of a GraphQL field tells; `reads` if it tells none. */
export function effectOfQuery(name: string, description = ''): Effect {
  const [named, told] = [changeOfName(plain(name), false), changeOfProse(plain(description))];
  return isSaidToRead([name]) ? 'reads' : (named ?? told ?? 'reads');
}

/**
 * Returns the effect of a remote procedure, which is called by POST even if it reads. Whose things a procedure such as
 * `updateUser` or `closeTicket` would change is unknown, so that all but those that add something count as dangerous.
 */
export function effectOfCall(name: string, url: string): Effect {
  const said = plain(lastPart(name).replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'));
  // A reset is judged by its place in a path, and has none here.
  if (onlyReads(said))
    return DANGER.test(said.replace(NOUNS, (noun) => KEPT.exec(noun)?.[0] ?? ' ')) ? 'endangers' : 'reads';
  return saysAdd(said) && !doesMore(said) ? effectOf('POST', url, { names: [said] }) : 'endangers';
}

const KEPT = /^(?:reset|wipe)/;

const isSaidToRead = (names: readonly string[]) => names.some((name) => saysRead(plain(lastPart(name))));
/** Generated names begin with the module or the controller: `api_views.main.populate_db`, `UserController_create`. */
const lastPart = (name: string) => name.replace(/^.*[./:#]|^\w*Controller_/g, '');
/** Paths whose GET shows a form, whatever the link to it says. */
const FORM_PAGE = /\/(?:new|create|add|edit|form|register|sign[-_]?up)(?:\.\w{2,5})?\/?$/;

/** Changes by GET: judged by verbs at the end of the path, by parameters that act, and by what describes the request. */
function changeOfRead(url: string, { label, names, prose }: Required<Told>): Change {
  const { pathname, search, searchParams } = new URL(url);
  const path = plain(decode(decode(pathname)));
  const found = [
    changeOfPath(path, search.length > 1),
    ...[...searchParams].map(([name, value]) => changeOfParameter(plain(name), plain(decode(value)))),
    ...names.map((name) => changeOfName(plain(lastPart(name)))),
    ...(isSaidToRead(names) ? [] : prose.map((text) => changeOfProse(plain(text)))),
    search.length <= 1 && FORM_PAGE.test(path) ? undefined : changeOfLabel(plain(label)),
  ];
  return found.find((each) => each === 'endangers') ?? found.find((each) => each !== undefined);
}
